"""An event as it stands, worked out of its facts and the agreed rounds of its games by ``fold``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from scorer.events.event import AT_A_TABLE
from scorer.rules import RuleSet
from webui.games.progress import GameProgress, listed_game
from webui.storage.clock import now
from webui.storage.events.facts import Adjust, Clock, EventRecord, Substitute, Swap, TableSides
from webui.storage.records import GameRecord
from webui.translation import _

HAT = "hat"
"""The seed of a draw whose numbers were drawn from a hat."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team with its players, or a person with the group they are ranked in.

    ``players`` are those who play now; of a person empty, unless a substitute plays. ``substitutes`` as they came.
    """

    name: str
    players: tuple[str, ...] = ()
    group: str | None = None
    is_team: bool = True
    substitutes: tuple[Substitute, ...] = ()

    @property
    def now(self) -> tuple[str, ...]:
        """The people who play now; empty for a team without names of its players."""
        return self.players or (() if self.is_team else (self.name,))

    def seated(self, stage: int, round: int | None = None, counted: bool = False) -> tuple[str, ...]:
        """The people who play a round, the last one of a stage if none is given; or for whom totals count it."""
        people = self.now
        for one in reversed(self.substitutes):
            begins = stage < one.stage if round is None else (stage, round) < (one.stage, one.round)
            if begins or (counted and not one.counts):
                people = tuple(one.player if name == one.by else name for name in people)
        return people

    @property
    def everybody(self) -> tuple[str, ...]:
        """Everybody who ever played for it."""
        return tuple(dict.fromkeys((*self.now, *(name for one in self.substitutes for name in (one.player, one.by)))))


@dataclass(slots=True)
class Stage:
    """A game of teams, or a set of moving partners.

    ``status`` is ``none`` before its draw, then ``draft``, ``confirmed``, ``released``. ``tables`` and ``out`` are the
    draw as it is now, with changes by hand; ``released`` is the one that was announced last, by which people sit.
    """

    number: int
    status: str = "none"
    seed: str = ""
    draft: int = 0
    tables: tuple[TableSides, ...] = ()
    out: tuple[str, ...] = ()
    swaps: list[Swap] = field(default_factory=list)
    released: tuple[TableSides, ...] = ()
    released_out: tuple[str, ...] = ()

    @property
    def by_hand(self) -> frozenset[str]:
        """Those who changed places in the draw."""
        return frozenset(name for swap in self.swaps for name in (swap.one, swap.two))

    @property
    def announced(self) -> frozenset[str]:
        """Everyone in the draw that was announced last, those who sit out included."""
        return frozenset((*(name for *_seat, name in seats_of(self.released)), *self.released_out))

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone in the draw as it is now, those who sit out included."""
        return (*(name for sides in self.tables for side in sides for name in side), *self.out)


