"""Undo: the newest step of whoever runs an event, and what is taken back with it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from webui.events.entry.roster import renamed_games
from webui.events.evening import Evening
from webui.events.fold import effective, fold
from webui.events.ranking import RefusedError
from webui.events.stored import step
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import CheckIn, EventRecord, Fact, FactRecord, Help, Names, Undo
from webui.storage.records import GameRecord
from webui.translation import _

_SILENT = (Names, Help, CheckIn)
"""What tables say for themselves, and who is here; the coordinator's Undo passes over it."""


def last_step(record: EventRecord) -> tuple[FactRecord, ...]:
    """The newest step of the coordinator that counts: what one form recorded, oldest first; empty where there is none.

    What tables say for themselves is passed over.
    """
    steps = [one for one in effective(record.facts) if not isinstance(one.fact, _SILENT)]
    return tuple(one for one in steps if one.made_at == steps[-1].made_at)


def offered_step(evening: Evening) -> tuple[FactRecord, ...]:
    """``last_step`` of an event, where Undo takes it back; empty where a table of it has begun to score."""
    newest = last_step(evening.record)
    return newest if newest and not _begun(evening, _without(evening, newest)) else ()


@step
def undo(evening: Evening, number: int) -> Outcome:
    """Takes back the newest step; ``number`` is that of its last fact. Games that are announced no more are removed,
    and names that were confirmed for them count no more.

    A table that has begun to score keeps its place, but for that of a rehearsal, whose steps are there to be tried.
    """
    newest = last_step(evening.record)
    if not newest or newest[-1].number != number:
        raise RefusedError(_("Something else was done since then. Look at it again."))
    before = _without(evening, newest)
    gone = _games_gone(evening, before)
    if begun := _begun(evening, before):
        raise RefusedError(
            _("Table %(number)s has begun to score, so its place cannot be taken back.", number=begun[0])
        )
    said = [one for one in effective(evening.record.facts) if _is_of(one.fact, gone)]
    taken_back = tuple(Undo(number=one.number) for one in reversed((*newest, *said)))
    removed = tuple(game.id for game in gone.values())
    renamed = {at: columns for at, columns in renamed_games(evening, before).items() if at not in removed}
    return Outcome(taken_back, removed=removed, changed=renamed)


def _without(evening: Evening, steps: tuple[FactRecord, ...]) -> Evening:
    undone = {one.number for one in steps}
    facts = tuple(one for one in evening.record.facts if one.number not in undone)
    return fold(replace(evening.record, facts=facts), evening.games.values())


def _games_gone(evening: Evening, before: Evening) -> dict[tuple[int, int], GameRecord]:
    """The games of an event that have no table in it as it was before, by stage and table."""
    games = evening.games.items()
    return {(stage, table): game for (stage, table), game in games if table > len(before.stage(stage).released)}


def _begun(evening: Evening, before: Evening) -> list[int]:
    """The tables that would lose their place and have begun to score, which those of a rehearsal may."""
    gone = {} if evening.record.setup.rehearsal else _games_gone(evening, before)
    return sorted(table for (_stage, table), game in gone.items() if game.rounds)


def _is_of(fact: Fact, places: Container[tuple[int, int]]) -> bool:
    """Whether the people of a table confirmed their names for one of these stages and tables."""
    return isinstance(fact, Names) and (fact.stage, fact.table) in places
