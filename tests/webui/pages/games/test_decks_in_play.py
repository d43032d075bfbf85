"""A game names the decks in play: chosen, changed, kept, and honest where their cards were not taught."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer.deck import load_deck, use_deck_folder
from scorer.faces import STANDARD_FACES, Face
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import picture
from tests.webui.decks.test_taught import OWN
from tests.webui.helpers.drawn import NORTH_LEFT, NORTH_TABLE, photo
from tests.webui.helpers.playing import Person
from tests.webui.helpers.stored_round import SIDES
from webui.context.services import services_of
from webui.rounds.round_view import view_round
from webui.settings import decks_folder
from webui.storage.store import Store


@pytest.fixture
def own(make_app: Callable[[], Flask]) -> Iterator[Flask]:
    """The page on a data folder whose decks are in use."""
    app = make_app()
    use_deck_folder(decks_folder(services_of(app).settings.data_dir))
    yield app
    use_deck_folder(None)


def boxes(page: str) -> dict[str, bool]:
    """The decks to check on a page, and whether each is."""
    found = re.findall(r'<input type="checkbox" name="deck" value="([^"]+)" (checked)?', page)
    return {id: bool(checked) for id, checked in found}


def test_the_rules_suggest_the_decks_and_the_game_keeps_those_chosen(own: Flask) -> None:
    person = Person(own)
    assert boxes(person.open("/new?rules=golden-games")) == {"standard": True, "remastered": False}
    assert boxes(person.open("/new?rules=tournament-play")) == {}
    decks = services_of(own).decks
    decks.add("Red Bicycle", "standard", [(Face("JK"), picture("joker"))])  # just the jokers
    assert boxes(person.open("/new?rules=tournament-play")) == {"standard": True, "red-bicycle": True}
    decks.add("Whole", "standard", [(face, picture("x")) for face in STANDARD_FACES])
    assert boxes(person.open("/new?rules=tournament-play")) == {"standard": False, "red-bicycle": True, "whole": True}
    person.send("/new", rules="golden-games", **{"asks-decks": "1", "deck": ["remastered", "red-bicycle"]})
    assert "Cards you play with: Hand &amp; Foot Remastered cards and Red Bicycle" in person.page
    (game,) = services_of(own).store.games()
    assert game.decks == ("remastered", "red-bicycle")
    person.send(f"/game/{game.id}/decks/", deck="standard")
    assert services_of(own).store.games()[0].decks == ("standard",)
    person.open(f"/game/{game.id}/log")
    assert "Decks in play" in person.text
    person.open(f"/game/{game.id}/game.json")
    assert json.loads(person.page)["decks"] == ["standard"]


@pytest.mark.parametrize("chosen", [[], ["hand-n-foot"], ["tarot"], ["standard", "remastered", *"abcde"]])
def test_decks_that_cannot_be_in_play_are_one_sentence(own: Flask, chosen: list[str]) -> None:
    person = Person(own)
    fields = {"asks-decks": "1", "deck": chosen} if chosen else {"asks-decks": "1"}
    person.send("/new", rules="golden-games", **fields)
    assert person.status == 400 and "Check one to six kinds of cards" in person.text
    person.begin(rules="golden-games")
    person.send("/game/1/decks/", **({"deck": chosen} if chosen else {}))
    assert person.status == 400 and "Check one to six kinds of cards" in person.text
    assert services_of(own).store.games()[0].decks == ()


def test_a_game_with_cards_that_were_not_taught_says_so_before_the_first_photo(own: Flask) -> None:
    person = Person(own)
    round_ = person.begin(rules="hand-n-foot")
    said = "The camera hasn’t been taught Hand ’n Foot cards, so it can’t read them for sure"
    assert any(said in notice for notice in Person.notices(_at(person, "/game/1/")))
    assert any(said in notice for notice in Person.notices(_at(person, f"{round_}/side/0/")))
    assert 'href="/decks/"' in person.page
    assert "Type North–South’s cards" in person.text and "Type North–South’s points" in person.text
    person.photo(f"{round_}/side/0", photo(NORTH_LEFT))
    assert not any(said in notice for notice in Person.notices(_at(person, f"{round_}/side/0/")))


def _at(person: Person, path: str) -> Person:
    person.open(path)
    return person


def test_standard_cards_and_decks_that_were_learnt_say_nothing(own: Flask) -> None:
    person, decks = Person(own), services_of(own).decks
    deck = decks.add("Ours", OWN, [(Face("8"), picture("8"))])
    game_id = services_of(own).store.add_game("golden-games", 4, SIDES, decks=["standard"])
    assert "hasn’t been taught" not in _at(person, f"/game/{game_id}/").text
    game_id = services_of(own).store.add_game("golden-games", 4, SIDES, decks=["ours"])
    assert "was shown Ours but hasn’t learned them yet" in _at(person, f"/game/{game_id}/").text
    write_learnt(decks, {"ours": deck.content_hash()})
    some = "was shown only some of the cards of Ours"
    assert some in _at(person, f"/game/{game_id}/").text
    lacking = "It never saw these: show or type them"
    assert lacking in _at(person, "/decks/ours/").text
    for face in decks.get("ours").missing:
        decks.add_picture("ours", face, picture(str(face)))
    write_learnt(decks, {"ours": decks.get("ours").content_hash()})
    text = _at(person, f"/game/{game_id}/").text
    assert not any(said in text for said in (some, "hasn’t been taught", "hasn’t learned"))
    assert lacking not in _at(person, "/decks/ours/").text
    nobody = _at(person, "/decks/").text
    faces = load_deck("hand-n-foot").faces
    ladies = decks.add("Ladies", "hand-n-foot", [(face, picture(str(face))) for face in faces])
    write_learnt(decks, {"ladies": ladies.content_hash()})
    assert "Your own are learned." not in nobody and "Your own are learned." in _at(person, "/decks/").text


def test_a_card_of_no_deck_in_play_is_unknown_and_counts_nothing_until_named(own: Flask) -> None:
    """A Jester or Lord, which looks like a joker, was a sure joker."""
    person = Person(own)
    round_ = person.begin(rules="hand-n-foot")
    side = f"{round_}/side/0"
    person.photo(side, photo(NORTH_LEFT), player=0)  # 4S JK 10H
    person.open(f"{side}/left")
    assert "Unknown card. What is it?" in person.text and "joker" not in person.group("left0")
    card = re.search(r'data-card="(p\d+c1)"', person.page)
    assert card
    assert _sheet(own)["left"][0] == ["4", "10"]
    person.open(f"{side}/left")
    person.send(f"{side}/change", op="name", card=card[1], face="JESTER", **_seen(person))
    assert _sheet(own)["left"][0] == ["4", "JESTER", "10"]


def _sheet(app: Flask) -> dict[str, Any]:
    """The first side of the first game's first round."""
    game = services_of(app).store.game(1)
    assert game is not None
    side: dict[str, Any] = view_round(game, game.rounds[0]).sheet["sides"][0]
    return side


