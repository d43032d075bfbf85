"""Scores that were corrected after they were agreed: what each was before and after."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from scorer.rules import RuleSet, rules_from_text
from webui.events.evening import Evening
from webui.games.results.round_results import round_result
from webui.storage.events.event_store import AgreedSheet
from webui.storage.store import Store


@dataclass(frozen=True, slots=True)
class Correction:
    """A round whose points changed with a later agreement: the sides' names, their points before and after, when."""

    stage: int
    table: int
    round: int
    names: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    made_at: str


def corrections(store: Store, evening: Evening) -> list[Correction]:
    """All corrections of agreed scores of an event, newest first."""
    by_round: dict[tuple[int, int, int], list[AgreedSheet]] = {}
    for sheet in store.events.agreed_again(evening.record.id):
        by_round.setdefault((sheet.stage, sheet.table, sheet.round), []).append(sheet)
    found = [one for sheets in by_round.values() for one in _changes(evening, sheets)]
    return sorted(found, key=lambda one: one.made_at, reverse=True)


def _changes(evening: Evening, sheets: list[AgreedSheet]) -> Iterable[Correction]:
    game = evening.games.get((sheets[0].stage, sheets[0].table))
    if game is None:
        return
    names = tuple(side.name for side in game.sides)
    for earlier, later in pairwise(sheets):
        before, after = (_points(one, evening.rules) for one in (earlier, later))
        if before != after:
            yield Correction(later.stage, later.table, later.round, names, before, after, later.agreed_at)


def _points(sheet: AgreedSheet, rules: RuleSet) -> tuple[int, ...]:
    own = rules if sheet.rules is None else rules_from_text(sheet.rules.text)
    return tuple(side.points for side in round_result(json.dumps(sheet.sheet), own))
