"""The log of changes: every change is logged, with its values before and after."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules import load_rules
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.played_games import agree_round
from tests.webui.helpers.playing import Person
from webui.corrections import answers
from webui.games.log.change_log import log_lines
from webui.storage.db.stale_edits import StaleEditError
from webui.storage.kept_rules import kept
from webui.storage.records import FirstMeldRecord, PhotoRecord, SideRecord
from webui.storage.store import Store

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))
PHOTO = PhotoRecord(0, 0, None, "a.jpg", 40, 30, "table.jpg", "2026-01-02T03:04:05+00:00", {"cards": [{}, {}]})


@pytest.fixture
def store(tmp_path: Path, address: str | None) -> Iterator[Store]:
    made = Store(tmp_path, address)
    yield made
    made.close()


def begun(store: Store) -> tuple[int, int]:
    """A game and its first round's id."""
    game_id = store.add_game("golden-games", 4, SIDES)
    store.rounds.begin(game_id, 1)
    game = store.game(game_id)
    assert game is not None
    return game_id, game.rounds[0].id


def test_every_change_of_a_round_is_logged(store: Store) -> None:
    game_id, round_id = begun(store)
    photo = store.rounds.add_photo(round_id, PHOTO)
    made = store.rounds.correct(round_id, 1, {"op": "remove", "card": "p1c0"})
    store.rounds.undo(round_id, store.version(game_id))
    store.rounds.change_facts(round_id, lambda _: {"0": {"went_out": True}})
    store.rounds.change_facts(round_id, lambda _: {"0": {"went_out": True}})
    agree_round(store, round_id, {"rules": "golden-games", "round": 1})
    agree_round(store, round_id, {"rules": "golden-games", "round": 2})
    entries = [(entry.what, entry.side, entry.before, entry.after) for entry in store.log(game_id)]
    corrected: dict[str, object] = {"id": made, "op": "remove", "card": "p1c0"}
    sides = [{"name": "Us", "players": ["Ann", "Bo"]}, {"name": "Them", "players": ["Cy", "Di"]}]
    expected: list[object] = [
        ("begun", None, None, {"rules": "golden-games", "sides": sides, "first": None}),
        ("round-begun", None, None, None),
        ("photo", 0, None, {"id": photo, "source": "table.jpg", "player": None, "cards": 2}),
        ("correction", 1, None, corrected),
        ("correction-undone", 1, corrected, None),
        ("facts", None, {}, {"0": {"went_out": True}}),
        ("confirmed", None, None, {"rules": "golden-games", "round": 1}),
        ("confirmed", None, {"rules": "golden-games", "round": 1}, {"rules": "golden-games", "round": 2}),
    ]
    assert entries == expected
    assert [entry.round for entry in store.log(game_id)] == [None] + [1] * 7
    assert store.version(game_id) == store.log(game_id)[-1].id


def test_answers_that_say_nothing_new_read_as_nothing_to_tell(store: Store) -> None:
    game_id, round_id = begun(store)
    store.rounds.change_facts(round_id, lambda facts: answers.set_unseen(facts, {0: {"exact_deals": 0}}))
    game = store.game(game_id)
    assert game is not None
    newest = log_lines(game, store.log(game_id), load_rules(game.rules), ())[0]
    assert newest.summary == "Round 1: Bonuses and penalties: none"


def test_changes_of_a_game_are_logged_by_column(store: Store) -> None:
    game_id, _ = begun(store)
    renamed = [{"name": "We", "players": ["Ann", "Bo"]}, {"name": "They", "players": ["Cy", "Di"]}]
    store.change_game(game_id, {"sides": renamed, "first": "Cy", "state": None})
    *_, sides, first = store.log(game_id)
    assert (sides.what, first.what) == ("sides", "first")
    assert sides.before == {
        "sides": [{"name": "Us", "players": ["Ann", "Bo"]}, {"name": "Them", "players": ["Cy", "Di"]}]
    }
    assert sides.after == {"sides": renamed}
    assert (first.before, first.after) == ({"first": None}, {"first": "Cy"})
    found = store.game(game_id)
    assert found is not None and found.sides[0].name == "We" and found.first == "Cy"


