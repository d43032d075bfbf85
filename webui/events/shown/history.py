"""The history of an event: each fact as one sentence, newest first."""

from __future__ import annotations

from dataclasses import dataclass

from webui.storage.events.facts import (
    Break,
    Confirm,
    Draft,
    Enter,
    EventRecord,
    Fact,
    Help,
    Leave,
    Names,
    Order,
    PlaysOn,
    Release,
    State,
    Swap,
    Undo,
    Winner,
)
from webui.wording import listed

_STATES = {"finished": "The evening was ended.", "removed": "The evening was removed.", None: "The evening goes on."}


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


def told(fact: Fact, record: EventRecord, facts: dict[int, Fact]) -> str:
    """One fact as a sentence; ``facts`` are all of the event by their numbers."""
    word = "game" if record.setup.format == "teams" else "set"
    match fact:
        case Enter(name=name, group=group):
            return f"{name}{f' ({group})' if group else ''} takes part."
        case Leave(name=name):
            return f"{name} went home."
        case Draft(stage=stage, seed=seed):
            return f"{word.capitalize()} {stage} was drawn with the number {seed}."
        case Swap(stage=stage, one=one, two=two):
            return f"{one} and {two} changed places in {word} {stage} by hand."
        case Confirm(stage=stage):
            return f"The draw of {word} {stage} was confirmed."
        case Release(stage=stage):
            return f"The tables of {word} {stage} were announced."
        case Names(stage=stage, table=table):
            return f"Table {table} confirmed the names for {word} {stage}."
        case Help(table=table, wanted=wanted):
            return f"Table {table} called for help." if wanted else f"Table {table} needs no help any more."
        case PlaysOn(stage=stage, names=names):
            return f"{listed(names)} play {word} {stage}, as was decided."
        case Undo(number=number):
            return (
                f"Taken back: {told(facts[number], record, facts)}" if number in facts else "Something was taken back."
            )
        case _:
            return _told_else(fact, word)


def _told_else(fact: Fact, word: str) -> str:
    match fact:
        case Winner(stage=stage, table=table, side=side):
            return f"The tie of {word} {stage} at table {table} was decided for side {side + 1}."
        case Order(names=names):
            return f"The tie was decided in this order: {', '.join(names)}."
        case Break(until=until):
            return "A break began." if until else "The break ended."
        case State(state=state):
            return _STATES[state]
        case _:
            return "Something was changed."
