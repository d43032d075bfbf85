"""At a club evening each side agrees with the score of the other one; numbers from a hat are typed."""

from __future__ import annotations

import re
from html import unescape

from scorer.sheets import TypedSide
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import store_of
from webui.corrections.answers import set_typed, set_went_out


def test_each_side_agrees_with_the_score_of_the_other(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:2])
    seat(store, 1, 1)
    (one,), (two,) = evening(store, 1).stage(1).released[0]
    store.rounds.begin(1, 1)
    game = store.game(1)
    assert game is not None

    def typed(facts: dict[str, object]) -> dict[str, object]:
        facts = set_went_out(facts, 2, 0, None)
        for side, total in enumerate((980, 1615)):
            facts = set_typed(facts, side, TypedSide(total=total))
        return facts

    store.rounds.change_facts(game.rounds[0].id, typed)
    person.open("/game/1/round/1/check")
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", person.page)))
    assert f"{one}: we agree with the score of {two} 1,615" in told
    person.agree("/game/1/round/1", 0)
    person.open("/game/1/round/1/check")
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", person.page)))
    assert f"{two}: your score, agreed by {one} 1,615" in told and "with the score of" in told


def test_numbers_from_a_hat_are_typed_in_one_field_each(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    assert "They draw numbers from a hat" in person.open("/evening/1/")
    person.send("/evening/1/1/hat", name=list(SIXTEEN[:4]), drawn=["2", "1", "1", "2"])
    assert "Seated by the numbers that they drew." in person.text
    assert evening(store, 1).stage(1).tables[0] == ((SIXTEEN[1],), (SIXTEEN[2],))
    person.send("/evening/1/1/hat", name=list(SIXTEEN[:4]), drawn=["2", "1", "x", "2"])
    assert "Check the numbers." in person.text
    person.send("/evening/1/1/hat", name=list(SIXTEEN[:4]), drawn=["", "", "", ""])
    assert "Nobody has number 1. Check the numbers." in person.text
