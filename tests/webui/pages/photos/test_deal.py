"""Dealing a pile on the page: counted at once, named when read, asked for if doubtful, stored."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from scorer.faces import Face
from tests.vision.live.test_deal_counter import dealing, laid, seen, table
from tests.webui.helpers.playing import Person
from vision.errors import PhotoError
from vision.values import Frame, Pixels, Reading
from webui.camera import deal_count as dealing_room
from webui.camera.deal_count import CountedCard, DealCount, Read
from webui.context.services import services_of

DEAL = "/game/1/round/1/side/0/deal"


@pytest.fixture(autouse=True)
def always_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has asked for the count once has asked lately, though the machine takes its time with the pictures."""
    monkeypatch.setattr(dealing_room, "_ACTIVE_SECONDS", 3600.0)


def film(ranks: str) -> list[Pixels]:
    tops, now = [], table()
    for place, rank in enumerate(ranks):
        now = laid(now, rank, 3 * (place % 3), -4 * (place % 2))
        tops.append(now)
    return dealing([table()] * 6, tops)


def frame(pixels: Pixels) -> Frame:

    return Frame(pixels, datetime.now(UTC), "camera")


def test_cards_count_at_once_and_get_their_face_when_read() -> None:
    def read(picture: Frame) -> Reading:
        if len(asked) == 2:
            asked.append(picture)
            raise PhotoError("nothing to be seen")
        asked.append(picture)
        return Reading(picture.width, picture.height, 0.1, (seen("8H", 100, 2),), (), ())

    asked: list[Frame] = []
    deals = DealCount()
    assert deals.cards(read) == []
    for number, pixels in enumerate(film("888")):
        deals.see(frame(pixels), number / 12)
    for _ in range(1500):
        cards = deals.cards(read)
        if None not in cards:
            break
        time.sleep(0.02)
    assert [card and (card.face and str(card.face), card.doubt) for card in cards] == [
        ("8H", False),
        ("8H", False),
        (None, True),
    ]
    deals.undo()
    assert len(deals.cards(read)) == 2
    deals.restart()
    deals.undo()
    assert deals.cards(read) == []
    deals.close()


def test_a_reader_that_fails_on_one_card_does_not_end_the_pile(caplog: pytest.LogCaptureFixture) -> None:
    def read(picture: Frame) -> Reading:
        asked.append(picture)
        if len(asked) == 2:
            raise ValueError("a fault of the program")
        return Reading(picture.width, picture.height, 0.1, (seen("8H", 100, 2),), (), ())

    asked: list[Frame] = []
    deals = DealCount()
    deals.cards(read)
    for number, pixels in enumerate(film("888")):
        deals.see(frame(pixels), number / 12)
    assert dealt(deals, read) == [("8H", False), ("None", True), ("8H", False)]
    deals.close()
    assert [record.message for record in caplog.records] == ["reading a card that was dealt failed"]


def test_a_card_after_a_gap_in_the_frames_is_doubtful() -> None:
    def read(picture: Frame) -> Reading:
        return Reading(picture.width, picture.height, 0.1, (seen("8H", 100, 2),), (), ())

    deals = DealCount()
    deals.cards(read)
    for number, pixels in enumerate(film("88")):
        deals.see(frame(pixels), number / 12 + (number > 16))
    while None in (cards := deals.cards(read)):
        time.sleep(0.02)
    assert [card and card.doubt for card in cards] == [False, True]
    deals.close()


def dealt(deals: DealCount, read: Read) -> list[tuple[str, bool]]:
    """The cards once all are read, in words."""
    while None in (cards := deals.cards(read)):
        time.sleep(0.02)
    return [(str(card.face), card.doubt) for card in cards if card]


def comes_to_hold(path: Path, text: str) -> bool:
    """Whether ``path`` holds ``text`` within a minute: a pile is kept beside the pictures, when there is time."""
    for _ in range(3000):
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return True
        time.sleep(0.02)
    return False


