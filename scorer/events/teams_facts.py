"""What is recorded of an event of fixed teams: the draw, agreed scores, decisions of the coordinator."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.events.standings import Byes, Ties
from scorer.rules.rule_set import RuleSet

SIDES = 2
"""Teams at a table (PLAY 2)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The table number that a team drew for a game (PLAY 4)."""

    game: int
    team: str
    table: int


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A team's points in one round, as both teams at the table agreed on them (PLAY 8)."""

    game: int
    round: int
    team: str
    points: int


@dataclass(frozen=True, slots=True)
class PlaysOn:
    """The teams of a later game, as seated or as decided by the coordinator."""

    game: int
    teams: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SitsOut:
    """A team without an opponent in a game, where the teams are an odd number; it gets the average of each round."""

    game: int
    team: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A team went home: ``game`` is the first one that it does not finish.

    ``done``: it was out by then, so it keeps its place.
    """

    game: int
    team: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """The order of teams with equal totals, as the coordinator decided it."""

    teams: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Points that the coordinator gives a team, or takes from it (below 0); they count in the total after a game."""

    game: int
    team: str
    points: int


Fact = Draw | RoundScore | PlaysOn | SitsOut | Withdrawn | Ranked | Adjusted


@dataclass(frozen=True, slots=True)
class TeamsEvent:
    """An event: rules, teams and all facts in the order they were recorded.

    ``cut`` is how many teams play each later game, None for the better half. ``finalists_only``: the prizes are among
    the teams of the last game, instead of all (PLAY 13). ``ties``: what decides between equal totals. ``byes``: who
    sits out of an odd number.
    """

    rules: RuleSet
    teams: tuple[str, ...]
    facts: tuple[Fact, ...] = ()
    cut: int | None = None
    finalists_only: bool = False
    ties: Ties = "decide"
    byes: Byes = "lot"

    @property
    def games(self) -> int:
        """The number of games."""
        assert self.rules.event is not None and self.rules.event.games is not None
        return self.rules.event.games

    @property
    def rounds(self) -> int:
        """The number of rounds in a game."""
        return self.rules.rounds_for(sum(self.rules.seatings[0].sides) if self.rules.seatings else SIDES * 2)
