"""Buried cards on the page: where the rules bury, they count for their value; log, tally, pad and undo know them."""

from __future__ import annotations

import json

import pytest

from tests.webui.helpers.playing import Person

SIDE = "/game/1/round/1/side/0"


@pytest.mark.parametrize("rules", ["tanglewood", "vegas"])
def test_a_lone_buried_joker_counts_and_is_no_broken_meld(person: Person, rules: str) -> None:
    round_url = person.begin(rules=rules, players="4")
    assert "Buried cards" in person.open(f"{SIDE}/add?group=buried")
    person.send(f"{SIDE}/change", op="add", group="buried", face="JK")
    assert person.group("buried").startswith("Buried cards 50") and "Not a valid meld" not in person.text
    person.open(f"{round_url}/check")
    assert "Buried cards Joker 50" in person.text
    person.agree(round_url)
    assert "jokers buried: 1 × 50" in person.text.replace("\N{NO-BREAK SPACE}", " ").lower()
    sheet = json.loads(person.client.get(f"{round_url}/sheet.json").text)
    assert sheet["sides"][0]["buried"] == ["JK"] and sheet["sides"][0]["melds"] == []
    person.open("/game/1/pad")
    assert "Cards on the table and buried 50" in person.text
    assert "Card added to the buried cards" in person.open("/game/1/log")


def test_a_buried_card_is_undone_and_moved(person: Person) -> None:
    person.begin(rules="tanglewood", players="4")
    person.send(f"{SIDE}/change", op="add", group="new-meld", face="JK")
    assert "Not a valid meld yet" in person.text
    assert "Buried cards" in person.open(f"{SIDE}/card/a1")
    person.send(f"{SIDE}/change", op="move", card="a1", group="buried")
    assert "Not a valid meld" not in person.text and person.group("buried").startswith("Buried cards 50")
    person.undo()
    assert "Not a valid meld yet" in person.text


def test_a_buried_three_is_named(person: Person) -> None:
    person.begin(rules="tanglewood", players="4")
    person.send(f"{SIDE}/change", op="add", group="buried", face="3S")
    assert "Only cards that could be melded can be buried, not black 3s." in person.group("buried")


def test_where_the_rules_do_not_bury_there_is_no_place_for_it(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/change", op="add", group="new-meld", face="8H")
    assert "Buried" not in person.text
    for page in ("add?group=new-meld", "card/a1", "typed/cards"):
        assert "Buried" not in person.open(f"{SIDE}/{page}"), page
