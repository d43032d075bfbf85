"""What all games come to: for each person or side, and the records of the house."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from webui.games.progress import BOOKS, Course, SideResult


@dataclass(frozen=True, slots=True)
class Best:
    """A record: how much, by whom, in which game (and round, where it is one round's)."""

    value: int
    name: str
    game_id: int
    round: int | None = None


@dataclass(slots=True)
class Tallied:
    """One person's or side's games; ``average`` is of a round. ``streak`` is the longest row of games won."""

    name: str
    games: int = 0
    finished: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0
    went_out: int = 0
    books: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOOKS, 0))
    best_round: Best | None = None
    streak: int = 0
    running: int = 0

    @property
    def average(self) -> int:
        return round(self.points / self.rounds) if self.rounds else 0


@dataclass(frozen=True, slots=True)
class Records:
    """The records of the house; None where there is none yet."""

    best_round: Best | None
    best_game: Best | None
    most_clean: Best | None
    closest: Best | None
    comeback: Best | None
    streak: Best | None


def tally_people(courses: Iterable[Course], sides: bool = False) -> list[Tallied]:
    """Each person who played, or with ``sides`` each side by its name; who won most first.

    Args:
        courses: games, the oldest first: a streak goes by their order.
        sides: whether sides are meant in place of people.
    """
    found: dict[str, Tallied] = {}
    for course in courses:
        for side, names in enumerate(_names(course, sides)):
            won = course.over and side in course.winners
            for name in names:
                one = found.setdefault(name.casefold(), Tallied(name))
                one.games += 1
                if course.over and course.points:
                    one.finished += 1
                    one.won += won
                    one.running = one.running + 1 if won else 0
                    one.streak = max(one.streak, one.running)
                for number, result in _rounds(course, side):
                    _add(one, result, Best(result.points, name, course.game.id, number))
    return sorted(found.values(), key=lambda one: (-one.won, -one.average, one.name.casefold()))


def records(courses: Iterable[Course], people: Iterable[Tallied]) -> Records:
    """The best of everything; of equals the first one holds."""
    rounds: list[Best] = []
    clean: list[Best] = []
    totals: list[Best] = []
    margins: list[Best] = []
    comebacks: list[Best] = []
    for course in courses:
        for side in course.sides:
            name = course.game.sides[side].name
            for number, result in _rounds(course, side):
                rounds.append(Best(result.points, name, course.game.id, number))
                clean.append(Best(result.of("clean"), name, course.game.id, number))
        if course.over and course.points:
            winner = course.winners[0]
            name = course.game.sides[winner].name
            totals.append(Best(course.sums[winner], name, course.game.id))
            if len(course.sums) > 1:
                margins.append(Best(sorted(course.sums)[-1] - sorted(course.sums)[-2], name, course.game.id))
            behind = max(max(after) - after[winner] for after in course.running.values())
            comebacks.append(Best(behind, name, course.game.id))
    streaks = [Best(one.streak, one.name, 0) for one in people]
    return Records(
        best_round=_most(rounds),
        best_game=_most(totals),
        most_clean=_most([one for one in clean if one.value]),
        closest=min(margins, key=lambda one: one.value, default=None),
        comeback=_most([one for one in comebacks if one.value]),
        streak=_most([one for one in streaks if one.value > 1]),
    )


def _most(found: list[Best]) -> Best | None:
    return max(found, key=lambda one: one.value, default=None)


def _names(course: Course, sides: bool) -> list[tuple[str, ...]]:
    return [(side.name,) if sides else side.players for side in course.game.sides]


def _rounds(course: Course, side: int) -> Iterator[tuple[int, SideResult]]:
    return ((number, results[side]) for number, results in course.results.items())


def _add(one: Tallied, result: SideResult, best: Best) -> None:
    one.rounds += 1
    one.points += result.points
    one.went_out += result.went_out
    for book in BOOKS:
        one.books[book] += result.of(book)
    if one.best_round is None or best.value > one.best_round.value:
        one.best_round = best