def test_the_count_survives_a_restart(tmp_path: Path) -> None:
    """Also where the page ends without a word, and a card that was not read yet is counted, and asked for."""

    def read(picture: Frame) -> Reading:
        if len(asked) == 2:
            may.wait(300)
        asked.append(picture)
        return Reading(picture.width, picture.height, 0.1, (seen("8H", 100, 2),), (), ())

    asked: list[Frame] = []
    may = threading.Event()
    first = DealCount(tmp_path)
    first.cards(read)
    for number, pixels in enumerate(film("888")):
        first.see(frame(pixels), number / 12)
    assert comes_to_hold(tmp_path / "pile.json", '[["8H", false], ["8H", false], null]')
    second = DealCount(tmp_path)
    assert dealt(second, read) == [("8H", False), ("8H", False), ("None", True)]
    may.set()
    assert comes_to_hold(tmp_path / "pile.json", '[["8H", false], ["8H", false], ["8H", false]]')
    second.undo()
    for number, pixels in enumerate(film("9"), 100):
        second.see(frame(pixels), number / 12)
    assert len(dealt(second, read)) == 3
    second.restart()
    assert DealCount(tmp_path).cards(read) == []
    for rubbish in ("", "7", "[7]", "{"):
        (tmp_path / "pile.json").write_text(rubbish)
        assert DealCount(tmp_path).cards(read) == [], "what it cannot have written is nothing"
    for deals in (first, second):
        deals.close()


def test_nothing_is_counted_without_requests() -> None:
    deals = DealCount()
    for number, pixels in enumerate(film("88")):
        deals.see(frame(pixels), number / 12)
    assert deals.cards(lambda picture: Reading(1, 1, 0.1, (), (), ())) == []
    deals.close()


@pytest.fixture
def app(person: Person) -> Flask:
    person.begin()
    found = person.client.application
    assert isinstance(found, Flask)
    return found


def put(app: Flask, *cards: CountedCard | None) -> None:
    deals = services_of(app).camera.deals
    deals.restart()
    for card in cards:
        done: Future[CountedCard] = Future()
        if card is not None:
            done.set_result(card)
        deals._cards.append(done)


def card(face: str, doubt: bool = False) -> CountedCard:
    return CountedCard(Face.parse(face), doubt)


def test_a_pile_becomes_a_meld_after_its_doubts_are_resolved(person: Person, app: Flask) -> None:
    sevens = [card(face) for face in ("7H", "7H", "7S", "7D", "2C", "7C")]
    put(app, *sevens, card("7D", doubt=True), None)
    person.open(f"{DEAL}/")
    assert "8 cards" in person.text and "Which card is number 7?" in person.text
    assert 'value="7D" selected' in person.page
    person.send(f"{DEAL}/keep", card=["7H", "7H", "7S", "7D", "2C", "7C", "7D"])
    assert "Another card just came in" in person.notices()[0]
    person.send(f"{DEAL}/undo")
    assert "7 cards" in person.text
    person.send(f"{DEAL}/keep", card=["7H", "7H", "7S", "7D", "2C", "7C", ""])
    assert "Say what each card is" in person.notices()[0]
    person.send(f"{DEAL}/keep", card=["7H", "7H", "7S", "7D", "2C", "7C", "7S"])
    assert person.path == "/game/1/round/1/side/0/" and "Dirty book of 7s" in person.text
    person.open(f"{DEAL}/")
    assert "0 cards" in person.text


def test_left_over_cards_can_be_dealt_too(person: Person, app: Flask) -> None:
    person.open(f"{DEAL}/?player=1")
    assert "count South’s cards left, card by card" in person.text
    put(app, card("4S"), card("JK"))
    person.send(f"{DEAL}/keep", player="1", card=["4S", "JK"])
    assert "Cards South has left −55" in person.text


def test_unknown_cards_and_players_are_refused(person: Person, app: Flask) -> None:
    put(app, card("4S"))
    for fields in ({"card": ["LORD"]}, {"card": ["XX"]}):
        person.send(f"{DEAL}/keep", **fields)
        assert person.status == 400
    person.open(f"{DEAL}/?player=9")
    assert person.status == 404
    person.open("/game/1/round/1/side/9/deal/")
    assert person.status == 404
