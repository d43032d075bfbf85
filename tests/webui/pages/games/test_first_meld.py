"""Checking a first meld on the page: the photo, the answer, correcting a card."""

from __future__ import annotations

import io
from urllib.parse import quote

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
    assert "100, enough for round 1 (60)" in player.text and "40 points more than you need" in player.text.replace(
        "is 40", "40"
    )
    assert player.page.count("<polygon") == 7
    check(player, photo(EAST_TABLE), 3)
    assert "100, not enough for round 3 (120)" in player.text and "You need 20 more points" in player.text


def test_correcting_a_card_updates_the_answer(player: Person) -> None:
    address = check(player, photo(EAST_TABLE))
    assert "Joker" in player.open(f"{address}/card/6") and "Not a card: remove" in player.text
    player.send(f"{address}/card/6", face="4S")
    assert "55, not enough for round 1 (60)" in player.text
    player.send(f"{address}/card/7", face="4C")
    assert "60, enough for round 1 (60)" in player.text and "8 cards" in player.text
    player.send(f"{address}/card/0", face="")
    assert "50, not enough" in player.text and "7 cards" in player.text


def test_a_doubtful_card_is_pointed_out_until_confirmed(player: Person) -> None:
    address = check(player, photo(NORTH_TABLE))
    assert "1 card needs a second look" in player.text
    player.send(f"{address}/card/14", face="6D")
    assert "in doubt" not in player.page


def test_a_photo_without_cards_or_none_at_all_says_so(player: Person) -> None:
    check(player, photo(NO_CARDS))
    assert "No cards found" in player.text and "0, not enough" in player.text
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


@pytest.mark.parametrize(
    ("cards", "number", "answer"),
    [
        ("j j j j 4 4 jk", 1, "100, enough for round 1 (60) That is 40 points more than you need."),
        ("j j j j 4 4 jk", 3, "100, not enough for round 3 (120) You need 20 more points."),
        ("8 8 8\n4 4 2", 1, "60, enough for round 1 (60) That is 0 points more than you need."),
        ("8 8 8 4", 1, "30, not enough for round 1 (60) You need 30 more points."),
    ],
)
def test_typed_cards_are_answered_with_points_and_the_minimum(
    player: Person, cards: str, number: int, answer: str
) -> None:
    assert "Or type the cards, like this: 8 8 8 2 jk" in player.open("/game/1/first-meld/")
    player.open(f"/game/1/first-meld/?round={number}&side=0&cards={quote(cards)}")
    assert answer in player.text


def test_a_typed_word_that_is_no_card_is_named_and_stays(player: Person) -> None:
    player.open(f"/game/1/first-meld/?round=1&side=0&cards={quote('8 8 xx')}")
    assert "“xx” is not a card in this deck" in player.notices()[0] and "8 8 xx" in player.page
    player.open("/game/1/first-meld/?round=1&side=0&cards=")
    assert "No cards were typed" in player.notices()[0]


def test_what_a_typed_first_meld_must_hold_is_told(person: Person) -> None:
    person.send("/new", rules="american-canasta")
    person.open(f"/game/1/first-meld/?round=1&side=0&cards={quote('8 8 jk' + chr(10) + '9 9 jk')}")
    assert "not enough for round 1" in person.text
    assert "It also has to have a natural meld." in person.text


def test_where_the_minimum_differs_by_side_the_side_is_named(person: Person) -> None:
    person.send("/new", rules="canasta", **{"side0": "Us", "side1": "Them"})
    person.open("/game/1/first-meld/?round=1&side=1")
    assert "Them: round 1 needs 50 points." in person.text
    person.open(f"/game/1/first-meld/?round=1&side=1&cards={quote('k k k 2')}")
    assert "50, enough for round 1 of Them (50)" in person.text


def test_a_deck_of_its_own_is_typed_by_its_names(person: Person) -> None:
    person.send("/new", rules="hand-n-foot")
    assert "like this: 8 8 8 joker" in person.open("/game/1/first-meld/")
    person.open(f"/game/1/first-meld/?round=1&side=0&cards={quote('9 9 9 joker')}")
    assert "80, enough for round 1 (50)" in person.text


def test_where_any_melds_will_do_nothing_is_said_of_a_first_meld(person: Person) -> None:
    assert "First meld 60, 90, 120" in person.open("/rules/") and "First meld 0" not in person.text
    round_ = person.begin(rules="burraco")
    for path in ("/game/1", "/game/1/television", f"{round_}check"):
        assert "meld" not in person.open(path).replace("melds", "").lower(), path
