"""The history of an event: each fact as one sentence, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webui.events.evening import HAT, Evening
from webui.storage.events.facts import (
    Adjust,
    Break,
    CheckIn,
    Clock,
    Draft,
    Enter,
    Fact,
    FactRecord,
    Help,
    Leave,
    Order,
    Release,
    Rename,
    State,
    Substitute,
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
_SENTENCES = {
    "enter": N_("Entered: %(name)s."),
    "enter-group": N_("Entered: %(name)s (%(group)s)."),
    "rename": N_("%(name)s is called %(to)s."),
    "rename-players": N_("%(name)s: the players are %(players)s."),
    "rename-nothing": N_("%(name)s was changed in the list."),
    "substitute": N_("%(by)s plays for %(player)s from %(stage)s, %(round)s on."),
    "leave": N_("%(name)s went home."),
    "leave-list": N_("Taken off the list: %(name)s."),
    "help": N_("Table %(table)s called for help."),
    "help-over": N_("Table %(table)s doesn’t need help anymore."),
    "order": N_("The tie was decided in this order: %(names)s."),
    "adjust": N_("%(name)s: %(points)s points in %(stage)s (%(reason)s)."),
    "break": N_("A break began."),
    "break-over": N_("The break ended."),
    "clock": N_("The clock was started, to %(time)s."),
    "clock-over": N_("The clock was stopped."),
    "check-in": N_("Checked in: %(name)s."),
    "check-in-over": N_("Not here after all: %(name)s."),
    "draft": N_("The tables of %(stage)s were drawn with the number %(seed)s."),
    "draft-hat": N_("The tables of %(stage)s were drawn by numbers from a hat."),
    "swap": N_("%(one)s and %(two)s changed places in %(stage)s by hand."),
    "confirm": N_("The draw of %(stage)s was confirmed."),
    "release": N_("The tables of %(stage)s were announced."),
    "names": N_("Table %(table)s confirmed the names for %(stage)s."),
    "plays-on": N_("%(names)s play %(stage)s, as was decided."),
    "winner": N_("The tie of %(stage)s at table %(table)s was decided for side %(side)s."),
}
"""What is told of each kind of fact."""


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


def history(evening: Evening) -> list[HistoryLine]:
    """All facts of an event in words, newest first."""
    record = evening.record
    facts = {one.number: one.fact for one in record.facts}
    undone = {one.fact.number for one in record.facts if isinstance(one.fact, Undo)}
    return [
        HistoryLine(one.number, one.made_at, one.who, told(one.fact, evening, facts), one.number in undone)
        for one in reversed(record.facts)
    ]


def step_told(step: Sequence[FactRecord], evening: Evening) -> str:
    """What one form recorded, which is taken back together, in a sentence with each name; empty for no step."""
    facts = {one.number: one.fact for one in evening.record.facts}
    names = [one.fact.name for one in step if isinstance(one.fact, Enter)]
    if len(names) < len(step) or len(names) <= 1:
        return " ".join(told(one.fact, evening, facts) for one in step)
    rest = len(names) - _MOST_NAMES
    shown = names if rest <= 1 else [*names[:_MOST_NAMES], ngettext("%(num)s more", "%(num)s more", rest)]
    if evening.is_teams:
        return ngettext(
            "%(num)s team was added: %(names)s.",
            "%(num)s teams were added: %(names)s.",
            len(names),
            names=listed(shown),
        )
    return ngettext(
        "%(num)s person was added: %(names)s.", "%(num)s people were added: %(names)s.", len(names), names=listed(shown)
    )


def told(fact: Fact, evening: Evening, facts: dict[int, Fact]) -> str:
    """One fact as a sentence; ``facts`` are all of the event by their numbers."""
    if isinstance(fact, State):
        return _(_STATES[fact.state])
    if isinstance(fact, Undo):
        if fact.number not in facts:
            return _("Something was taken back.")
        return _("Taken back: %(change)s", change=told(facts[fact.number], evening, facts))
    return _(_SENTENCES[_variant(fact, facts)], **_values(fact, evening))


def _variant(fact: Fact, facts: dict[int, Fact]) -> str:
    """What kind of a fact it is, as in ``_SENTENCES``."""
    match fact:
        case Enter(group=str()):
            return "enter-group"
        case Rename(name=name, to=to) if name == to:
            return "rename-players" if fact.players else "rename-nothing"
        case Leave():
            number = next(number for number, one in facts.items() if one is fact)
            played = any(isinstance(one, Release) for at, one in facts.items() if at < number)
            return "leave" if played else "leave-list"
        case Draft(seed=seed) if seed == HAT:
            return "draft-hat"
        case Help(wanted=False) | Break(until=None) | Clock(ends=None) | CheckIn(here=False):
            return f"{fact.op}-over"
    return fact.op


def _values(fact: Fact, evening: Evening) -> dict[str, object]:
    """What a sentence may tell of a fact."""
    values = fact.model_dump()
    for key in ("names", "players"):
        if values.get(key):
            values[key] = listed(values[key])
    if number := values.get("stage"):
        values["stage"] = evening.stage_name(number)
    match fact:
        case Substitute(round=round):
            values["round"] = evening.round_name(round)
        case Order(names=names):
            values["names"] = ", ".join(names)
        case Adjust(points=points):
            values["points"] = points_text(points)
        case Clock(ends=str(ends)):
            values["time"] = local_time(ends)
        case Winner(side=side):
            values["side"] = side + 1
    return values
