"""One event of an archive as a pydantic model; its games are checked as all others are."""

from __future__ import annotations

import json
import sqlite3

from pydantic import Field, ValidationError, model_validator

from scorer.data import Frozen
from webui.storage.backup.checks.values import Id, Name, RulesId, Stamp, Word
from webui.storage.events.facts import Fact, Setup

_MOST_FACTS = 20_000
"""The most facts of an event; one of a hundred tables has some thousand."""


class ArchivedFact(Frozen):
    """A row of ``event_facts``."""

    id: Id
    number: int = Field(strict=True, ge=1, le=10**6)
    fact: Fact
    made_at: Stamp
    who: Name | None


class ArchivedEvent(Frozen):
    """A row of ``events`` with its facts."""

    id: Id
    created_at: Stamp
    mark: Word
    name: Name
    rules: RulesId
    setup: Setup
    facts: tuple[ArchivedFact, ...] = Field(max_length=_MOST_FACTS)

    @model_validator(mode="after")
    def _facts_are_numbered(self) -> ArchivedEvent:
        if [fact.number for fact in self.facts] != list(range(1, len(self.facts) + 1)):
            raise ValueError("expected facts numbered from 1 on, got others")
        return self


def remove_invalid_events(new: sqlite3.Connection) -> None:
    """Removes the events of a copy that are not valid, and what belongs to none; their games stay as ordinary ones."""
    for row in new.execute("SELECT * FROM events ORDER BY id").fetchall():
        event = dict(row)
        facts = new.execute(
            "SELECT id, number, fact, made_at, who FROM event_facts WHERE event_id = ? ORDER BY number LIMIT ?",
            (event["id"], _MOST_FACTS + 1),
        )
        try:
            event["setup"] = json.loads(event["setup"])
            event["facts"] = [{**dict(fact), "fact": json.loads(fact["fact"])} for fact in facts]
            ArchivedEvent.model_validate(event)
        except (ValidationError, ValueError, TypeError, RecursionError):
            new.execute("DELETE FROM events WHERE id = ?", (row["id"],))
    new.execute("DELETE FROM event_facts WHERE event_id NOT IN (SELECT id FROM events)")
    new.execute(
        "UPDATE games SET event_id = NULL, event_stage = NULL, event_table = NULL "
        "WHERE event_id NOT IN (SELECT id FROM events)"
    )
