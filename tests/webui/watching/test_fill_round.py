"""What was seen of a watched round fills the table step of its page; only what is doubted is asked."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import pytest
from flask import Flask

from scorer.faces import Face
from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet
from tests.vision.memory.sequences import card, column
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.playing import Person
from tests.webui.watching.tables import BEGUN, LEFT, RIGHT, Table
from vision.values import SeenCard
from webui.context.services import services_of
from webui.rounds.round_view import view_round
from webui.storage.files.watched_files import WatchedFiles
from webui.storage.store import Store
from webui.watching.film import End, Film

SIDES = ("/game/1/round/1/side/0", "/game/1/round/1/side/1")


@pytest.fixture
def app(make_app: Callable[[], Flask]) -> Flask:
    app = make_app()
    Person(app).send("/new", side0="Us", side1="Them")
    return app


FOURS = tuple(column("4H 4S 4D 4C", 290, 60))
"""Four cards between the boxes of the two sides."""


@cache
def recorded(boxes: bool, unsure: bool, between: tuple[SeenCard, ...]) -> TemporaryDirectory[str]:
    """What is kept of a round in which the first side laid a book and squared it, and a red three; the second three
    kings."""
    folder = TemporaryDirectory()
    table = Table(Path(folder.name), Film(1, BEGUN, 1, "Ann", BEGUN, areas=LEFT if boxes else None))
    table.wait()
    table.lay(*column("7H 7S 7D 7C 7H 7S", 60, 60))
    table.lay(card("2S", 60, 144))
    table.cards = [card("7H", 60, 60)]
    table.wait(30)
    table.lay(card("3D", 200, 60))
    kings = column("KH KS KD", 460, 60)
    if unsure:
        kings[-1] = replace(kings[-1], confidence=0.6, others=((Face.parse("QD"), 0.5),))
    table.lay(*kings)
    table.lay(*between)
    table.recorder.look_around()
    table.film.on = False
    table.recorder.save()
    return folder


def filmed(
    app: Flask, boxes: bool = True, end: End = "round", unsure: bool = False, between: tuple[SeenCard, ...] = ()
) -> tuple[WatchedFiles, Film]:
    """Such a round of the first game was watched.

    ``boxes``: whether it was said where each side lays its cards; ``unsure``: whether the last king looks much like a
    queen; ``between``: what lies between the two boxes.
    """
    store = services_of(app).store
    game = store.game(1)
    assert game is not None
    files = WatchedFiles(Path(store.folder))
    shutil.copytree(WatchedFiles(Path(recorded(boxes, unsure, between).name)).folder, files.folder)
    film = replace(Film.of_json(files.load(1, 1)), begun=game.created_at, since=game.created_at, end=end)
    files.save(1, 1, film.as_json())
    return files, film


def scored(app: Flask, **seen: Any) -> Person:
    """Whoever scores such a round."""
    filmed(app, **seen)
    person = Person(app)
    person.send("/game/1/round/1/begin")
    return person


def test_each_pile_is_there_with_all_its_cards_and_their_pictures(app: Flask) -> None:
    person = scored(app)
    person.open(SIDES[0] + "/")
    assert "These cards were seen being laid" in person.text and "thing to look at" not in person.text
    assert "Dirty book of 7s" in person.text and "under it" not in person.text
    group = re.search(r'id="group-(n\d+\.0)"', person.page)
    assert group and person.group(group[1]).count("7") >= 6
    assert "Laid threes" in person.text
    pictures = re.findall(r'src="(/game/1/watch/1/card/\d+.jpg[^"]*)"', person.page)
    assert len(pictures) == 8
    assert {person.client.get(one.replace("&amp;", "&")).mimetype for one in pictures} == {"image/jpeg"}
    person.open(SIDES[1] + "/")
    assert "Meld of kings" in person.text or "Kings" in person.text


def test_a_round_that_is_being_scored_is_not_offered_to_be_watched_anew(app: Flask) -> None:
    filmed(app)
    person = Person(app)
    person.open("/game/1/watch/")
    assert "Watch round 1" in person.text
    person.send("/game/1/round/1/begin")
    person.open("/game/1/watch/")
    assert "Keep scoring round 1" in person.text and "Watch round 1" not in person.text


def test_it_scores_as_the_same_cards_on_a_photo_would(app: Flask) -> None:
    person = scored(app)
    melds = [["7H", "7S", "7D", "7C", "7H", "7S", "2S"]]
    sides = [{"name": "Us", "melds": melds, "laid": ["3D"]}, {"name": "Them", "melds": [["KH", "KS", "KD"]]}]
    sheet = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": sides})
    for url, side in zip(SIDES, score(sheet, load_rules("golden-games")).sides, strict=True):
        assert f"{side.total} points this round" in (person.open(url + "/") and person.text)


def test_only_what_is_doubted_is_asked(app: Flask) -> None:
    person = scored(app, unsure=True)
    person.open(SIDES[1] + "/")
    assert "1 thing to look at" in person.text and "The camera is not sure about this card." in person.text
    doubted = re.search(r'<li data-card="(a\d+\.\d+)">', person.page)
    assert doubted and 'name="face" value="QD"' in person.page
    person.send(SIDES[1] + "/change", op="name", card=doubted[1], face="KD")
    person.open(SIDES[1] + "/")
    assert "thing to look at" not in person.text


def test_filling_is_one_step_that_can_be_undone_and_done_again(app: Flask) -> None:
    person = scored(app)
    person.open(SIDES[0] + "/")
    person.undo()
    assert "Dirty book" not in person.open(SIDES[0] + "/") and "Kings" not in person.open(SIDES[1] + "/")
    person.send("/game/1/watch/1/side/0/count")
    assert "Dirty book of 7s" in person.text


def test_where_each_side_lays_its_cards_may_be_said_at_the_end(app: Flask) -> None:
    person = scored(app, boxes=False)
    person.open(SIDES[0] + "/")
    assert "Say where each side lays its cards" in person.text and "7s" not in person.text
    person.send("/game/1/watch/1/areas", boxes=json.dumps(RIGHT.boxes))
    assert "Dirty book of 7s" in (person.open(SIDES[1] + "/") and person.text)


def test_a_table_that_is_known_already_is_left_alone(app: Flask) -> None:
    person = Person(app)
    person.send("/game/1/round/1/begin")
    person.photo(SIDES[0], photo(NORTH_TABLE))
    filmed(app)
    person.send("/game/1/round/1/begin")
    assert "Dirty book of 7s" not in (person.open(SIDES[0] + "/") and person.text)
    assert "These cards were seen" in (person.open(SIDES[1] + "/") and person.text)


def test_a_photo_is_compared_in_words_and_replaces_nothing_by_itself(app: Flask) -> None:
    person = scored(app)
    before = person.open(SIDES[1] + "/") and person.text
    person.photo(SIDES[1], photo(EAST_TABLE))
    assert "Only this photo shows J♥ J♠ J♦ J♣ 4♥ 4♦ Joker." in person.text
    assert "Not in this photo: K♥ K♠ K♦." in person.text
    points = re.search(r"([−\d,]+) points this round", before)
    assert points and f"{points[1]} points this round" in person.text, "the photo counts nothing"
    number = re.search(r'name="photo" value="(\d+)">Add these cards', person.page)
    assert number
    person.send("/game/1/watch/1/side/1/add", photo=number[1])
    assert "Meld of jacks" in person.text or "Jacks" in person.text
    person.undo()
    person.open(SIDES[1] + "/")
    person.send("/game/1/watch/1/side/1/set-aside")
    assert "Not in this photo" not in person.text and person.text.count("J♥") >= 1
    person.send("/game/1/watch/1/side/1/count")
    assert "Not in this photo: K♥ K♠ K♦." in person.text


def test_where_watching_ended_early_it_is_said(app: Flask) -> None:
    person = scored(app, end="camera-lost")
    assert "The camera was gone before the round was over" in (person.open(SIDES[0] + "/") and person.text)


def test_the_pictures_may_be_removed_and_the_cards_stay(app: Flask) -> None:
    person = scored(app)
    person.send("/game/1/watch/1/remove")
    person.open(SIDES[0] + "/")
    assert "Dirty book of 7s" in person.text and "/watch/1/card/" not in person.page


def test_no_picture_leaves_the_machine_in_a_file(app: Flask, tmp_path: Path) -> None:
    scored(app)
    store = services_of(app).store
    store.backups.export(tmp_path / "all.zip")
    with ZipFile(tmp_path / "all.zip") as archive:
        names = archive.namelist()
        size = sum(one.file_size for one in archive.infolist() if one.filename.endswith((".jpg", ".json")))
    assert not [name for name in names if "watched" in name or name.endswith(".jpg")] and size < 5000
    elsewhere = Store(tmp_path / "elsewhere")
    elsewhere.backups.import_games(tmp_path / "all.zip")
    game = elsewhere.game(1)
    assert game is not None and [one.change["op"] for one in game.rounds[0].corrections] == ["watched", "watched"]
    elsewhere.close()


def test_the_history_of_the_game_tells_it(app: Flask) -> None:
    person = scored(app)
    assert "Cards seen while watching" in (person.open("/game/1/log") and person.text)


def test_cards_between_the_boxes_are_asked_about_and_counted_where_they_belong(app: Flask) -> None:
    person = scored(app, between=FOURS)
    for side in SIDES:
        person.open(side + "/")
        assert "4 cards lie outside the boxes. Whose are they? 4♥ 4♠ 4♦ 4♣" in person.text
        assert re.search(r'>!</span>\s*<span class="t">(Us|Them): table', person.page), "no tick"
        assert person.page.count('<polygon class="asked"') == 4, "lit in the picture of the table"
        assert "Say whose the cards outside the boxes are" in person.text
        assert "Undo Round 1: Cards outside the boxes: 1 group, and 2 more changes" in person.text
    shown = re.search(r'<li><img[^>]* src="(/game/1/watch/1/card/[\d-]+.jpg[^"]*)"', person.page)
    assert shown and person.client.get(shown[1].replace("&amp;", "&")).mimetype == "image/jpeg"
    person.agree("/game/1/round/1")
    assert "Before anyone can agree: Us: table: Say whose the cards outside the boxes are" in person.text
    person.send("/game/1/watch/1/side/0/outside/0", whose="1")
    assert "lie outside the boxes" not in person.text and "Them’s" in person.text
    person.open(SIDES[1] + "/")
    assert "Meld of 4s 20" in person.group("o0.0") and '<polygon class="asked"' not in person.page
    person.send(SIDES[1] + "/change", op="name", card="o0.3", face="5C")
    person.send(SIDES[1] + "/change", op="reset", step="table")
    assert "Meld of 4s 20" in person.group("o0.0"), "whose they are is no correction of a card"
    person.open("/game/1/log")
    assert "Cards outside the boxes: 4♥ 4♠ 4♦ 4♣ – Them" in person.text
    person.send("/game/1/watch/1/side/0/outside/0", whose="nobody")
    person.open(SIDES[1] + "/")
    assert "o0.0" not in person.page and "lie outside the boxes" not in person.text
    person.undo()
    assert "o0.0" in person.open(SIDES[1] + "/"), "an answer is undone"


def test_an_answer_about_cards_outside_the_boxes_that_names_no_side_is_refused(app: Flask) -> None:
    person = scored(app, between=FOURS)
    for place, whose in ((0, "2"), (0, "-1"), (0, ""), (1, "0")):
        person.send(f"/game/1/watch/1/side/0/outside/{place}", whose=whose)
        assert person.status == 400
    assert "Whose are they?" in (person.open(SIDES[0] + "/") and person.text)


def test_one_card_between_the_boxes_is_most_likely_the_discard_pile(app: Flask) -> None:
    person = scored(app, between=(card("9C", 300, 150),))
    person.open(SIDES[1] + "/")
    assert "1 card lies outside the boxes. Whose is it? 9♣ Nobody’s: the discard pile Us Them" in person.text
    person.send("/game/1/watch/1/side/1/outside/0", whose="0")
    person.open(SIDES[0] + "/")
    assert "9 ♣" in person.group("loose"), "a card alone is asked about"


def test_boxes_that_are_drawn_at_the_end_leave_no_card_out_without_a_word(app: Flask) -> None:
    """Before, all that lies on the table was remembered; what is in no box then is asked about too."""
    person = scored(app, boxes=False, between=FOURS)
    person.send("/game/1/watch/1/areas", boxes=json.dumps(LEFT.boxes))
    assert "4 cards lie outside the boxes" in (person.open(SIDES[0] + "/") and person.text)


def test_cards_outside_the_boxes_go_with_the_game_to_another_machine(app: Flask, tmp_path: Path) -> None:
    person = scored(app, between=FOURS)
    person.send("/game/1/watch/1/side/0/outside/0", whose="0")
    services_of(app).store.backups.export(tmp_path / "all.zip")
    elsewhere = Store(tmp_path / "elsewhere")
    elsewhere.backups.import_games(tmp_path / "all.zip")
    game = elsewhere.game(1)
    assert game is not None and view_round(game, game.rounds[0]).sides[0].table.group("o0.0") is not None
    elsewhere.close()


def test_a_suit_that_is_a_guess_has_a_sign(app: Flask) -> None:
    files, film = filmed(app)
    memory = film.memory
    assert memory is not None
    track = next(one for one in memory["state"]["tracks"] if max(one["votes"], key=one["votes"].get) == "7D")
    track["votes"] = {"7D": 1.0, "7H": 0.9}
    files.save(1, 1, film.as_json())
    person = Person(app)
    person.send("/game/1/round/1/begin")
    person.open(SIDES[0] + "/")
    assert 'aria-label="7 of diamonds, the suit is a guess"' in person.page
    assert person.page.count("the suit is a guess") == 1 and "It changes no points." in person.text
    assert "thing to look at" not in person.text, "and nobody is asked"