def test_switched_rules_leave_agreed_sheets_alone_and_are_one_change(store: Store) -> None:
    game_id, round_id = begun(store)
    agree_round(store, round_id, {"rules": "golden-games", "round": 1})
    before = store.version(game_id)
    store.change_game(game_id, {"rules": "tanglewood"})
    found = store.game(game_id)
    assert found is not None and found.rounds[0].agreed_sheet == {"rules": "golden-games", "round": 1}
    (entry,) = [entry for entry in store.log(game_id) if entry.id > before]
    assert (entry.what, entry.before, entry.after) == ("rules", {"rules": "golden-games"}, {"rules": "tanglewood"})
    store.change_game(game_id, {"rules": "tanglewood"})
    assert store.game(game_id) == found, "the same rules again are no change"


def test_rounds_scored_anew_are_one_change_with_the_rules(store: Store) -> None:
    game_id, round_id = begun(store)
    agree_round(store, round_id, {"rules": "golden-games", "round": 1, "players": 4, "sides": []})
    game, before = store.game(game_id), store.version(game_id)
    assert game is not None and game.rounds[0].agreed_rules == kept(load_rules("golden-games"))
    other, seen = kept(load_rules("tanglewood")), {1: game.rounds[0].agreed_sheet_id}
    store.change_rules(game_id, "tanglewood", {1: other.hash}, seen, other)
    found = store.game(game_id)
    assert found is not None and (found.rules, found.rounds[0].agreed_rules) == ("tanglewood", other)
    assert found.rounds[0].agreed_sheet == {"rules": "tanglewood", "round": 1, "players": 4, "sides": []}
    (entry,) = [entry for entry in store.log(game_id) if entry.id > before]
    assert entry.before == {"rules": "golden-games", "rounds": {"1": kept(load_rules("golden-games")).hash}}
    assert entry.after == {"rules": "tanglewood", "rounds": {"1": other.hash}}
    with pytest.raises(StaleEditError):  # somebody else has changed the round since
        store.change_rules(game_id, "golden-games", {1: other.hash}, seen, None)


def test_a_change_of_one_game_does_not_change_another(store: Store) -> None:
    first, _ = begun(store)
    second, _ = begun(store)
    stood = store.version(first)
    store.change_game(second, {"state": "ended"})
    assert store.version(first) == stood < store.version(second)
    assert store.version(store.add_game("golden-games", 4, SIDES)) > store.version(second)


def test_a_change_is_signalled(store: Store) -> None:
    heard = store.change_signal.count
    assert store.change_signal.wait(heard, 0.01) == heard
    begun(store)
    assert store.change_signal.wait(heard, 0.01) > heard


def test_the_list_of_games_holds_the_last_agreed_sheets(store: Store) -> None:
    game_id, round_id = begun(store)
    store.rounds.add_photo(round_id, PHOTO)
    agree_round(store, round_id, {"n": 1})
    agree_round(store, round_id, {"n": 2})
    store.rounds.begin(game_id, 2)
    (game,) = store.games()
    whole = store.game(game_id)
    assert whole is not None
    assert [(held.number, held.agreed_sheet, held.agreed_sheet_id) for held in game.rounds] == [
        (held.number, held.agreed_sheet, held.agreed_sheet_id) for held in whole.rounds
    ]
    assert (
        game.rounds[0].agreed_sheet == {"n": 2} and game.rounds[0].photos == () and game.rounds[1].agreed_sheet is None
    )


def test_a_first_meld_is_stored_and_corrected(store: Store) -> None:
    game_id, _ = begun(store)
    faces = ({"face": "4H", "index": 0},)
    kept = store.first_melds.add(FirstMeldRecord(0, game_id, 1, 0, "a.jpg", 4, 3, {"cards": []}, faces))
    store.first_melds.set_faces(kept.id, [{"face": "5H", "index": 0}])
    found = store.first_melds.find(kept.id)
    assert found is not None and found.faces == ({"face": "5H", "index": 0},) and found.reading == {"cards": []}
    assert store.first_melds.find(99) is None
    checked, corrected = store.log(game_id)[-2:]
    assert (checked.what, checked.side, checked.before) == ("first-meld", 0, None)
    assert corrected.before == checked.after and (corrected.after or {})["faces"] == [{"face": "5H", "index": 0}]


