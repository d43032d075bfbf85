"""One deck's page: its faces as pictures, removing with Undo, renaming."""

from __future__ import annotations

import pytest
from flask import Flask

from scorer.faces import JOKER, Face
from tests.webui.decks.pictures import pictures
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.decks.taught import TaughtDecks

ACE = Face("A", "S")


@pytest.fixture
def decks(app: Flask) -> TaughtDecks:
    decks = services_of(app).decks
    decks.add("Ours", "standard", pictures([ACE, JOKER, JOKER]))
    return decks


def test_faces_are_shown_as_pictures_with_what_is_missing(app: Flask, decks: TaughtDecks) -> None:
    person = Person(app)
    person.open("/decks/ours/")
    assert "3 pictures" in person.text and person.page.count('<img width="120"') == 3
    assert "Not shown; it reads these by itself" in person.text
    small = person.client.get("/decks/ours/face/AS/1.webp?w=100")
    whole = person.client.get("/decks/ours/face/AS/1.webp")
    assert small.mimetype == whole.mimetype == "image/webp" and len(small.data) < len(whole.data)
    assert "private" in whole.headers["Cache-Control"]
    for path in ("face/AS/2", "face/AS/2.webp", "face/../1.webp", "face/deck/1.webp"):
        assert person.client.get(f"/decks/ours/{path}").status_code == 404
    assert person.client.get("/decks/theirs/").status_code == 404


def test_a_picture_is_removed_and_put_back(app: Flask, decks: TaughtDecks) -> None:
    person = Person(app)
    person.send("/decks/ours/face/JK/2/remove")
    assert "The picture is removed." in person.text and "Undo" in person.text
    assert len(decks.get("ours").faces[JOKER]) == 1
    person.send("/decks/ours/face/JK/2/put-back")
    assert "The picture is back." in person.text and len(decks.get("ours").faces[JOKER]) == 2
    person.send("/decks/ours/face/JK/2/put-back")
    assert "can’t be put back any more" in person.text


def test_a_deck_is_renamed_removed_and_brought_back_at_once(app: Flask, decks: TaughtDecks) -> None:
    person = Person(app)
    person.send("/decks/ours/rename", name="Old blue ones")
    assert person.path == "/decks/ours/" and "Old blue ones" in person.text
    person.send("/decks/ours/remove")
    assert "Old blue ones is removed." in person.text and "Undo" in person.text
    assert person.client.get("/decks/ours/").status_code == 404
    assert person.client.get("/decks/ours/teach").status_code == 404
    person.send("/decks/ours/bring-back")
    assert "Old blue ones is back." in person.text and person.client.get("/decks/ours/").status_code == 200


def test_two_decks_never_have_one_name(app: Flask, decks: TaughtDecks) -> None:
    person = Person(app)
    person.send("/decks/new", name=" ours ", kind="standard")
    assert person.status == 409 and "You have cards called “ours” already. Type another name." in person.text
    assert 'value=" ours "' in person.page and len(decks.all()) == 1, "nothing typed is lost, and nothing is made"
    for name in ("Our cards", "Our cards 2"):
        person.send("/decks/new", name="", kind="standard")
        assert f"Teach {name}" in person.text
    person.send("/decks/our-cards/rename", name="OURS")
    assert "You have cards called “OURS” already." in person.text and person.path == "/decks/our-cards/"
    person.send("/decks/our-cards/rename", name=" ")
    assert "These cards are still called “Our cards”: no other name was typed." in person.text
    person.send("/decks/our-cards/rename", name="our CARDS")
    assert decks.get("our-cards").name == "our CARDS", "its own name in other capitals"
    person.send("/decks/ours/remove")
    person.send("/decks/our-cards/rename", name="Ours")
    assert decks.get("our-cards").name == "Ours", "a removed deck keeps no name from others"
    person.send("/decks/ours/bring-back")
    assert "Two decks are called “Ours” now. Give one of them another name." in person.text


def test_a_full_list_has_room_again_once_a_deck_is_removed_for_good(
    app: Flask, decks: TaughtDecks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.storage.files.deck_files.MAX_DECKS", 1)
    person = Person(app)
    services_of(app).lessons.begin("ours", True)
    person.send("/decks/ours/remove-for-good")
    kept = len(decks.get("ours").pictures), services_of(app).lessons.of("ours").just_jokers
    assert kept == (3, True), "only what was removed before"
    person.send("/decks/ours/remove")
    person.send("/decks/new", name="More", kind="standard")
    assert person.status == 409 and "Remove one for good, then try again." in person.text
    person.open("/decks/")
    assert "Remove it for good" in person.text
    person.send("/decks/ours/remove-for-good")
    assert "Ours is removed for good." in person.text and "Bring back" not in person.text
    person.send("/decks/ours/remove-for-good")
    assert "That deck is gone." in person.text
    person.send("/decks/new", name="More", kind="typed", faces="1, 2, Lady")
    assert "Teach More" in person.text
    person.send("/decks/more/remove")
    person.send("/decks/more/remove-for-good")
    assert not (decks.folder / "more" / "teaching").exists() and "Bring back" in person.text
