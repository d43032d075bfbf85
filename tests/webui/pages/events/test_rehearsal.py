"""A rehearsal: played to its winners at one press, marked as such, and counted nowhere."""

from __future__ import annotations

import pytest

from tests.webui.helpers.evenings import evening, played
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import press, store_of


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
    press(person, "/evening/1/state", state="removed")
    assert "Removed evenings" in person.open("/evenings/")
