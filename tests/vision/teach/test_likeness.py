"""Cards of a deck that was shown whole are weighed by its pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.decks.unsuited.draw import hand_n_foot_deck
from scorer.faces import JOKER, Face
from tests.vision.teach.test_match import FAR, NONE, QUAD, detected, table
from vision.arrays import Floats, floats
from vision.doubts import DOUBT_BY_PICTURE, Doubt
from vision.geometry import corner_region
from vision.teach.match.likeness import Likeness
from vision.values import CornerReading, Pixels, SeenCard, as_quad

DECK = hand_n_foot_deck("weighed", 5, family="pips")
PICTURES: dict[Face, list[Pixels]] = {
    face: [np.asarray(cv2.resize(shown[0], (480, 2 * DECK.height))[..., :3], np.uint8)]
    for face, shown in DECK.faces.items()
}
ONE, FIVE, ELEVEN, TWELVE = map(Face, ("1", "5", "11", "12"))


def read_as(face: Face, quad: Floats, share: float = 0.9, p_keep: float = 0.9, other: Face = TWELVE) -> SeenCard:
    """A card as a reader has it by the index at its top left."""
    region = corner_region(quad[None], np.array([False]), (0.18, 0.29))[0]
    (x0, y0), (x1, y1) = region.min(0).tolist(), region.max(0).tolist()
    corner = CornerReading(((face, share), (other, 1 - share)), (x0, y0, x1, y1), as_quad(quad), p_keep)
    return SeenCard(face, p_keep, ((other, 1 - share),), as_quad(quad), Doubt.LOW_CONFIDENCE, (corner,))


@pytest.fixture(scope="module")
def likeness() -> Likeness:
    return Likeness(PICTURES)


def test_a_card_that_looks_like_its_picture_is_not_asked_about(likeness: Likeness) -> None:
    picture = table((PICTURES[FIVE][0], QUAD))
    kept, others = likeness.applied(picture, NONE, [read_as(FIVE, QUAD, 0.99, 0.99)])
    assert [(card.face, card.doubt) for card in kept] == [(FIVE, None)] and not others
    assert kept[0].confidence >= DOUBT_BY_PICTURE


def test_a_card_that_another_picture_looks_more_like_is_asked_about_or_dropped(likeness: Likeness) -> None:
    picture = table((PICTURES[ELEVEN][0], QUAD))
    firm = read_as(FIVE, QUAD, 0.9999, 0.999, ELEVEN)
    kept, _ = likeness.applied(picture, NONE, [firm])
    assert all(card.doubt == Doubt.LOW_CONFIDENCE for card in kept)
    right, _ = likeness.applied(picture, NONE, [read_as(ELEVEN, QUAD, 0.9999, 0.999, FIVE)])
    assert right[0].doubt is None and (not kept or kept[0].confidence < right[0].confidence)


def test_what_is_no_card_becomes_a_hint_and_what_nearly_was_none_a_card(likeness: Likeness) -> None:
    picture = table((PICTURES[FIVE][0], QUAD))
    weak, nothing = read_as(FIVE, QUAD, 0.95, 0.5), read_as(ONE, FAR, 0.6, 0.5)
    kept, others = likeness.applied(picture, NONE, [weak, nothing])
    assert [card.face for card in kept] == [FIVE]
    assert len(others) == 1 and np.allclose(others[0], FAR)


def test_faces_without_a_picture_stay_as_they_are(likeness: Likeness) -> None:
    card = read_as(Face("Q", "H"), QUAD)
    joker = replace(read_as(JOKER, FAR, p_keep=0.7), doubt=None)
    weak = read_as(Face("Q", "H"), FAR, p_keep=0.5)
    kept, others = likeness.applied(table(), NONE, [card, joker, weak])
    assert kept == [joker, card] and len(others) == 1


def test_outlines_that_are_no_card_are_not_looked_at(likeness: Likeness) -> None:
    bent = floats([[300, 140], [301, 140], [300, 141], [299, 140]])
    kept, others = likeness.applied(table(), NONE, [read_as(FIVE, bent, 0.6, 0.3)])
    assert not kept and len(others) == 1


BARE = hand_n_foot_deck("bare", 5, family="pips", quirks=["bare"])
LADY, LORD = Face("LADY"), Face("LORD")


@pytest.fixture(scope="module")
def bare() -> Likeness:
    return Likeness(
        {face: [np.asarray(cv2.resize(one[0], (480, 2 * BARE.height))[..., :3])] for face, one in BARE.faces.items()}
    )


def laid(face: Face) -> Pixels:
    return np.asarray(cv2.resize(BARE.faces[face][0], (480, 2 * BARE.height))[..., :3], np.uint8)


def test_a_picture_card_without_an_index_is_found_by_its_whole_face(bare: Likeness) -> None:
    kept, _ = bare.applied(table((laid(LADY), QUAD)), detected(QUAD), [])
    assert [card.face for card in kept] == [LADY]
    assert np.allclose(kept[0].quad, QUAD)
    assert bare.applied(table(), detected(QUAD), [])[0] == []
    number = bare.applied(table((laid(FIVE), QUAD)), detected(QUAD), [])[0]
    assert number == [], "a number is read by its index"


def test_it_is_found_where_another_card_covers_half_of_it(bare: Likeness) -> None:
    for way in (0.48 * (QUAD[1] - QUAD[0]), 0.48 * (QUAD[3] - QUAD[0])):
        over = table((laid(LORD), QUAD), (laid(FIVE), QUAD + way))
        assert LORD in [card.face for card in bare.applied(over, detected(QUAD), [])[0]]


def test_a_whole_face_is_believed_where_a_card_is_in_doubt_and_counts_once(bare: Likeness) -> None:
    picture, wrong = table((laid(LADY), QUAD)), read_as(Face("Q", "H"), QUAD)
    kept, _ = bare.applied(picture, detected(QUAD, QUAD + 3), [wrong])
    assert [card.face for card in kept] == [LADY]
    assert [face for face, _ in kept[0].others] == [wrong.face]
    sure = replace(wrong, doubt=None)
    assert bare.applied(picture, detected(QUAD), [sure])[0] == [sure]
