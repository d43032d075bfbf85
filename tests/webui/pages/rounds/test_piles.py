"""Squared piles, caps and laid threes entered on the page without a photo."""

from __future__ import annotations

import re

import pytest

from tests.webui.helpers.playing import Person
from webui.context.services import services_of

SIDE = "/game/1/round/1/side/0"


def lay(person: Person, group: str, *faces: str) -> None:
    """Adds cards by hand, the first to ``group`` and the others to the group that it makes."""
    for face in faces:
        person.send(f"{SIDE}/change", op="add", group=group, face=face)
        found = re.findall(r'id="group-(n\d+)"', person.open(f"{SIDE}/"))
        group = found[-1]
    person.count_piles()


def test_a_pile_with_a_lady(person: Person) -> None:
    person.begin(rules="hand-n-foot")
    lay(person, "new-pile", "9", "LADY")
    assert "Clean book of 9s 670 8 cards" in person.text
    group = re.findall(r'id="group-(n\d+)"', person.page)[-1]
    form = person.open(f"{SIDE}/group/{group}")
    assert "How many are ladies on top?" in person.text and re.search(r'name="cap-LADY"[^>]*value="1"', form)
    person.send(f"{SIDE}/group/{group}/count", **{"rank": "9", "cards": "9", "wild-JOKER": "1", "cap-LADY": "1"})
    assert "Ladies can cap only clean and wild books of 7 or more cards." in person.text
    person.send(f"{SIDE}/group/{group}/count", **{"rank": "9", "cards": "10", "cap-LADY": "2"})
    assert "Clean book of 9s 680" in person.text and "at most 1 cap. This one has 2" in person.text
    person.send(f"{SIDE}/group/{group}/count", **{"rank": "9", "cards": "2", "cap-LADY": "2"})
    assert "A book of 2 cards cannot hold those caps and a natural card" in person.notices()[0]
    person.send(f"{SIDE}/group/{group}/count", **{"rank": "9", "cards": "2", "wild-JOKER": "1", "cap-LADY": "1"})
    assert "cannot hold those wilds, those caps and a natural card" in person.notices()[0]
    person.send(f"{SIDE}/group/{group}/count", **{"rank": "9", "cards": "2", "wild-JOKER": "2", "cap-LADY": "0"})
    assert "cannot hold those wilds and a natural card" in person.notices()[0]


def test_a_capped_book_called_a_squared_pile_keeps_its_points(person: Person) -> None:
    person.begin(rules="hand-n-foot")
    lay(person, "new-meld", *["9"] * 7, "LADY")
    assert "Clean book of 9s 670" in person.text
    group = re.findall(r'id="group-(n\d+)"', person.page)[-1]
    form = person.open(f"{SIDE}/group/{group}")
    fields = dict(re.findall(r'name="(cards|wild-\w+|cap-\w+)"[^>]*value="(\d+)"', form))
    assert fields == {"cards": "8", "wild-JESTER": "0", "wild-JOKER": "0", "cap-LADY": "1"}
    person.send(f"{SIDE}/group/{group}/count", rank="9", **fields)
    assert "Clean book of 9s 670" in person.text, "what the form proposes changes no points"


@pytest.mark.parametrize(("face", "name", "points"), [("KH", "K♥", "80"), ("3S", "3♠", "−30")])
def test_a_strange_card_on_a_pile_is_named(person: Person, face: str, name: str, points: str) -> None:
    person.begin(rules="golden-games")
    lay(person, "new-pile", "8H", face)
    assert f"Not a valid meld yet {points}" in person.text and "A meld can hold only one rank" in person.text
    group = re.findall(r'id="group-(n\d+)"', person.page)[-1]
    person.open(f"{SIDE}/group/{group}")
    assert f"{name} does not belong in this book." in person.text
    person.send(f"{SIDE}/group/{group}/count", rank="8", cards="1")
    assert f"A book of 1 card cannot hold the {name} and a natural card" in person.notices()[0]


@pytest.mark.parametrize(
    ("top", "rank", "name"), [("LADY", "9", "Clean book of 9s"), ("JOKER", "5", "Dirty book of 5s")]
)
def test_a_pile_under_a_lady_or_a_wild_is_asked_for_its_rank(person: Person, top: str, rank: str, name: str) -> None:
    person.begin(rules="hand-n-foot")
    lay(person, "new-pile", top)
    assert 'name="rank" required' in person.page and f"Closed book under the {top.lower()}: how many" in person.text
    assert "Say what rank the book is" in person.notices()[0]
    person.count_piles(rank=rank)
    assert name in person.text


