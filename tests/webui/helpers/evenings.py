"""Evenings of many tables for tests: played on a store, and counted again without any of the program's own code."""

from __future__ import annotations

from collections.abc import Callable

from tests.webui.helpers.played_games import agree_round
from webui.events.entry.presets import preset
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.ranking import Format
from webui.events.steps import actions, draws
from webui.events.stored import evening_of
from webui.storage.store import Store

SIXTEEN = tuple(f"{chr(65 + at)}a & {chr(65 + at)}o" for at in range(16))


def begin(store: Store, names: tuple[str, ...] = SIXTEEN, key: str = "golden-games", **setup: object) -> int:
    """A new event with its people; ``setup`` changes the preset's. Returns its id."""
    chosen = preset(key)
    event_id = store.events.add("Saturday", chosen.rules, chosen.setup.model_copy(update=setup))
    if names:
        actions.enter(store, event_id, "\n".join(names))
    return event_id


def evening(store: Store, event_id: int) -> Evening:
    found = evening_of(store, event_id)
    assert found is not None
    return found


def played(store: Store, event_id: int) -> Format:
    return format_of(evening(store, event_id))


def seat(store: Store, event_id: int, stage: int, seed: str = "1") -> None:
    """Draws, confirms and announces a stage."""
    draws.draw(store, event_id, stage, seed)
    draft = evening(store, event_id).stage(stage).draft
    draws.confirm(store, event_id, stage, draft)
    draws.release(store, event_id, stage, draft)


def score_round(store: Store, event_id: int, stage: int, table: int, round: int, points: tuple[int, int]) -> None:
    """One round of one table, typed and agreed."""
    game = evening(store, event_id).games[stage, table]
    store.rounds.begin(game.id, round)
    stored = store.game(game.id)
    assert stored is not None
    record = stored.round(round)
    assert record is not None
    sides = [
        {"name": side.name, "typed": {"total": of}, "went_out": place == 0}
        for place, (side, of) in enumerate(zip(stored.sides, points, strict=True))
    ]
    agree_round(store, record.id, {"rules": stored.rules, "round": round, "players": 4, "sides": sides})


def play_stage(store: Store, event_id: int, stage: int, points: Callable[[str, int], int]) -> None:
    """Every table plays every round; ``points`` is given a name (a pair's first) and the round."""
    now = evening(store, event_id)
    for table, sides in enumerate(now.stage(stage).released, 1):
        for round in range(1, now.rounds + 1):
            one, two = (points(side[0], round) for side in sides)
            score_round(store, event_id, stage, table, round, (one, two))
