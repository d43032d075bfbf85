"""The page of a round's points: whose cards are left, which side and meld breaks a rule, and the way to correct it."""

from __future__ import annotations

import re

import pytest

from tests.webui.helpers.playing import Person


@pytest.fixture
def scored(person: Person) -> Person:
    """A round that everyone agreed on, with the page of its points open."""
    url = person.begin(rules="golden-games")
    person.send(f"{url}/facts", went_out="")
    person.send(f"{url}/side/0/typed/cards", melds="8 8\n9 9\nK K K", left0="2 4", left1="2 5")
    person.send(f"{url}/side/1/typed/cards", melds="Q Q", left0="2", left1="")
    person.send(f"{url}/facts", unseen="yes")
    person.agree(url)
    assert person.path.endswith("/tally"), person.text
    return person


def test_cards_left_say_whose_they_are(scored: Person) -> None:
    assert "North: 2s left: 1 × −20" in scored.text and "South: 2s left: 1 × −20" in scored.text
    assert "East: 2s left" in scored.text


def test_broken_rules_name_side_and_meld(scored: Person) -> None:
    broken = re.findall(r'<ul class="broken">(.*?)</ul>', scored.page, re.DOTALL)
    assert "North–South: Not a valid meld of 8s yet: A meld needs at least 3 cards." in broken[0]
    assert "North–South: Not a valid meld of 9s yet: A meld needs at least 3 cards." in broken[0]
    assert "East–West: Not a valid meld of queens yet: A meld needs at least 3 cards." in broken[1]


def test_several_melds_with_too_few_cards_are_one_thing_to_look_at(scored: Person) -> None:
    said = "2 melds have fewer than 3 cards: 8s and 9s."
    scored.open("/game/1/round/1/anyway")
    assert scored.text.count("fewer than 3 cards") == 1 and f"North–South: {said}" in scored.text
    scored.open("/game/1/round/1/side/0/")
    top = scored.page.partition('class="groups"')[0]
    assert said in top and "Not a valid meld" not in top


def test_a_single_meld_with_too_few_cards_is_named(scored: Person) -> None:
    scored.open("/game/1/round/1/anyway")
    assert "East–West: Not a valid meld of queens yet: A meld needs at least 3 cards. This one has 2." in scored.text