ROUND = "/game/1/round/1"
NORTH = f"{ROUND}/side/0"


def said(person: Person) -> str:
    found = re.search(r'<div class="done" role="status"><span>(.*?)</span>', person.page, re.DOTALL)
    return html.unescape(found[1]) if found else ""


def undo(person: Person) -> None:
    form = re.search(r'<form id="undo-done" method="post" action="([^"]+)">(.*?)</form>', person.page)
    assert form and 'form="undo-done">Undo' in person.page
    entry = re.search(r'name="entry" value="(\d+)"', form[2])
    assert entry
    person.send(form[1], entry=entry[1], headers={"Referer": f"http://localhost{person.path}"})


def test_a_change_of_a_round_is_told_once_and_undone(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE), counts=False)
    assert said(person).startswith("North–South: Photo added: ")
    person.send(f"{NORTH}/change", op="remove", card="p1c0")
    assert said(person) == "Card removed: 8 of hearts."
    undo(person)
    assert person.path == f"{NORTH}/" and said(person).startswith("Undone: card removed")
    assert "Clean book of 8s 770" in person.group("p1g0")
    person.open(f"{NORTH}/")
    assert said(person) == ""
    person.send(f"{ROUND}/facts", went_out="0.1")
    assert "Who went out" in said(person)
    person.send(f"{ROUND}/side/1/nothing")
    assert "East–West: the table: nothing" in said(person)


def test_a_photo_of_cards_left_is_told_with_whose_they_are(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE), player=0)
    assert re.fullmatch(r"Photo added: cards North has left, \d+ cards\.", said(person))


def test_photos_sent_together_are_told_together(person: Person) -> None:
    person.begin()
    files = [(io.BytesIO(photo(table)), f"{at}.jpg") for at, table in enumerate((NORTH_TABLE, EAST_TABLE))]
    person.send(f"{NORTH}/photos", photos=files)
    assert re.fullmatch(r"North–South: 2 photos added: \d+ cards\. Undo removes the last one\.", said(person))


def test_a_moved_card_is_told_with_its_place(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    person.send(f"{NORTH}/change", op="move", card="p1c0", group="new-meld")
    assert said(person).startswith("Card moved: 8 of hearts → ")


def test_what_is_corrected_in_a_photo_leaves_it_in_view(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    assert f"{NORTH}/card/p1c0?from=1" in person.page
    assert 'name="from" value="1"' in person.open(f"{NORTH}/card/p1c0?from=1")
    fields = {"op": "name", "card": "p1c0", "face": "9H"}
    answer = person.client.post(f"{NORTH}/change", data={"token": person.token(), **fields, "from": "1"})
    assert answer.location.endswith("#photo-1")


def test_what_was_refused_is_not_told(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    person.send(f"{NORTH}/change", op="regroup", group="new-meld")
    assert "No cards were chosen" in person.notices()[0] and said(person) == ""


def test_remove_and_end_say_what_happened_and_offer_undo(person: Person) -> None:
    person.begin()
    person.send("/game/1/state", state="end")
    assert person.path == "/game/1/" and said(person) == "North–South against East–West: the game was ended."
    undo(person)
    assert person.path == "/game/1/" and "End the game now" in person.text
    person.send("/game/1/state", state="remove")
    assert person.path == "/" and said(person) == "North–South against East–West: the game was removed."
    undo(person)
    assert person.path == "/" and "Removed games" not in person.text


def test_names_and_who_starts_are_told(person: Person) -> None:
    person.begin()
    person.send("/game/1/first", first="South")
    assert said(person) == "Plays first in round 1: not chosen → South."
    person.rename("/game/1", **{"player0.0": "Ann"})
    assert "Names" in said(person)
    undo(person)
    assert "Ann" not in person.open("/game/1/")
