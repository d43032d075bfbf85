"""Checking a first meld on the page: the photo, the answer, correcting a card."""

from __future__ import annotations

import io

import pytest

from tests.webui.helpers.drawn import EAST_TABLE, NO_CARDS, NORTH_TABLE, photo
from tests.webui.helpers.playing import Person


@pytest.fixture
def player(person: Person) -> Person:
    person.send("/new")
    return person


def check(person: Person, data: bytes, number: int = 1) -> str:
    """Sends a photo; the address of the answer."""
    person.send("/game/1/first-meld/", round=number, photos=(io.BytesIO(data), "meld.jpg"))
    return person.path


def test_a_photo_is_answered_with_its_points_and_the_minimum(player: Person) -> None:
    assert "side by side" in player.open("/game/1/first-meld/") and "Round 1 needs 60 points" in player.text
    player.open("/game/1/first-meld/?round=3")
    assert "Round 3 needs 120 points" in player.text
    check(player, photo(EAST_TABLE))  # four jacks 40, two 4s and a joker 60
    assert "100, enough for round 1 (60)" in player.text and "40 more than it needs" in player.text.replace(
        "is 40", "40"
    )
    assert player.page.count("<polygon") == 7
    check(player, photo(EAST_TABLE), 3)
    assert "100, not enough for round 3 (120)" in player.text and "20 more are needed" in player.text


def test_correcting_a_card_updates_the_answer(player: Person) -> None:
    address = check(player, photo(EAST_TABLE))
    assert "Joker" in player.open(f"{address}/card/6") and "remove it" in player.text
    player.send(f"{address}/card/6", face="4S")
    assert "55, not enough for round 1 (60)" in player.text
    player.send(f"{address}/card/7", face="4C")
    assert "60, enough for round 1 (60)" in player.text and "8 cards" in player.text
    player.send(f"{address}/card/0", face="")
    assert "50, not enough" in player.text and "7 cards" in player.text


def test_a_doubtful_card_is_pointed_out_until_confirmed(player: Person) -> None:
    address = check(player, photo(NORTH_TABLE))
    assert "1 card is in doubt" in player.text
    player.send(f"{address}/card/14", face="6D")
    assert "in doubt" not in player.page


def test_a_photo_without_cards_or_none_at_all_says_so(player: Person) -> None:
    check(player, photo(NO_CARDS))
    assert "No cards were seen" in player.text and "0, not enough" in player.text
    check(player, b"no photo")
    assert "is not a photo" in player.notices()[0]
    player.send("/game/1/first-meld/", round=1)
    assert "No photo was chosen" in player.notices()[0]


def test_a_first_meld_can_be_taken_with_the_camera(player: Person) -> None:
    player.send("/game/1/first-meld/", round=1, shoot="yes")
    assert "enough for round 1 (60)" in player.text


def test_the_photo_is_shown_and_unknown_urls_are_404(player: Person) -> None:
    address = check(player, photo(EAST_TABLE))
    for picture in ("view.jpg", "card/0.jpg"):
        assert player.client.get(f"{address}/{picture}").data.startswith(b"\xff\xd8"), picture
    player.send("/new")
    for path in (
        "/game/2/first-meld/1",
        "/game/1/first-meld/9",
        f"{address}/card/99",
        f"{address}/card/99.jpg",
        "/game/2/first-meld/1/view.jpg",
    ):
        assert player.client.get(path).status_code == 404, path
    for place, face, status in ((99, "4S", 409), (7, "", 409), (0, "LADY", 400), (0, "?!", 400)):
        player.send(f"{address}/card/{place}", face=face)
        assert player.status == status, (place, face)
    player.send("/game/1/first-meld/", round=9)
    assert player.status == 404
