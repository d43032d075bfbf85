"""The history of an event: each fact as one sentence, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webui.storage.events.facts import (
    Adjust,
    Break,
    CheckIn,
    Clock,
    Confirm,
    Draft,
    Enter,
    EventRecord,
    Fact,
    FactRecord,
    Help,
    Leave,
    Names,
    Order,
    PlaysOn,
    Release,
    Rename,
    State,
    Substitute,
    Swap,
    Undo,
    Winner,
)
from webui.translation import N_, _, ngettext
from webui.wording import listed, local_time, points_text

_STATES = {
    "finished": N_("The evening was ended."),
    "removed": N_("The evening was removed."),
    None: N_("The evening goes on."),
}

_MOST_NAMES = 20
"""So many are named of those who were added together: a page of them would hide the button beside it."""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One fact in words: its number, when and by whom it was recorded; ``undone`` whether it was taken back."""

    number: int
    made_at: str
    who: str | None
    sentence: str
    undone: bool


def history(record: EventRecord) -> list[HistoryLine]:
    """All facts of an event in words, newest first."""
    facts = {one.number: one.fact for one in record.facts}
    undone = {one.fact.number for one in record.facts if isinstance(one.fact, Undo)}
    return [
        HistoryLine(one.number, one.made_at, one.who, told(one.fact, record, facts), one.number in undone)
        for one in reversed(record.facts)
    ]


def step_told(step: Sequence[FactRecord], record: EventRecord) -> str:
    """What one form recorded, which is taken back together, in a sentence with each name; empty for no step."""
    facts = {one.number: one.fact for one in record.facts}
    names = [one.fact.name for one in step if isinstance(one.fact, Enter)]
    if len(names) < len(step) or len(names) <= 1:
        return " ".join(told(one.fact, record, facts) for one in step)
    rest = len(names) - _MOST_NAMES
    shown = names if rest <= 1 else [*names[:_MOST_NAMES], ngettext("%(num)s more", "%(num)s more", rest)]
    if record.setup.format == "teams":
        return ngettext(
            "%(num)s team was added: %(names)s.",
            "%(num)s teams were added: %(names)s.",
            len(names),
            names=listed(shown),
        )
    return ngettext(
        "%(num)s person was added: %(names)s.", "%(num)s people were added: %(names)s.", len(names), names=listed(shown)
    )


def told(fact: Fact, record: EventRecord, facts: dict[int, Fact]) -> str:
    """One fact as a sentence; ``facts`` are all of the event by their numbers."""
    teams = record.setup.format == "teams"
    match fact:
        case Enter(name=name, group=group):
            if group:
                return _("%(name)s (%(group)s) takes part.", name=name, group=group)
            return _("%(name)s takes part.", name=name)
        case Rename(name=name, to=to, players=players) if name == to:
            if not players:
                return _("%(name)s was changed in the list.", name=name)
            return _("%(name)s: the players are %(players)s.", name=name, players=listed(players))
        case Rename(name=name, to=to):
            return _("%(name)s is called %(to)s.", name=name, to=to)
        case Substitute(player=player, by=by, stage=stage, round=round):
            values = {"by": by, "player": player, "number": stage, "round": round}
            if teams:
                return _("%(by)s plays for %(player)s from game %(number)s, round %(round)s on.", **values)
            return _("%(by)s plays for %(player)s from set %(number)s, hand %(round)s on.", **values)
        case Leave(name=name):
            number = next(number for number, one in facts.items() if one is fact)
            if any(isinstance(one, Release) for at, one in facts.items() if at < number):
                return _("%(name)s went home.", name=name)
            return _("%(name)s was taken off the list.", name=name)
        case Help(table=table, wanted=True):
            return _("Table %(table)s called for help.", table=table)
        case Help(table=table):
            return _("Table %(table)s needs no help any more.", table=table)
        case Order(names=names):
            return _("The tie was decided in this order: %(names)s.", names=", ".join(names))
        case Adjust(name=name, points=points, reason=reason, stage=stage):
            values = {"name": name, "points": points_text(points), "reason": reason, "number": stage}
            if teams:
                return _("%(name)s: %(points)s points in game %(number)s (%(reason)s).", **values)
            return _("%(name)s: %(points)s points in set %(number)s (%(reason)s).", **values)
        case Break(until=until):
            return _("A break began.") if until else _("The break ended.")
        case Clock(ends=ends):
            return (
                _("The clock was started, to %(time)s.", time=local_time(ends)) if ends else _("The clock was stopped.")
            )
        case CheckIn(name=name, here=here):
            return _("%(name)s is here.", name=name) if here else _("%(name)s is not here after all.", name=name)
        case State(state=state):
            return _(_STATES[state])
        case Undo(number=number):
            if number not in facts:
                return _("Something was taken back.")
            return _("Taken back: %(change)s", change=told(facts[number], record, facts))
        case _fact:
            return _of_game(_fact) if teams else _of_set(_fact)


def _of_game(fact: Fact) -> str:
    """What happened to a game of teams."""
    match fact:
        case Draft(stage=stage, seed=seed):
            return _("Game %(number)s was drawn with the number %(seed)s.", number=stage, seed=seed)
        case Swap(stage=stage, one=one, two=two):
            values = {"one": one, "two": two, "number": stage}
            return _("%(one)s and %(two)s changed places in game %(number)s by hand.", **values)
        case Confirm(stage=stage):
            return _("The draw of game %(number)s was confirmed.", number=stage)
        case Release(stage=stage):
            return _("The tables of game %(number)s were announced.", number=stage)
        case Names(stage=stage, table=table):
            return _("Table %(table)s confirmed the names for game %(number)s.", table=table, number=stage)
        case PlaysOn(stage=stage, names=names):
            return _("%(names)s play game %(number)s, as was decided.", names=listed(names), number=stage)
        case Winner(stage=stage, table=table, side=side):
            values = {"table": table, "number": stage, "side": side + 1}
            return _("The tie of game %(number)s at table %(table)s was decided for side %(side)s.", **values)
        case _other:
            return _("Something was changed.")


def _of_set(fact: Fact) -> str:
    """What happened to a set of moving partners."""
    match fact:
        case Draft(stage=stage, seed=seed):
            return _("Set %(number)s was drawn with the number %(seed)s.", number=stage, seed=seed)
        case Swap(stage=stage, one=one, two=two):
            values = {"one": one, "two": two, "number": stage}
            return _("%(one)s and %(two)s changed places in set %(number)s by hand.", **values)
        case Confirm(stage=stage):
            return _("The draw of set %(number)s was confirmed.", number=stage)
        case Release(stage=stage):
            return _("The tables of set %(number)s were announced.", number=stage)
        case Names(stage=stage, table=table):
            return _("Table %(table)s confirmed the names for set %(number)s.", table=table, number=stage)
        case Winner(stage=stage, table=table, side=side):
            values = {"table": table, "number": stage, "side": side + 1}
            return _("The tie of set %(number)s at table %(table)s was decided for side %(side)s.", **values)
        case _other:
            return _("Something was changed.")
