"""An event of several tables as it stands, whatever its format: points, averages of those who sit out, standings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random

from scorer.events.standings import Byes, Place, Ties, average, rank

AT_A_TABLE = 4
"""Players at a table."""

Side = tuple[str, ...]
"""One side of a table: a team, or two people."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The draw of a stage: the two sides of each table, table 1 first, and who sits out. Empty before it."""

    tables: tuple[tuple[Side, Side], ...] = ()
    out: tuple[str, ...] = ()

    @property
    def seated(self) -> tuple[str, ...]:
        """Everybody at a table."""
        return tuple(name for sides in self.tables for side in sides for name in side)


@dataclass(frozen=True, slots=True)
class Event:
    """An event: stages are games of ``teams`` that stay together, or sets of people who change partners.

    ``names`` are those who take part, of people with their groups; ``stages`` the seats of each stage; ``rounds`` what
    a table plays in one. ``scores`` are the points of agreed rounds: by stage and table, then by round, one for each
    side. ``gone`` are those who went home, with the first stage that they do not finish, ``done`` such of them as were
    out by then, and so keep their place. ``adjusted`` has the points that somebody was given, or lost, in a stage.

    The coordinator's decisions: ``orders`` of tied names, ``plays_on`` who plays a later game, ``winners`` which side
    (0 or 1) won a tied set at a table. ``ties``: what decides between equal totals. ``byes``: who sits out.

    Of teams: ``cut`` is how many play each later game, None for the better half; ``finalists_only``: the prizes are
    among those of the last game (PLAY 13). Of people: ``top_stays``: the winners of the highest table stay there, and
    its losers move to table 1 in their place.
    """

    teams: bool
    names: Mapping[str, str | None]
    rounds: int
    stages: tuple[Seats, ...]
    prizes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    scores: Mapping[tuple[int, int], Mapping[int, tuple[int, int]]] = field(default_factory=dict)
    gone: Mapping[str, int] = field(default_factory=dict)
    done: Collection[str] = ()
    adjusted: tuple[tuple[str, int, int], ...] = ()
    orders: tuple[tuple[str, ...], ...] = ()
    plays_on: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    winners: Mapping[tuple[int, int], int] = field(default_factory=dict)
    ties: Ties = "decide"
    byes: Byes = "lot"
    cut: int | None = None
    finalists_only: bool = False
    top_stays: bool = False

    def seats(self, stage: int) -> Seats:
        """The seats of a stage (from 1)."""
        return self.stages[stage - 1]

    def gone_by(self, stage: int) -> frozenset[str]:
        """Who went home before the end of a stage."""
        return frozenset(name for name, first in self.gone.items() if first <= stage)


def resting(event: Event, stage: int) -> frozenset[str]:
    """Who gets the average of a stage: who sits it out, and teams whose opponents went home during it."""
    away, found = event.gone_by(stage), set(event.seats(stage).out)
    for sides in event.seats(stage).tables if event.teams else ():
        at_table = {*sides[0], *sides[1]}
        found |= at_table if at_table & away else set()
    return frozenset(found - away)


def round_points(event: Event, stage: int) -> dict[str, dict[int, int]]:
    """The points of everybody who plays a stage, by name and round.

    Who has no opponents gets the average of a round, once it is known at all tables from which nobody went home.
    """
    away, whole = event.gone_by(stage), list[Mapping[int, tuple[int, int]]]()
    found: dict[str, dict[int, int]] = {}
    for table, sides in enumerate(event.seats(stage).tables, 1):
        agreed = event.scores.get((stage, table), {})
        for at, side in enumerate(sides):
            found |= {name: {round: points[at] for round, points in agreed.items()} for name in side}
        if away.isdisjoint((*sides[0], *sides[1])):
            whole.append(agreed)
    alone = resting(event, stage)
    for round in range(1, event.rounds + 1):
        if whole and all(round in agreed for agreed in whole):
            mean = average([points for agreed in whole for points in agreed[round]])
            for name in alone:
                found.setdefault(name, {}).setdefault(round, mean)
    return found


def stage_points(event: Event, stage: int) -> dict[str, int]:
    """What everybody who plays a stage has of it; of teams those alone that have any."""
    found = round_points(event, stage).items()
    return {name: sum(points.values()) for name, points in found if points or not event.teams}


def totals(event: Event, until: int | None = None) -> dict[str, int]:
    """Everybody's points of all stages, or up to one, with adjustments; both partners score those of their hands."""
    last, sums = until or len(event.stages), dict.fromkeys(event.names, 0)
    for stage in range(1, last + 1):
        for name, points in stage_points(event, stage).items():
            sums[name] += points
    for name, stage, points in event.adjusted:
        sums[name] += points * (stage <= last)
    return sums


def breaks(event: Event, until: int) -> dict[str, tuple[int, ...]]:
    """What counts between equal totals, one after the other: the last stages, or the best rounds of teams, or the best
    sets of people."""
    if event.ties == "decide":
        return {}
    stages, found = [round_points(event, stage) for stage in range(until, 0, -1)], dict[str, tuple[int, ...]]()
    for name in event.names:
        rounds = [of.get(name, {}).values() for of in stages]
        by_round = event.ties == "best" and event.teams
        values = [points for of in rounds for points in of] if by_round else [sum(of) for of in rounds]
        found[name] = tuple(sorted(values, reverse=True) if event.ties == "best" else values)
    return found


def standings(event: Event, group: str | None = None) -> tuple[Place, ...]:
    """The ranking of all, or of one group; those who went home before they were done are last."""
    last = len(event.stages)
    ranked = {name: of for name, of in totals(event).items() if group in (None, event.names[name])}
    return rank(ranked, event.orders, event.gone_by(last) - {*event.done}, breaks(event, last))


def draw_rest(event: Event, stage: int, names: Collection[str], count: int, random: Random) -> tuple[str, ...]:
    """Says who of some sit out a stage, among those who have done so least: by lot, or the lowest."""
    reached = totals(event, stage - 1) if event.byes == "lowest" and stage > 1 else {}
    rested = [name for before in range(1, stage) for name in resting(event, before)]
    drawn = random.sample(list(names), len(names)) if count else []
    return tuple(sorted(drawn, key=lambda name: (rested.count(name), reached.get(name, 0)))[:count])
