"""What a table is told when it is done: what each side has, and where everybody goes next."""

from __future__ import annotations

from dataclasses import dataclass

from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.translation import _


@dataclass(frozen=True, slots=True)
class GoesOn:
    """Where a team or person goes after a stage, in a sentence; ``table`` is the next table, None for none yet."""

    name: str
    sentence: str
    table: int | None = None


def stage_at(evening: Evening, table: int) -> int | None:
    """The newest announced stage in which a table has a game; None where it has none in the newest one of all."""
    newest = evening.playing
    return newest.number if newest and (newest.number, table) in evening.games else None


def last_stage_at(evening: Evening, table: int) -> int | None:
    """The newest stage before the one that is played in which a table had a game; None where there is none."""
    now = evening.playing.number if evening.playing else 0
    return max((stage for stage, number in evening.games if number == table and stage < now), default=None)


def where_next(evening: Evening, stage: int, table: int) -> list[GoesOn]:
    """Where those who sat at a table in a stage go after it."""
    sides = evening.stage(stage).released[table - 1]
    return [_goes(evening, stage, name) for side in sides for name in side]


def where_now(evening: Evening, name: str) -> GoesOn:
    """Where somebody sits now or, once their table is done, goes next."""
    newest = evening.playing.number if evening.playing else 0
    if not newest and name not in evening.gone:
        return GoesOn(name, _("%(name)s: please wait until the tables are announced.", name=name))
    table = evening.table_of(name, newest) if newest else None
    if table is not None:
        all_agreed = len(evening.results.get((newest, table), ())) >= evening.rounds
        done = all_agreed or bool(evening.left_during(newest, table))
    else:
        done = newest > 0 and name in evening.stage(newest).released_out and evening.is_played(newest)
    return _goes(evening, newest if done else newest - 1, name)


def _goes(evening: Evening, stage: int, name: str) -> GoesOn:
    teams, following = evening.is_teams, stage + 1
    values = {"name": name, "number": following}
    if name in evening.gone:
        return GoesOn(name, _("%(name)s went home.", name=name))
    if stage == len(evening.stages):
        last = _("%(name)s: that was the last game. Thank you for playing.", name=name)
        return GoesOn(name, last if teams else _("%(name)s: that was the last set. Thank you for playing.", name=name))
    if not evening.stage(following).released:
        wait = _("%(name)s: please wait until the tables of game %(number)s are announced.", **values)
        of_set = _("%(name)s: please wait until the tables of set %(number)s are announced.", **values)
        return GoesOn(name, wait if teams else of_set)
    if (table := evening.table_of(name, following)) is not None:
        go = _("%(name)s: go to table %(table)s for game %(number)s.", table=table, **values)
        to_set = _("%(name)s: go to table %(table)s for set %(number)s.", table=table, **values)
        return GoesOn(name, go if teams else to_set, table)
    if name in evening.stage(following).released_out:
        rest = _("%(name)s: you sit out game %(number)s.", **values)
        rest = rest if teams else _("%(name)s: you sit out set %(number)s.", **values)
        return GoesOn(name, f"{rest} {format_of(evening).out_reason(following, name)}")
    return GoesOn(name, _absent(evening, following, name))


def _absent(evening: Evening, stage: int, name: str) -> str:
    """What is said to somebody who neither sits nor sits out in an announced stage: out by the cut, or come late."""
    if evening.is_teams:
        late = _("%(name)s: you get a place as soon as there is a team to play against.", name=name)
        out = _(
            "%(name)s: you do not play game %(number)s. Your score stays in the standings.", name=name, number=stage
        )
        return late if stage == 1 else out
    if stage < len(evening.stages):
        return _("%(name)s: you come in with the next set. The sets before it count nothing for you.", name=name)
    return _("%(name)s: you do not play set %(number)s. Your score stays in the standings.", name=name, number=stage)