@dataclass
class Evening:
    """An event as it stands.

    ``games`` are those of its tables by stage and table; both count from 1. Who was taken off before they ever had a
    place is not among the ``entrants``. ``gone`` are those who went home, with the first stage that they do not finish,
    ``done`` such of them as had nothing more to play. ``adjusted`` are penalties and extra points by the number of
    their fact. ``here`` are those who were checked in. ``until`` is when a break ends. ``version`` grows with each
    change.
    """

    record: EventRecord
    rules: RuleSet
    games: dict[tuple[int, int], GameRecord]
    stages: tuple[Stage, ...]
    entrants: dict[str, Entrant] = field(default_factory=dict)
    gone: dict[str, int] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    plays_on: dict[int, tuple[str, ...]] = field(default_factory=dict)
    winners: dict[tuple[int, int], int] = field(default_factory=dict)
    adjusted: dict[int, Adjust] = field(default_factory=dict)
    orders: list[tuple[str, ...]] = field(default_factory=list)
    names_said: set[tuple[int, int]] = field(default_factory=set)
    calls: set[int] = field(default_factory=set)
    here: set[str] = field(default_factory=set)
    until: str | None = None
    clock: Clock | None = None
    state: str | None = None
    version: int = 0

    @property
    def is_teams(self) -> bool:
        """Whether teams stay together, instead of partners who move."""
        return self.record.setup.format == "teams"

    @property
    def stage_word(self) -> str:
        """What people call a stage."""
        return "game" if self.is_teams else "set"

    @property
    def round_word(self) -> str:
        """What people call a round of a stage."""
        return "round" if self.is_teams else "hand"

    def stage_name(self, number: int) -> str:
        """What people call one of the stages: ``game 1``, ``set 1``."""
        return _("game %(number)s", number=number) if self.is_teams else _("set %(number)s", number=number)

    def round_name(self, number: object) -> str:
        """What people call a round of a stage, or several of them: ``round 3``, ``hand 1 and 2``."""
        return _("round %(number)s", number=number) if self.is_teams else _("hand %(number)s", number=number)

    @property
    def rounds(self) -> int:
        """The rounds that a table plays in one stage."""
        return self.rules.rounds.for_players(AT_A_TABLE)

    @property
    def current(self) -> Stage:
        """The newest stage with a draw; the first one before any."""
        return next((stage for stage in reversed(self.stages) if stage.status != "none"), self.stages[0])

    @property
    def playing(self) -> Stage | None:
        """The newest stage that was announced; None before the first."""
        return next((stage for stage in reversed(self.stages) if stage.released), None)

    def stage(self, number: int) -> Stage:
        """The stage of this number, which there has to be."""
        return self.stages[number - 1]

    @cached_property
    def seated(self) -> frozenset[str]:
        """Everybody who had a place in a draw that was announced, those who sat out included."""
        return frozenset().union(*(stage.announced for stage in self.stages))

    @cached_property
    def present(self) -> tuple[str, ...]:
        """Everybody who has not gone home, in the order in which they were entered."""
        return tuple(name for name in self.entrants if name not in self.gone)

    @cached_property
    def not_here(self) -> tuple[str, ...]:
        """Those of ``present`` who were not checked in."""
        return tuple(name for name in self.present if name not in self.here)

    def left_early(self, name: str) -> bool:
        """Whether somebody went home while they still had something to play."""
        return self.gone.get(name, len(self.stages) + 1) <= len(self.stages) and name not in self.done

    def adjusted_by(self, name: str) -> int:
        """Somebody's penalties and extra points together."""
        return sum(one.points for one in self.adjusted.values() if one.name == name)

    @property
    def clock_left(self) -> int:
        """The seconds that are left on the round clock; 0 where it has ended or there is none."""
        if self.clock is None or self.clock.ends is None:
            return 0
        return max(0, round((datetime.fromisoformat(self.clock.ends) - now()).total_seconds()))

    @cached_property
    def progress(self) -> dict[tuple[int, int], GameProgress]:
        """The progress of each game that can be scored, by stage and table, without rounds beyond those of a stage."""
        found = {place: listed_game(game).progress for place, game in self.games.items()}
        return {
            place: replace(of, results={at: sides for at, sides in of.results.items() if at <= self.rounds})
            for place, of in found.items()
            if of is not None
        }

    @cached_property
    def results(self) -> dict[tuple[int, int], dict[int, tuple[int, int]]]:
        """The points of the agreed rounds: by stage and table, then by the round's number, one for each side."""
        return {
            place: {number: (of[0], of[1]) for number, of in self.progress[place].points.items()}
            if place in self.progress
            else {}
            for place in self.games
        }

    @property
    def is_over(self) -> bool:
        """Whether the prizes are known: every table of the last stage is done, or the evening was ended before."""
        return self.state == "finished" or self.is_played(len(self.stages))

    def is_played(self, stage: int) -> bool:
        """Whether every round of every table of a released stage is agreed; tables where somebody left do not count."""
        tables = self.stage(stage).released
        waited_for = [number for number in range(1, len(tables) + 1) if not self.left_during(stage, number)]
        return bool(tables) and all(len(self.results.get((stage, one), ())) == self.rounds for one in waited_for)

    def left_during(self, stage: int, table: int) -> tuple[str, ...]:
        """Who of a table of a released stage went home before they had finished it."""
        seated = (name for side in self.stage(stage).released[table - 1] for name in side)
        return tuple(name for name in seated if self.gone.get(name, stage + 1) <= stage)

    def counted_for(self, stage: int, table: int, round: int) -> tuple[tuple[str, ...], ...]:
        """For whom totals count a round of a table of a released stage: the people of each side."""
        return tuple(
            tuple(player for name in side for player in self.entrants[name].seated(stage, round, counted=True))
            for side in self.stage(stage).released[table - 1]
        )

    def rounds_in(self, stage: int) -> tuple[int, int]:
        """How many rounds of a released stage are agreed, of how many; at a table where somebody left no more come."""
        agreed = [len(self.results.get((stage, table), ())) for table, _ in enumerate(self.stage(stage).released, 1)]
        planned = (of if self.left_during(stage, table) else self.rounds for table, of in enumerate(agreed, 1))
        return sum(agreed), sum(planned)

    def table_of(self, name: str, stage: int) -> int | None:
        """The table at which somebody sits in a stage as it was released; None where they sit out or do not play."""
        tables = enumerate(self.stage(stage).released, 1)
        return next((number for number, sides in tables if any(name in side for side in sides)), None)


def seats_of(tables: Iterable[TableSides]) -> Iterator[tuple[int, int, str]]:
    """Everyone at some tables: the table (from 1), the side (0 or 1) and the name."""
    for number, sides in enumerate(tables, 1):
        for side, names in enumerate(sides):
            for name in names:
                yield number, side, name
