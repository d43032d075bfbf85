"""What a reader is told of the decks in play."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
import pytest

from scorer.faces import JOKER, Face
from tests.webui.decks.pictures import picture, pictures
from vision.cards.conflicts import joined
from vision.detect.trace import Trace
from vision.reader import CardReader, HouseholdReader, RoiReader
from vision.values import DEFAULT_HOUSE_RULES, Frame, Reading, SeenCard
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks

BLACK = SeenCard(Face("LADY"), 0.99, (), ((0, 0), (20, 0), (20, 30), (0, 30)), None)
"""A card on dark paper."""


class Named(CardReader):
    """A reader that notes what it was asked to read."""

    def __init__(self) -> None:
        self.networks = "named"
        self.asked: list[Any] = []
        self.negatives: list[Any] = []
        self.weighed: list[Any] = []

    def read_traced(self, frame: Frame, *given: Any) -> tuple[Reading, Trace]:
        self.asked.append(given)
        return Reading(1, 1, 0.0, (), (), ()), Trace()

    def read_given(self, frame: Frame, given: Any, negative: bool = False) -> tuple[Reading, Trace]:
        if not negative:
            self.weighed.append(given.likeness)
            return self.read_traced(frame, given.house_rules, given.taught, given.learnt, given.also, given.looks)
        self.negatives.append(given)
        return Reading(1, 1, 0.0, (BLACK,), (), ()), Trace(built=[BLACK])

    def warm(self) -> None:
        self.asked.append("warm")


def test_a_reader_is_told_of_the_household_s_decks_and_of_no_others(decks: TaughtDecks) -> None:
    decks.add("Ours", "standard", pictures([JOKER]))
    decks.add("Plain", "standard", pictures([Face("8", "C")]))
    cards = PictureCards(decks)
    assert cards.of(["standard"]) is None
    ours, plain, both = (cards.of(ids) for ids in (["ours", "standard"], ["plain"], ["ours", "plain"]))
    assert ours is not None and plain is not None and both is not None
    assert [set(one.decks) for one in (ours, plain, both)] == [{"ours", "standard"}, {"plain"}, {"ours", "plain"}]
    assert cards.of(["ours", "standard"]) is ours, "kept"
    decks.add_picture("ours", JOKER, picture("old joker"))
    assert cards.of(["ours", "standard"]) is not ours
    table = np.full((200, 300, 3), 90, np.uint8)
    assert plain.applied(table, [], []) == [], "numbers are looked for by the networks alone"


def test_networks_that_learned_a_deck_see_its_jokers_and_read_it_all_where_its_faces_are_others(
    decks: TaughtDecks,
) -> None:
    for name, kind in (("Ours", "standard"), ("Other", "standard"), ("Ladies", "hand-n-foot")):
        decks.add(name, kind, pictures([JOKER] if kind == "standard" else [Face("LADY")]))
    cards, shipped, learnt = PictureCards(decks), Named(), cast(RoiReader, Named())
    reader = HouseholdReader(shipped, learnt, ["ours", "ladies"], ["ladies"])
    frame = Frame(np.zeros((4, 4, 3), np.uint8), datetime.now(UTC), "table")
    for ids, asked, by_pictures, also in (
        (["standard"], shipped, True, None),
        (["other"], shipped, True, None),
        (["other", "ours"], shipped, True, learnt),
        (["other", "ladies"], learnt, True, None),
        (["ours", "ladies", "standard"], learnt, False, None),
    ):
        reader.read(frame, DEFAULT_HOUSE_RULES, cards.of(ids))
        given = cast(Named, asked).asked[-1]
        assert given == (DEFAULT_HOUSE_RULES, cards.of(ids) if by_pictures else None, also, (), None), ids
        if asked is learnt:
            told = cards.of(ids)
            assert told and told.likeness and cast(Named, learnt).weighed[-1] is told.likeness, "all that was shown"
    reader.warm()
    assert shipped.asked[-1] == cast(Named, learnt).asked[-1] == "warm"


def test_decks_on_dark_paper_are_read_on_the_negative_and_those_beside_them_as_ever(decks: TaughtDecks) -> None:
    for name in ("Ladies", "Lords"):
        decks.add(name, "hand-n-foot", pictures([Face("LADY")]))
    cards, shipped, learnt = PictureCards(decks), Named(), Named()
    reader = HouseholdReader(shipped, cast(RoiReader, learnt), ["ladies", "lords"], ["ladies", "lords"], ["ladies"])
    frame = Frame(np.zeros((4, 4, 3), np.uint8), datetime.now(UTC), "table")
    assert reader.read(frame, DEFAULT_HOUSE_RULES, cards.of(["ladies"])).cards == (BLACK,)
    assert not shipped.asked and not learnt.asked
    for others, light in (("standard", shipped), ("lords", learnt)):
        reader.read(frame, DEFAULT_HOUSE_RULES, cards.of(["ladies", others]))
        assert light.asked[-1][-2] == [BLACK], "joined with what the picture itself shows"
    reader.read(frame, DEFAULT_HOUSE_RULES, cards.of(["lords"]))
    assert len(learnt.negatives) == 3 and learnt.asked[-1][-2] == ()


def test_what_was_learned_is_set_aside_where_it_alone_fails_and_reading_goes_on(
    decks: TaughtDecks, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Named):
        fails = True

        def read_traced(self, frame: Frame, *given: Any) -> tuple[Reading, Trace]:
            if self.fails:
                raise FloatingPointError("no numbers")
            return super().read_traced(frame, *given)

    decks.add("Ladies", "hand-n-foot", pictures([Face("LADY")]))
    taught = PictureCards(decks).of(["ladies"])
    frame = Frame(np.zeros((4, 4, 3), np.uint8), datetime.now(UTC), "table")
    shipped, learnt = Failing(), Failing()
    reader = HouseholdReader(shipped, cast(RoiReader, learnt), ["ladies"], ["ladies"])
    with pytest.raises(FloatingPointError):
        reader.read(frame, DEFAULT_HOUSE_RULES, taught)
    shipped.fails = learnt.fails = False
    reader.read(frame, DEFAULT_HOUSE_RULES, taught)
    assert len(learnt.asked) == 1 and not shipped.asked, "that picture was at fault, not what was learned"
    learnt.fails = True
    for _ in range(2):
        assert not reader.read(frame, DEFAULT_HOUSE_RULES, taught).cards
    assert len(shipped.asked) == 2
    learnt.fails = False
    reader.read(frame, DEFAULT_HOUSE_RULES, taught)
    assert (len(learnt.asked), len(shipped.asked)) == (1, 3)
    assert caplog.text.count("what was learned of ladies fails in reading and is set aside") == 1


def test_a_card_of_the_negative_counts_where_the_picture_shows_none() -> None:
    moved = replace(BLACK, quad=((40, 0), (60, 0), (60, 30), (40, 30)))
    assert joined([BLACK], [replace(BLACK, face=Face("LORD")), moved]) == [BLACK, moved]
