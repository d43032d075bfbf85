"""An agreed round that was changed and not agreed again says so wherever its points are shown."""

from __future__ import annotations

import re

from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.rounds.agreement import unsettled_rounds

ROUND = "/game/1/round/1"
NORTH = f"{ROUND}/side/0"
SHOWN = ("/", "/game/1/", "/game/1/pad", "/game/1/television")


def says_so(person: Person) -> list[bool]:
    return [
        bool(re.search(r"Round 1 (was )?changed (after|since)", person.open(path) and person.text)) for path in SHOWN
    ]


def test_a_changed_round_says_so_until_it_is_agreed_again(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    person.agree(ROUND)
    assert person.path == f"{ROUND}/tally"
    assert says_so(person) == [False] * 4
    person.send(f"{NORTH}/change", op="remove", card="p1c0")
    assert says_so(person) == [True] * 4
    person.agree(ROUND)
    assert says_so(person) == [False] * 4
    person.send(f"{NORTH}/change", op="remove", card="p1c1")
    person.open(f"{NORTH}/")
    person.undo()
    assert says_so(person) == [False] * 4, "a change that was undone is none"


def test_an_answered_doubt_changes_no_round(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    person.agree(ROUND)
    store = services_of(person.client.application).store
    person.send(f"{NORTH}/change", op="name", card="p1c0", face="8H")
    assert store.touched_since_agreed([1]) == {(1, 1)} and unsettled_rounds(store, [1]) == {}
