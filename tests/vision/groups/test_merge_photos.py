"""Merging several readings of one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from scorer.faces import RANKS, SUITS, Face
from vision.arrays import floats
from vision.doubts import Doubt
from vision.groups.merge_photos import combined, merge, register
from vision.values import Reading, SeenCard, as_quad

RNG = np.random.default_rng(8)


@pytest.fixture(autouse=True)
def _same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test draws the same numbers, whichever ran before it."""
    monkeypatch.setattr(f"{__name__}.RNG", np.random.default_rng(8))


TURN = cv2.getRotationMatrix2D((500, 400), 7, 0.93)
TILTED = np.vstack([TURN, [0, 0, 1]]) + np.array([[0, 0, 30], [0, 0, -20], [4e-5, 2e-5, 0]])


def spread(count: int = 30) -> list[SeenCard]:
    """Columns of cards of one rank each, identical ones among them, a third of a card apart."""
    cards = []
    for i in range(count):
        x, y = 60 + 180 * (i // 6), 60 + 50 * (i % 6)
        outline = floats([[x, y], [x + 120, y], [x + 120, y + 168], [x, y + 168]])
        face = Face(RANKS[3 + i // 6], SUITS[int(RNG.integers(2))])
        cards.append(SeenCard(face, 0.97, ((Face("A", "S"), 0.01),), as_quad(outline)))
    return cards


def seen(cards: Sequence[SeenCard], camera: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Reading:
    """The reading of the cards by a camera elsewhere: slightly off, in another order."""
    moved = []
    for i in RNG.permutation(len(cards)):
        quad = cv2.perspectiveTransform(floats([cards[i].quad]), np.linalg.inv(camera))[0]
        off = quad + RNG.normal(0, 1.5, (4, 2))
        flipped = np.roll(off, 2, axis=0) if RNG.random() < 0.3 else off  # read from the other end
        moved.append(SeenCard(cards[i].face, cards[i].confidence, cards[i].others, as_quad(floats(flipped))))
    return Reading(1000, 800, 0.1, tuple(moved), (), ())


def read_as(cards: Sequence[SeenCard]) -> Reading:
    return Reading(1000, 800, 0.1, tuple(cards), (), ())


def faces(reading: Reading) -> Counter[str]:
    return Counter(str(card.face) for card in reading.cards)


def test_readings_of_a_moved_camera_are_registered() -> None:
    cards = spread()
    onto = register(seen(cards, np.eye(3)), seen(cards, TILTED))
    assert onto is not None
    points = floats([[[100, 100], [800, 120], [500, 400]]])
    there = cv2.perspectiveTransform(cv2.perspectiveTransform(points, np.linalg.inv(TILTED)), onto)
    assert np.abs(there - points).max() < 4


def test_a_table_seen_from_its_other_side_is_registered_though_all_places_match_as_they_are() -> None:
    cards = spread()
    half_turn = np.array([[-1.0, 0, 960], [0, -1, 538], [0, 0, 1]])  # about the middle of the cards
    merged = merge([read_as(cards), seen(cards, half_turn)])
    assert faces(merged.reading) == Counter(str(card.face) for card in cards)
    assert {card.doubt for card in merged.reading.cards} == {None}


def test_several_readings_of_a_table_count_each_card_once() -> None:
    cards = spread()
    merged = merge([seen(cards, np.eye(3)), seen(cards, TILTED), seen(cards, np.eye(3))])
    assert faces(merged.reading) == Counter(str(card.face) for card in cards)
    assert all(len(places) == 3 for places in merged.sources)
    assert merged.apart == ()
    assert sorted(i for group in merged.reading.groups for i in group.cards) == list(range(len(cards)))


def test_a_photo_of_another_part_adds_only_its_new_cards() -> None:
    cards = spread()
    merged = merge([seen(cards[:14], np.eye(3)), seen(cards[22:], np.eye(3)), seen(cards[8:26], TILTED)])
    assert faces(merged.reading) == Counter(str(card.face) for card in cards)
    assert merged.apart == ()


def test_photos_without_common_cards_stay_apart() -> None:
    cards = spread()
    merged = merge([seen(cards[:12], np.eye(3)), seen(cards[12:], np.eye(3))])
    assert merged.apart == (1,)
    assert len(merged.reading.cards) == 12


def test_a_misread_card_is_outvoted_and_gets_a_doubt() -> None:
    cards = spread(12)
    wrong = [*cards[:3], SeenCard(Face("2", "C"), 0.55, ((cards[3].face, 0.4),), cards[3].quad), *cards[4:]]
    merged = merge([seen(wrong, np.eye(3)), seen(cards, TILTED), seen(cards, TILTED)])
    assert faces(merged.reading) == Counter(str(card.face) for card in cards)
    assert Counter(card.doubt for card in merged.reading.cards) == {None: 11, Doubt.LOOKS_DIFFER: 1}


@pytest.mark.parametrize("numbers", [4, 7, 45, 50])
def test_a_column_of_equal_cards_is_not_matched_one_card_further(numbers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.RNG", np.random.default_rng(numbers))  # seven equal cards in two columns
    test_a_misread_card_is_outvoted_and_gets_a_doubt()


def look(text: str, confidence: float, doubt: str | None, others: str = "") -> SeenCard:
    """A look at a card; ``others`` such as ``8H 0.3 9H 0.2`` are its other faces."""
    words = others.split()
    ranked = tuple((Face.parse(face), float(share)) for face, share in zip(words[::2], words[1::2], strict=True))
    return SeenCard(Face.parse(text), confidence, ranked, spread(1)[0].quad, doubt)


def test_a_look_that_is_sure_is_not_outvoted_by_looks_that_are_not() -> None:
    unsure = look("8H", 0.7, Doubt.LOW_CONFIDENCE)
    card = combined([unsure, look("3H", 0.999, Doubt.PERHAPS_ANOTHER), unsure])
    assert (str(card.face), card.doubt) == ("3H", Doubt.LOOKS_DIFFER)


@pytest.mark.parametrize("doubt", [Doubt.PERHAPS_ANOTHER, Doubt.TOO_MANY_COPIES, None])
def test_looks_that_differ_say_so_and_name_each_other_first(doubt: Doubt | None) -> None:
    between = "9H 0.2 9D 0.2 9S 0.1"
    card = combined([look("8H", 0.999, doubt, between), look("3H", 0.99, doubt, between)])
    assert (str(card.face), card.doubt, str(card.others[0][0])) == ("8H", Doubt.LOOKS_DIFFER, "3H")


def test_one_look_that_is_sure_settles_a_face_that_all_agree_on() -> None:
    card = combined([look("8H", 0.7, Doubt.LOW_CONFIDENCE), look("8H", 0.999, Doubt.PERHAPS_ANOTHER)])
    assert (str(card.face), card.doubt, card.confidence) == ("8H", Doubt.PERHAPS_ANOTHER, 0.999)


def test_merging_leaves_a_sure_card_its_face() -> None:
    cards = [replace(card, others=((Face.parse("7D"), 0.3),)) for card in spread(12)]
    cards[3] = replace(cards[3], face=Face.parse("7H"), doubt=Doubt.PERHAPS_ANOTHER)
    cards[3] = replace(cards[3], others=((cards[2].face, 0.3),))  # the rank of the meld that it lies in
    merged = merge([read_as(cards), read_as(cards)])
    assert faces(merged.reading) == Counter(str(card.face) for card in cards)
    assert [card.doubt for card in merged.reading.cards if str(card.face) == "7H"] == [Doubt.PERHAPS_ANOTHER]


def test_a_card_seen_in_too_few_readings_is_left_out() -> None:
    cards = spread(12)
    ghost = SeenCard(Face("Q", "H"), 0.6, (), ((700.0, 600.0), (820.0, 600.0), (820.0, 768.0), (700.0, 768.0)))
    readings = [seen(cards, np.eye(3)), seen([*cards, ghost], np.eye(3)), seen(cards, np.eye(3))]
    assert len(merge(readings).reading.cards) == 13
    assert faces(merge(readings, min_seen=2).reading) == Counter(str(card.face) for card in cards)


def test_a_single_card_that_cannot_register_readings_is_not_lost() -> None:
    reading = seen(spread(1), np.eye(3))
    assert len(merge([reading, reading, reading], min_seen=2).reading.cards) == 1


def test_empty_readings_are_merged() -> None:
    empty = Reading(1000, 800, 0.1, (), (), ())
    assert merge([empty, empty]).reading.cards == ()
    with pytest.raises(ValueError, match="at least one reading"):
        merge([])


@pytest.mark.parametrize(
    ("doubts", "expected"),
    [
        ((None, None), Doubt.SUIT_UNSURE),
        ((None, Doubt.LOW_CONFIDENCE), Doubt.SUIT_UNSURE),
        ((Doubt.PERHAPS_ANOTHER, Doubt.LOW_CONFIDENCE), Doubt.PERHAPS_ANOTHER),
        ((Doubt.LOW_CONFIDENCE, Doubt.LOW_CONFIDENCE), Doubt.LOOKS_DIFFER),
    ],
)
def test_looks_that_differ_in_the_suit_alone_doubt_no_sure_rank(
    doubts: tuple[Doubt | None, Doubt | None], expected: Doubt
) -> None:
    card = combined([look("9S", 0.999, doubts[0], "9C 0.4"), look("9C", 0.99, doubts[1], "9S 0.3")])
    assert (card.face.rank, card.doubt, card.others[0][0].rank) == ("9", expected, "9")
    if expected != Doubt.LOOKS_DIFFER:
        assert card.confidence == 0.999, "of its rank"