def _seen(person: Person) -> dict[str, str]:
    found = re.search(r'name="seen" value="(\d+)"', person.page)
    return {"seen": found[1]} if found else {}


def test_the_decks_in_play_reach_the_reader_and_the_typed_cards(own: Flask) -> None:
    person = Person(own)
    round_ = person.begin(rules="golden-games", **{"asks-decks": "1", "deck": "remastered"})
    side = f"{round_}/side/0"
    person.photo(side, photo(NORTH_TABLE))
    assert "Is this the 8?" in person.text and "Unknown card. What is it?" in person.text
    person.send(
        f"{side}/typed/cards", melds="7x9\nk k k w20", laid="2 red 3s", **_seen(_at(person, f"{side}/typed/cards"))
    )
    sheet = _sheet(own)
    assert ["9"] * 7 in sheet["melds"] and ["K", "K", "K", "W20"] in sheet["melds"]
    assert sheet["laid"].count("R3") >= 2


def test_the_decks_of_a_game_go_to_another_machine_with_it(own: Flask, tmp_path: Path) -> None:
    store, decks = services_of(own).store, services_of(own).decks
    decks.add("Ours", OWN, [(Face("8"), picture("8"))])
    store.add_game("golden-games", 4, SIDES, decks=["ours", "standard"])
    store.backups.export(tmp_path / "all.zip")
    other = Store(tmp_path / "there")
    other.backups.import_games(tmp_path / "all.zip")
    assert [game.decks for game in other.games()] == [("ours", "standard")]
    assert (tmp_path / "there" / "decks" / "ours" / "faces" / "8-1.webp").exists()
    other.close()


def test_a_deck_goes_to_another_machine_as_a_file(own: Flask) -> None:
    person, decks = Person(own), services_of(own).decks
    deck = decks.add("Ours", OWN, [(Face("8"), picture("8"))])
    answer = person.client.get("/decks/ours/deck.zip")
    assert answer.status_code == 200 and answer.headers["Content-Disposition"] == 'attachment; filename="ours.zip"'
    packed = answer.data
    decks.remove("ours")
    shutil.rmtree(deck.folder)
    person.send("/decks/import", file=(io.BytesIO(packed), "ours.zip"))
    assert "1 deck was added." in person.text and [one.name for one in decks.all()] == ["Ours"]
    person.send("/decks/import", file=(io.BytesIO(packed), "ours.zip"))
    assert "Nothing was added: the decks in that file are here already." in person.text
    person.send("/decks/import", file=(io.BytesIO(b"no file of decks"), "x.zip"))
    assert person.status == 400 and "may be damaged; choose another file" in person.text
    person.send("/decks/import")
    assert "No file was chosen." in person.text
    person.open("/decks/theirs/deck.zip")
    assert person.status == 404


def test_the_list_of_decks_renames_removes_and_brings_back(own: Flask) -> None:
    person, decks = Person(own), services_of(own).decks
    decks.add("Ours", OWN, [(Face("8"), picture("8"))])
    person.open("/decks/")
    assert "1 picture, not learned yet." in person.text and "2 faces have no picture yet." in person.text
    assert "54 cards in a pack. The camera reads these by itself." in person.text and "Not taught yet." in person.text
    person.send("/decks/ours/rename", name="Grandma’s")
    assert "Grandma’s" in person.text
    person.send("/decks/ours/remove")
    assert decks.all() == [] and "Grandma’s is removed. Undo" in person.text
    person.send("/decks/ours/bring-back")
    assert [deck.name for deck in decks.all()] == ["Grandma’s"]
    person.send("/decks/theirs/remove")
    assert "That deck is gone." in person.text
    (decks.folder / "ours" / "deck.toml").write_text("id = 'ours'", encoding="utf-8")
    assert "The deck in ours can’t be used" in _at(person, "/decks/").text
