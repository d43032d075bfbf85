"""The summary above every step of a round: totals, the next first meld, the books to go out, who starts."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.rules import load_rules
from webui.games.progress import game_progress, starter
from webui.rounds.round_view import RoundView


@dataclass(frozen=True, slots=True)
class SideStanding:
    """One side: its total including the current round, and the points its next first meld needs.

    ``next_first_meld`` is None where no round follows.
    """

    name: str
    total: int
    next_first_meld: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """Summary of the game at one round.

    ``starter`` plays first in this round, ``next_starter`` in the next one; None where that is not known.
    """

    number: int
    rounds: int
    sides: tuple[SideStanding, ...]
    books_to_go_out: str
    starter: str | None
    next_starter: str | None

    @property
    def next_round(self) -> int | None:
        """The number of the round after this one, None after the last."""
        return self.number + 1 if self.number < self.rounds else None

    @property
    def next_first_melds(self) -> tuple[int, ...]:
        """The points that the next first melds need, one for each side, or a single number where all are equal."""
        needed = [side.next_first_meld for side in self.sides if side.next_first_meld is not None]
        return tuple(needed) if len(set(needed)) > 1 else tuple(needed[:1])


def standing(view: RoundView) -> Standing:
    """Summarises the game, counting this round as it stands instead of its agreed sheet."""
    game, number = view.game, view.record.number
    rules = load_rules(game.rules)  # those of further rounds, be this one agreed under others
    progress = game_progress(game, rules)
    other_rounds = [points for held, points in progress.points.items() if held != number]
    rounds = max(progress.planned, number)
    sides = []
    for index, side in enumerate(view.sides):
        total = sum(points[index] for points in other_rounds) + (side.tally.total if side.tally else 0)
        next_first_meld = rules.minimum_first_meld(number + 1, total) if number < rounds else None
        sides.append(SideStanding(side.record.name, total, next_first_meld))
    books_to_go_out = view.rules.books_to_go_out(game.players, number).needs
    starters = [starter(game, rules, turn) if turn <= rounds else None for turn in (number, number + 1)]
    return Standing(number, rounds, tuple(sides), books_to_go_out, *starters)
