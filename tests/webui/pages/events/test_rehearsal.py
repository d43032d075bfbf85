"""A rehearsal: played to its winners at one press, marked as such, and counted nowhere."""

from __future__ import annotations

import pytest

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, played, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import press, store_of
from webui.storage.db.tables import GAME_TABLES


@pytest.mark.parametrize(("how", "games", "prizes"), [("golden-games", 8 + 4, 3), ("tournament-play", 4 * 4, 2)])
def test_one_press_plays_an_evening_to_its_winners(person: Person, how: str, games: int, prizes: int) -> None:
    person.open(f"/evenings/new?how={how}")
    press(person, "/evenings/rehearsal")
    assert person.path == "/evening/1/" and "Rehearsal. These people and scores are invented." in person.text
    assert "The winners" in person.text and "Please decide" not in person.text
    store = store_of(person)
    now = evening(store, 1)
    assert now.is_played(len(now.stages)) and len(store.event_games(1)) == games
    assert len(played(store, 1).prizes()) == prizes
    assert all(game.practice for game in store.event_games(1)) and store.counted_games() == []
    assert "Rehearsal" in person.open("/evenings/") and "Club evening:" not in person.open("/")
    person.open("/statistics")
    assert "Ada" not in person.text
    person.open("/evening/1/")
    assert "The rehearsal goes for good: its invented people, its games and their scores." in person.text
    game = store.event_games(1)[0].id
    press(person, "/evening/1/delete")
    assert person.path == "/evenings/" and "The rehearsal is gone, with all its people and scores." in person.text
    assert "Removed evenings" not in person.text and "Rehearsal " not in person.text
    for path in ("/evening/1/", f"/game/{game}/", "/t/1"):
        assert person.client.get(path).status_code in (403, 404)
    with store.engine.connect() as connection:
        for name in {*(table.name for table in GAME_TABLES), "event_squares", "devices"} - {"kept_rules"}:
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() == 0, name


def test_its_steps_can_be_taken_back_and_done_by_oneself(person: Person) -> None:
    person.open("/evenings/new?how=golden-games")
    press(person, "/evenings/rehearsal")
    press(person, "/evening/1/undo")
    assert person.notices()[0] == "Taken back: The tables of game 2 were announced."
    assert "The winners" not in person.text and "Announce the tables" in person.text
    store = store_of(person)
    assert len(store.event_games(1)) == 8
    press(person, "/evening/1/2/release")
    assert len(store.event_games(1)) == 8 + 4 and person.text.count("They have not confirmed their names yet.") == 4
    assert not [game.rounds for game in store.event_games(1) if game.event and game.event.stage == 2 and game.rounds]
    press(person, "/evening/1/delete")
    assert store.games() == []


def test_no_other_evening_can_be_deleted(person: Person) -> None:
    store = store_of(person)
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    person.open("/evenings/new?how=golden-games")
    press(person, "/evenings/rehearsal")
    assert len(store.games()) == 2 + 8 + 4
    press(person, "/evening/2/delete")
    assert len(store.games()) == 2 and [event.id for event in store.events.all()] == [event_id]
    person.open("/evening/1/")
    person.send("/evening/1/delete")
    assert "Only a rehearsal can be removed for good." in person.text and len(store.event_games(1)) == 2


def test_no_number_of_a_deleted_rehearsal_is_given_again(person: Person) -> None:
    """A photo may still wait at a station to be sent to a game of it."""
    store = store_of(person)
    person.open("/evenings/new?how=golden-games")
    press(person, "/evenings/rehearsal")
    before = store.event_games(1)
    press(person, "/evening/1/delete")
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    after = store.event_games(event_id)
    assert event_id > 1 and min(game.id for game in after) > max(game.id for game in before)
    store.rounds.begin(after[0].id, 1)
    begun = store.event_games(event_id)[0].rounds[0]
    assert begun.id > max(record.id for game in before for record in game.rounds)
