"""What all games come to: for each person or side, and the records of the house."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from webui.games.progress import BOOKS, GameProgress, SideResult


@dataclass(frozen=True, slots=True)
class BestResult:
    """A record: how much, by whom, in which game (and round, where it is one round's)."""

    value: int
    name: str
    game_id: int
    round: int | None = None


@dataclass(slots=True)
class PlayerStatistics:
    """One person's or side's games; ``average`` is of a round. ``streak`` is the longest row of games won."""

    name: str
    games: int = 0
    finished: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0
    went_out: int = 0
    books: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOOKS, 0))
    best_round: BestResult | None = None
    streak: int = 0
    running: int = 0

    @property
    def average(self) -> int:
        return round(self.points / self.rounds) if self.rounds else 0


@dataclass(frozen=True, slots=True)
class HouseRecords:
    """The records of the house; None where there is none yet."""

    best_round: BestResult | None
    best_game: BestResult | None
    most_clean: BestResult | None
    closest: BestResult | None
    comeback: BestResult | None
    streak: BestResult | None


def player_statistics(games: Iterable[GameProgress], sides: bool = False) -> list[PlayerStatistics]:
    """Each person who played, or with ``sides`` each side by its name; who won most first.

    Args:
        games: games, the oldest first: a streak goes by their order.
        sides: whether sides are meant in place of people.
    """
    found: dict[str, PlayerStatistics] = {}
    for progress in games:
        for side, names in enumerate(_names(progress, sides)):
            won = progress.over and side in progress.winners
            for name in names:
                one = found.setdefault(name.casefold(), PlayerStatistics(name))
                one.games += 1
                if progress.over and progress.points:
                    one.finished += 1
                    one.won += won
                    one.running = one.running + 1 if won else 0
                    one.streak = max(one.streak, one.running)
                for number, result in _rounds(progress, side):
                    _add(one, result, BestResult(result.points, name, progress.game.id, number))
    return sorted(found.values(), key=lambda one: (-one.won, -one.average, one.name.casefold()))


def records(games: Iterable[GameProgress], people: Iterable[PlayerStatistics]) -> HouseRecords:
    """The best of everything; of equals the first one holds."""
    rounds: list[BestResult] = []
    clean: list[BestResult] = []
    totals: list[BestResult] = []
    margins: list[BestResult] = []
    comebacks: list[BestResult] = []
    for progress in games:
        for side in progress.sides:
            name = progress.game.sides[side].name
            for number, result in _rounds(progress, side):
                rounds.append(BestResult(result.points, name, progress.game.id, number))
                clean.append(BestResult(result.of("clean"), name, progress.game.id, number))
        if progress.over and progress.points:
            winner = progress.winners[0]
            name = progress.game.sides[winner].name
            totals.append(BestResult(progress.totals[winner], name, progress.game.id))
            if len(progress.totals) > 1:
                margins.append(
                    BestResult(sorted(progress.totals)[-1] - sorted(progress.totals)[-2], name, progress.game.id)
                )
            behind = max(max(after) - after[winner] for after in progress.running.values())
            comebacks.append(BestResult(behind, name, progress.game.id))
    streaks = [BestResult(one.streak, one.name, 0) for one in people]
    return HouseRecords(
        best_round=_most(rounds),
        best_game=_most(totals),
        most_clean=_most([one for one in clean if one.value]),
        closest=min(margins, key=lambda one: one.value, default=None),
        comeback=_most([one for one in comebacks if one.value]),
        streak=_most([one for one in streaks if one.value > 1]),
    )


def _most(found: list[BestResult]) -> BestResult | None:
    return max(found, key=lambda one: one.value, default=None)


def _names(progress: GameProgress, sides: bool) -> list[tuple[str, ...]]:
    return [(side.name,) if sides else side.players for side in progress.game.sides]


def _rounds(progress: GameProgress, side: int) -> Iterator[tuple[int, SideResult]]:
    return ((number, results[side]) for number, results in progress.results.items())


def _add(one: PlayerStatistics, result: SideResult, best: BestResult) -> None:
    one.rounds += 1
    one.points += result.points
    one.went_out += result.went_out
    for book in BOOKS:
        one.books[book] += result.of(book)
    if one.best_round is None or best.value > one.best_round.value:
        one.best_round = best
