"""What a reader is told of the decks in play."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np

from scorer.faces import JOKER, STANDARD_FACES, Face
from tests.webui.decks.pictures import picture, pictures
from vision.detect.trace import Trace
from vision.reader import CardReader, HouseholdReader
from vision.values import DEFAULT_HOUSE_RULES, Frame, Reading
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks


class Named(CardReader):
    """A reader that notes what it was asked to read."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def read_traced(self, frame: Frame, *given: Any) -> tuple[Reading, Trace]:
        self.asked.append(given)
        return Reading(1, 1, 0.0, (), (), ()), Trace()

    def warm(self) -> None:
        self.asked.append("warm")


def test_a_reader_is_told_of_the_household_s_decks_and_of_no_others(decks: TaughtDecks) -> None:
    decks.add("Ours", "standard", pictures([JOKER]))
    decks.add("Plain", "standard", pictures(STANDARD_FACES))
    cards = PictureCards(decks)
    assert cards.of(["standard"]) is None
    ours, plain, both = (cards.of(ids) for ids in (["ours", "standard"], ["plain"], ["ours", "plain"]))
    assert ours is not None and plain is not None and both is not None
    assert [set(one.decks) for one in (ours, plain, both)] == [set(), {"plain"}, {"plain"}], (
        "jokers alone are found by their pictures"
    )
    assert cards.of(["ours"]) is ours, "kept"
    decks.add_picture("ours", JOKER, picture("old joker"))
    assert cards.of(["ours"]) is not ours
    table = np.full((200, 300, 3), 90, np.uint8)
    decks.add("Number", "standard", pictures([Face("8", "C")]))
    number = cards.of(["number"])
    assert number is not None and number.applied(table, [], []) == [], "numbers are looked for by the networks alone"


def test_decks_that_were_learnt_are_read_by_the_networks_that_learnt_them(decks: TaughtDecks) -> None:
    decks.add("Ours", "standard", pictures(STANDARD_FACES))
    decks.add("Other", "standard", pictures(STANDARD_FACES))
    cards, shipped, learnt = PictureCards(decks), Named(), Named()
    reader = HouseholdReader(shipped, learnt, ["ours"])
    frame = Frame(np.zeros((4, 4, 3), np.uint8), datetime.now(UTC), "table")
    for ids, asked in ((["standard"], shipped), (["other"], shipped), (["other", "ours"], learnt)):
        before = len(asked.asked)
        reader.read(frame, DEFAULT_HOUSE_RULES, cards.of(ids))
        assert len(asked.asked) == before + 1 and asked.asked[-1] == (DEFAULT_HOUSE_RULES, cards.of(ids))
    reader.warm()
    assert shipped.asked[-1] == learnt.asked[-1] == "warm"
