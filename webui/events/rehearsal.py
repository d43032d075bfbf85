"""A rehearsal: an evening of invented people and scores, played to the winners at one press. It counts nowhere."""

from __future__ import annotations

from random import Random

from scorer.sheets import TypedSide
from webui.corrections.answers import set_typed, set_went_out
from webui.events.entry.presets import Preset
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.ranking import Decision
from webui.events.steps import actions, draws
from webui.events.stored import evening_of
from webui.rounds.agreement import agree_to_sheet
from webui.rounds.round_view import view_round
from webui.storage.events.facts import Enter
from webui.storage.store import Store

_WOMEN = tuple("Ada Bea Cora Dot Edna Fay Gail Hope Ida June Kay Lou Mae Nell Opal Pearl".split())  # noqa: SIM905
_MEN = tuple("Abe Burt Cal Dean Earl Fred Gus Hank Ike Jack Ken Lee Mel Ned Otis Pete".split())  # noqa: SIM905
_TEAMS, _PEOPLE = 16, 18
_LOWEST, _HIGHEST, _STEP = -400, 3600, 5


def rehearse(store: Store, preset: Preset, seed: str) -> int:
    """Makes an evening of invented people and plays it to its winners.

    Args:
        store: the storage.
        preset: how it is played.
        seed: repeats it.

    Returns:
        The id of the event.
    """
    random = Random(seed)
    setup = preset.setup.model_copy(update={"rehearsal": True})
    event_id = store.events.add(preset.name, preset.rules, setup, _invented(setup.format == "teams", setup.groups))
    for stage in range(1, setup.stages + 1):
        _decide(store, event_id)
        draws.draw(store, event_id, stage, f"{random.randrange(10**6):06}")
        draft = _evening(store, event_id).stage(stage).draft
        draws.confirm(store, event_id, stage, draft)
        draws.release(store, event_id, stage, draft)
        _play(store, event_id, stage, random)
    _decide(store, event_id)
    return event_id


def _invented(teams: bool, groups: tuple[str, ...]) -> list[Enter]:
    if teams:
        pairs = list(zip(_WOMEN, _MEN, strict=True))[:_TEAMS]
        return [Enter(name=f"{one} & {two}", players=(one, two)) for one, two in pairs]
    people = [name for pair in zip(_MEN, _WOMEN, strict=True) for name in pair][:_PEOPLE]
    return [Enter(name=name, group=groups[at % len(groups)] if groups else None) for at, name in enumerate(people)]


def _evening(store: Store, event_id: int) -> Evening:
    evening = evening_of(store, event_id)
    assert evening is not None
    return evening


def _play(store: Store, event_id: int, stage: int, random: Random) -> None:
    """Every table types its rounds, and both sides agree."""
    evening = _evening(store, event_id)
    for (number, table), game in evening.games.items():
        if number != stage:
            continue
        actions.say_names(store, event_id, stage, table)
        for round in range(1, evening.rounds + 1):
            store.rounds.begin(game.id, round)
            totals = [random.randrange(_LOWEST, _HIGHEST, _STEP) for _ in game.sides]
            _agree(store, game.id, round, totals)


def _agree(store: Store, game_id: int, number: int, totals: list[int]) -> None:
    game = store.game(game_id)
    record = game.round(number) if game else None
    assert game is not None and record is not None
    out = totals.index(max(totals))

    def told(facts: dict[str, object]) -> dict[str, object]:
        facts = set_went_out(facts, len(totals), out, None)
        for side, total in enumerate(totals):
            facts = set_typed(facts, side, TypedSide(total=total))
        return facts

    store.rounds.change_facts(record.id, told)
    fresh = store.game(game_id)
    begun = fresh.round(number) if fresh else None
    assert fresh is not None and begun is not None
    view = view_round(fresh, begun)
    agree_to_sheet(store, view, range(len(totals)), view.sheet_hash, None)


def _decide(store: Store, event_id: int) -> None:
    """Ties are decided as they come: a rehearsal asks nobody."""
    while asked := [one for one in format_of(_evening(store, event_id)).decisions() if one.kind != "review"]:
        _answer(store, event_id, asked[0])


def _answer(store: Store, event_id: int, one: Decision) -> None:
    if one.kind == "cut":
        count = one.choose or len(one.names) // 4 * 2
        actions.decide_cut(store, event_id, one.stage, one.names[:count])
    elif one.kind == "winner":
        actions.decide_winner(store, event_id, one.stage, one.table, 0)
    else:
        actions.decide_order(store, event_id, one.names)
