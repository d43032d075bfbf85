"""After every change the next page says in one sentence what was done, once, and offers Undo."""

from __future__ import annotations

import html
import io
import re

from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.playing import Person

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
