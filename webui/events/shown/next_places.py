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
    if name in evening.gone:
        return GoesOn(name, _("%(name)s went home.", name=name))
    if stage == len(evening.stages):
        return GoesOn(name, _("%(name)s: nothing more is played. Thank you for playing.", name=name))
    following = stage + 1
    values = {"name": name, "stage": evening.stage_name(following)}
    if not evening.stage(following).released:
        return GoesOn(name, _("%(name)s: please wait until the tables of %(stage)s are announced.", **values))
    if (table := evening.table_of(name, following)) is not None:
        return GoesOn(name, _("%(name)s: go to table %(table)s for %(stage)s.", table=table, **values), table)
    if name in evening.stage(following).released_out:
        rests = _("%(name)s: you sit out %(stage)s.", **values)
        return GoesOn(name, f"{rests} {format_of(evening).out_reason(following, name)}")
    if evening.is_teams and following == 1:
        return GoesOn(name, _("%(name)s: you get a place as soon as there is a team to play against.", name=name))
    if not evening.is_teams and following < len(evening.stages):
        late = _("%(name)s: you come in with the next set. The sets before it count nothing for you.", name=name)
        return GoesOn(name, late)
    return GoesOn(name, _("%(name)s: you do not play %(stage)s. Your score stays in the standings.", **values))
