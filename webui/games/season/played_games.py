"""What one game is for each of its people, or for each side: rounds, points, partners and opponents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scorer.rules import RuleSet
from webui.games.names import is_placeholder
from webui.games.results.side_sums import SideSums, side_sums

if TYPE_CHECKING:
    from webui.games.progress import GameProgress  # which keeps its people


@dataclass(frozen=True, slots=True)
class PersonGame:
    """One person's game, or one side's: what the rounds come to that they played.

    ``partners`` holds for each partner the rounds together and their points; ``against`` who sat on another side in at
    least one round. A person may be both: with a floater, partners of one round are opponents in the next.
    """

    name: str
    won: bool
    sums: SideSums
    partners: dict[str, tuple[int, int]] = field(default_factory=dict)
    against: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with agreed rounds, and what it is for each named person."""

    progress: GameProgress
    people: tuple[PersonGame, ...]

    @property
    def rules(self) -> tuple[RuleSet, ...]:
        """The rule sets that its rounds were agreed under."""
        return self.progress.rule_texts

    @property
    def rules_ids(self) -> tuple[str, ...]:
        """The ids of its rule sets, in the order in which they were used; nearly always one."""
        return tuple(dict.fromkeys(rules.id for rules in self.rules))

    @property
    def in_hands(self) -> bool:
        """Whether its rounds are hands of a set."""
        return all(rules.in_sets for rules in self.rules)


def sides_of(progress: GameProgress) -> Iterator[PersonGame]:
    """A game for each of its sides."""
    for at, side in enumerate(progress.game.sides):
        yield PersonGame(side.name, progress.over and at in progress.winners, progress.sums[at])


def people_of(progress: GameProgress) -> Iterator[PersonGame]:
    """A game for each of its people; a seat that nobody was named for is no person."""
    floater = progress.floater
    named = [[name for name in side.players if not is_placeholder(name)] for side in progress.game.sides]
    floats = any(floater in players for players in named)
    sides = {number: progress.floater_side(number) for number in progress.results} if floats else {}
    with_floater = {}
    for at, players in enumerate(named):
        points = [progress.points[number][at] for number, side in sides.items() if side == at]
        with_floater[at] = len(points), sum(points)
        others = {name for other, names in enumerate(named) if other != at for name in names} - {floater}
        for name in (one for one in players if one != floater):
            sums = progress.sums[at]
            partners = {one: (sums.count, sums.points) for one in players if one not in (name, floater)}
            if floats and points:
                partners[str(floater)] = with_floater[at]
            against = frozenset(others | ({str(floater)} if len(points) < len(sides) else set()))
            yield PersonGame(name, progress.over and at in progress.winners, sums, partners, against)
    if floats:
        rounds = {number: progress.results[number][side] for number, side in sides.items() if side is not None}
        mates = {name: with_floater[at] for at, players in enumerate(named) for name in players if name != floater}
        partners = {name: together for name, together in mates.items() if together[0]}
        apart = frozenset(name for name, together in mates.items() if together[0] < len(rounds))
        yield PersonGame(str(floater), progress.floater_won, side_sums(rounds), partners, apart)