def test_laid_threes_are_offered_only_where_rules_lay_them(person: Person) -> None:
    person.begin(rules="hand-n-foot")
    assert "Laid threes" not in person.open(f"{SIDE}/add?group=new-meld")
    lay(person, "new-meld", "9")
    assert "Laid threes" not in person.open(f"{SIDE}/card/a1") + person.open(f"{SIDE}/group/n1")
    person.send(f"{SIDE}/change", op="add", group="laid", face="LADY")
    assert "Laid threes" in person.open(f"{SIDE}/add?group=new-meld"), "some lie there"
    golden = person.begin(rules="golden-games")
    assert "Laid threes" in person.open(f"{golden}/side/0/add?group=new-meld")


def test_natural_cards_without_a_suit_carry_no_star(person: Person) -> None:
    person.begin(rules="hand-n-foot")
    page = person.open(f"{SIDE}/add?group=new-meld")
    starred = set(re.findall(r"<b>([^<]+)</b><i[^>]*>★</i>", page))
    assert starred == {"Joker", "Jester"}


@pytest.mark.parametrize(("players", "told"), [("2", False), ("3", False), ("4", True), ("5", True)])
def test_partner_rules_are_told_to_partners(person: Person, players: str, told: bool) -> None:
    round_url = person.begin(rules="hand-n-foot", players=players)
    for page in ("/game/1/", f"{round_url}/out"):
        text = person.open(page)
        assert ("the partner has given permission" in text) == told and "a last discard is allowed" in text


@pytest.mark.parametrize("players", ["3", "5"])
def test_tour_of_lakes_is_played_by_three_or_five_alone(person: Person, players: str) -> None:
    round_url = person.begin(rules="tour-of-lakes", players=players)
    person.open(f"{round_url}/check")
    assert "These rules are for" not in person.text and f"Player {players}" in person.text
    assert f"{players} players" in person.open("/game/1/")


def test_black_threes_melded_in_going_out(person: Person) -> None:
    round_url = person.begin(rules="canasta")
    lay(person, "new-meld", "3S", "3S", "3C")
    assert "Not a valid meld of 3s yet 15" in person.text and "only by the side that goes out" in person.text
    person.send(f"{round_url}/facts", went_out="0.0")
    person.open(f"{SIDE}/")
    assert "Meld of 3s 15" in person.text and "only by the side that goes out" not in person.text
    assert '<option value="3"' in person.open(f"{SIDE}/group/n1"), "a pile may be of threes here"


@pytest.mark.parametrize("group", ["left0", "left1", "laid"])
def test_cards_that_are_no_meld_are_no_pile_either(person: Person, group: str) -> None:
    """Nothing would be left to show them in, on every page of that round."""
    person.begin()
    person.send(f"{SIDE}/change", op="add", group=group, face="3H")
    count = {"op": "count", "group": group, "rank": "8", "cards": 7}
    person.send(f"{SIDE}/group/{group}/count", rank="8", cards="7")
    assert person.status == 404 and "That group is gone" in person.text
    person.send(f"{SIDE}/change", **count)
    assert person.status == 400 and "could not be understood" in person.text
    store = services_of(person.client.application).store
    store.rounds.correct(store.games()[0].rounds[0].id, 0, count)  # as an export of anybody may hold it
    store.rounds.correct(store.games()[0].rounds[0].id, 0, {"op": "spread", "group": group})
    for path in (f"{SIDE}/", f"{SIDE}/left", "/game/1/round/1/check"):
        person.open(path)
        assert person.status == 200


@pytest.mark.parametrize("odd", [{"rank": "ZZZ"}, {"rank": "8", "wilds": "QX"}])
def test_a_pile_of_cards_that_no_deck_has_is_refused(person: Person, odd: dict[str, str]) -> None:
    person.begin()
    lay(person, "new-pile", "8H")
    group = re.findall(r'id="group-(n\d+)"', person.page)[-1]
    person.send(f"{SIDE}/change", op="count", group=group, cards="7", **odd)
    assert person.status == 400
    person.send(f"{SIDE}/group/{group}/count", cards="7", **odd)
    assert "cannot be scored" not in person.open(f"{SIDE}/")
