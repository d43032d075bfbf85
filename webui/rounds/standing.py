"""What is always in sight while a round is scored: the totals, what the next round asks for, who starts."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.game import who_starts
from webui.games.progress import follow, seats
from webui.rounds.round_view import RoundView


@dataclass(frozen=True, slots=True)
class SideStanding:
    """A side's total with this round as it stands, what this round gives it, and its next first meld (None: none)."""

    name: str
    total: int
    now: int
    needs: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How the game stands; ``starts`` plays first in this round, ``following`` in the next, None where nobody knows."""

    number: int
    rounds: int
    sides: tuple[SideStanding, ...]
    goes_out: str
    starts: str | None
    following: str | None

    @property
    def next_round(self) -> int | None:
        return self.number + 1 if self.number < self.rounds else None

    @property
    def needs(self) -> tuple[int, ...]:
        """What the sides' next first melds need: one number where all need the same."""
        found = [side.needs for side in self.sides if side.needs is not None]
        return tuple(found) if len(set(found)) > 1 else tuple(found[:1])


def standing(view: RoundView) -> Standing:
    """How the game of a round stands, with that round as it is laid out now."""
    rules, game, number = view.rules, view.game, view.record.number
    course = follow(game, rules)
    others = [points for held, points in course.points.items() if held != number]
    rounds = max(course.planned, number)
    sides = []
    for index, side in enumerate(view.sides):
        now = side.tally.total if side.tally else 0
        total = sum(points[index] for points in others) + now
        needs = rules.minimum_first_meld(number + 1, total) if number < rounds else None
        sides.append(SideStanding(side.record.name, total, now, needs))
    goes_out = rules.books_to_go_out(game.players, number).needs
    starts, following = (_starter(view, turn) if turn <= rounds else None for turn in (number, number + 1))
    return Standing(number, rounds, tuple(sides), goes_out, starts, following)


def _starter(view: RoundView, number: int) -> str | None:
    sitting = seats(view.game)
    if view.game.first is None or view.game.first not in sitting:
        return None
    return who_starts(view.rules, sitting, view.game.first, number)
