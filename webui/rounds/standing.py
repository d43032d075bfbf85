"""The summary above every step of a round: totals, the next first meld, the books to go out, who starts."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.rules import load_rules
from webui.games.progress import GameProgress, game_progress, starter
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

    ``first_meld`` is what a first meld of this round needs, the least where sides differ; ``set_sums`` are the points
    of each side in the hands of this round's set, this one included, empty where the rules have no sets.
    ``starter`` plays first in this round, ``next_starter`` in the next one; None where that is not known.
    """

    number: int
    rounds: int
    sides: tuple[SideStanding, ...]
    books_to_go_out: str
    starter: str | None
    next_starter: str | None
    first_meld: int
    set_sums: tuple[int, ...]

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
    books_to_go_out = view.rules.going_out.books_for(game.players, number).needs
    now, then = (starter(game, rules, turn) if turn <= rounds else None for turn in (number, number + 1))
    first_meld = min(progress.first_meld_minimum(index, number) for index in progress.sides)
    return Standing(number, rounds, tuple(sides), books_to_go_out, now, then, first_meld, _set_sums(view, progress))


def _set_sums(view: RoundView, progress: GameProgress) -> tuple[int, ...]:
    """The points of each side in the agreed hands of the round's set, and in this one as it stands."""
    size, number = view.rules.hands_in_set, view.record.number
    if size == 1:
        return ()
    first = number - (number - 1) % size
    others = [hand for hand in range(first, first + size) if hand != number and hand in progress.points]
    now = [side.tally.total if side.tally else 0 for side in view.sides]
    return tuple(points + sum(progress.points[hand][index] for hand in others) for index, points in enumerate(now))
