"""Events of many tables in the database: facts, the games of tables, private addresses, and copies elsewhere."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.webui.helpers.stored_round import play
from tests.webui.storage.backup.test_import_files import rewrite_tables
from webui.storage.db.audit_log import AUTHOR
from webui.storage.events.event_store import Outcome, TableGame
from webui.storage.events.facts import Confirm, Draft, Enter, EventRecord, Names, Release, Setup, State, Undo, read_fact
from webui.storage.records import EventSeat, SideRecord
from webui.storage.store import Store

SETUP = Setup(format="teams", stages=2, prizes=("gold", "silver"))
TEAMS = (Enter(name="Ann & Bo", players=("Ann", "Bo")), Enter(name="Cy & Di", players=("Cy", "Di")))
DRAFT = Draft(stage=1, seed="7", tables=((("Ann & Bo",), ("Cy & Di",)),))
GAME = TableGame(1, 1, (SideRecord("Ann & Bo", ("Ann", "Bo")), SideRecord("Cy & Di", ("Cy", "Di"))))


def begun(store: Store) -> int:
    """An event whose first game was drawn and released. Returns its id."""
    event_id = store.events.add("Saturday", "golden-games", SETUP, TEAMS)
    store.events.change(event_id, lambda _: Outcome((DRAFT, Confirm(stage=1), Release(stage=1)), (GAME,)))
    return event_id


def found(store: Store, event_id: int) -> EventRecord:
    record = store.events.find(event_id)
    assert record is not None
    return record


def test_every_fact_stays_in_its_order_and_the_tables_have_ordinary_games(store: Store) -> None:
    AUTHOR.set("Grandma")
    event_id = begun(store)
    record = found(store, event_id)
    assert (record.name, record.rules, record.setup) == ("Saturday", "golden-games", SETUP)
    assert [one.fact for one in record.facts] == [*TEAMS, DRAFT, Confirm(stage=1), Release(stage=1)]
    assert [one.number for one in record.facts] == [1, 2, 3, 4, 5]
    assert {one.who for one in record.facts} == {"Grandma"} and all(one.made_at for one in record.facts)
    (game,) = store.event_games(event_id)
    assert game.event == EventSeat(event_id, 1, 1) and (game.rules, game.players) == ("golden-games", 4)
    assert game.sides == GAME.sides and store.game(game.id) == game, "a game as any other"
    assert store.events.game_at(event_id, 1) == game.id and store.events.game_at(event_id, 2) is None
    assert [event.id for event in store.events.all()] == [event_id]


def test_what_is_taken_back_stays_in_the_history(store: Store) -> None:
    event_id = begun(store)
    (game,) = store.event_games(event_id)
    store.events.change(event_id, lambda _: Outcome((Undo(number=5),), removed=(game.id,)))
    assert len(found(store, event_id).facts) == 6
    assert store.event_games(event_id) == [] and store.events.game_at(event_id, 1) is None


def test_an_event_is_over_while_its_last_state_says_so(store: Store) -> None:
    event_id, other = begun(store), begun(store)
    steps = (
        (None, False),
        (State(state="finished"), True),
        (State(state=None), False),
        (State(state="removed"), True),
        (Undo(number=8), False),
        (Undo(number=7), True),
    )
    for fact, over in steps:
        if fact is not None:
            store.events.change(event_id, lambda _, fact=fact: Outcome((fact,)))  # type: ignore[misc]
        assert (store.events.is_over(event_id), store.events.is_over(other)) == (over, False), fact


def test_a_decision_that_is_refused_changes_nothing(store: Store) -> None:
    event_id = begun(store)
    before = found(store, event_id)

    def refuse(record: EventRecord) -> Outcome:
        assert record == before
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.events.change(event_id, refuse)
    assert found(store, event_id) == before


def test_the_version_grows_with_facts_and_with_the_games(store: Store) -> None:
    event_id = begun(store)
    first = store.events.version(event_id)
    store.events.change(event_id, lambda _: Outcome((Names(stage=1, table=1),)))
    second, newest = store.events.version(event_id), store.newest_change()
    store.rounds.begin(store.event_games(event_id)[0].id, 1)
    assert first < second < store.events.version(event_id) and newest < store.newest_change()


def test_a_new_key_of_a_table_ends_the_one_before(store: Store) -> None:
    event_id = begun(store)
    key = store.events.key(event_id, 1)
    assert store.events.key(event_id, 1) == key != store.events.key(event_id, 2) and len(key) >= 20
    assert store.events.table_of(key) == (event_id, 1)
    secret = store.devices.add("a phone", table=(event_id, 1))
    other = store.devices.add("another", table=(event_id, 2))
    new = store.events.new_key(event_id, 1)
    store.devices.remove_from_table(event_id, 1)
    assert store.events.table_of(key) is None and store.events.table_of(new) == (event_id, 1)
    assert store.devices.find(secret) is None and store.devices.is_out(secret)
    kept = store.devices.find(other)
    assert kept is not None and kept.table == (event_id, 2)
    store.devices.move_to_table(kept.id, (event_id, 1))
    moved = store.devices.find(other)
    assert moved is not None and moved.table == (event_id, 1)


def test_who_opens_the_cards_at_the_same_moment_prints_the_same_ones(store: Store) -> None:
    event_id = begun(store)
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: store.events.key(event_id, 1), range(32)))
    assert len(keys) == 1 and store.events.table_of(keys.pop()) == (event_id, 1)


@pytest.mark.parametrize("play_before", [False, True], ids=["an empty list", "a list with games"])
def test_an_export_brings_events_along_but_not_the_ways_in(
    store: Store, elsewhere: Store, tmp_path: Path, play_before: bool
) -> None:
    if play_before:
        play(store)
        begun(store)
    event_id = begun(elsewhere)
    drawn = elsewhere.events.add("Only drawn", "golden-games", SETUP, TEAMS)
    elsewhere.events.key(event_id, 1)
    elsewhere.backups.export(tmp_path / "all.zip")
    store.backups.import_games(tmp_path / "all.zip")
    store.backups.import_games(tmp_path / "all.zip")
    events = {event.name: event for event in store.events.all()}
    assert len(store.events.all()) == 2 + play_before and "Only drawn" in events
    came = next(event for event in store.events.all() if event.created_at == found(elsewhere, event_id).created_at)
    assert came.facts == found(elsewhere, event_id).facts and came.setup == SETUP
    (game,) = store.event_games(came.id)
    assert game.sides == GAME.sides
    assert events["Only drawn"].facts == found(elsewhere, drawn).facts
    fresh = store.events.key(came.id, 1)
    assert fresh != elsewhere.events.key(event_id, 1), "who comes in here is decided here"


def test_an_event_that_is_not_valid_is_left_out_and_its_games_are_ordinary_ones(
    elsewhere: Store, tmp_path: Path
) -> None:
    event_id = begun(elsewhere)
    good = begun(elsewhere)
    elsewhere.backups.export(tmp_path / "all.zip")

    spoil = f'UPDATE event_facts SET fact = \'{{"op": "rob"}}\' WHERE event_id = {event_id} AND number = 3'
    rewrite_tables(tmp_path / "all.zip", spoil)
    here = Store(tmp_path / "new")
    here.backups.import_games(tmp_path / "all.zip")
    assert [event.id for event in here.events.all()] == [good]
    assert [game.event and game.event.event_id for game in here.games()] == [good, None]
    here.close()


def test_a_draw_seats_nobody_twice() -> None:
    with pytest.raises(ValueError, match="somebody in two"):
        read_fact({"op": "draft", "stage": 1, "seed": "1", "tables": [[["A"], ["B"]], [["A"], ["C"]]]})
