"""Taught jokers and picture cards are found on tables by what shows of them, at once and without learning."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.styles import Look
from scorer.faces import JOKER, Face
from tests.vision.teach.drawn import frame, seen
from vision.arrays import Floats, floats
from vision.detect.detections import Detections
from vision.geometry import quad_width
from vision.reader import load_reader
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import Pixels, SeenCard

DECK = draw_deck("signs", 9001, look=Look(own_signs="apart"))


def taught_picture(face: Face) -> Pixels:
    return np.asarray(cv2.resize(DECK.faces[face][0], (480, 2 * DECK.height))[..., :3], np.uint8).copy()


PICTURE, OTHER = taught_picture(JOKER), taught_picture(Face("Q", "H"))
QUAD = floats([[300, 140], [428, 160], [398, 345], [270, 325]])
FAR = QUAD - floats([200, 60])
NONE = Detections.empty()


def table(*cards: tuple[Pixels, Floats]) -> Pixels:
    """A dim, soft photo of cards, (480, 640, 3) BGR, the later over the earlier."""
    rng = np.random.default_rng(3)
    picture = np.full((480, 640, 3), (60, 90, 70), np.uint8)
    for card, quad in cards:
        height, width = card.shape[:2]
        corners = floats([[0, 0], [width, 0], [width, height], [0, height]])
        onto = cv2.getPerspectiveTransform(corners, quad)
        laid = cv2.warpPerspective(cv2.GaussianBlur(card, (0, 0), 1.5), onto, (640, 480))
        inside = cv2.warpPerspective(np.full((height, width), 255, np.uint8), onto, (640, 480)) > 127
        picture[inside] = laid[inside]
    picture = (cv2.GaussianBlur(picture, (0, 0), 0.7) * 0.7 + rng.normal(0, 4, picture.shape)).clip(0, 255)
    return picture.astype(np.uint8)


def detected(*quads: Floats) -> Detections:
    boxes = floats([[*quad.min(0), *quad.max(0)] for quad in quads])
    return Detections(boxes, np.full(len(quads), 0.2, np.float32), floats(quads))


@pytest.fixture(scope="module")
def taught() -> TaughtFaces:
    return TaughtFaces({JOKER: [PICTURE]})


def test_a_taught_card_that_no_network_saw_is_added(taught: TaughtFaces) -> None:
    cards = taught.applied(table((PICTURE, QUAD)), [NONE], [])
    assert [card.face for card in cards] == [JOKER]
    corners = floats(cards[0].quad)
    apart = min(np.abs(np.roll(corners, turn, axis=0) - QUAD).max() for turn in (0, 2))
    assert apart < 0.06 * quad_width(QUAD)


def test_a_card_in_doubt_gets_the_taught_face_though_a_card_covers_most_of_it(taught: TaughtFaces) -> None:
    shift = 0.3 * (QUAD[1] - QUAD[0])
    picture = table((PICTURE, QUAD), (OTHER, QUAD + shift))
    read = SeenCard(
        Face("7", "C"), 0.55, (), seen(JOKER, QUAD).quad, "low-confidence", seen(JOKER, QUAD, 0.55, 1).corners
    )
    cards = taught.applied(picture, [detected(QUAD)], [read])
    assert [card.face for card in cards] == [JOKER]
    assert cards[0].others[0][0] == Face("7", "C")


def test_nothing_is_found_on_other_cards_and_on_bare_tables(taught: TaughtFaces) -> None:
    other = seen(Face("Q", "H"), QUAD)
    assert taught.applied(table((OTHER, QUAD)), [detected(QUAD)], [other]) == [other]
    assert taught.applied(table(), [NONE], []) == []


def test_of_two_taught_faces_the_one_that_shows_is_named() -> None:
    both = TaughtFaces({Face("LADY"): [OTHER], Face("LORD"): [PICTURE]})
    cards = both.applied(table((OTHER, QUAD)), [detected(QUAD)], [seen(JOKER, QUAD, 0.6)])
    assert [card.face for card in cards] == [Face("LADY")]


def test_the_reader_finds_what_was_taught_and_nothing_else_changes(taught: TaughtFaces) -> None:
    reader = load_reader()
    untaught = reader.read(frame(table((OTHER, QUAD))))
    assert reader.read(frame(table((OTHER, QUAD))), taught=taught).cards == untaught.cards
    faces = [card.face for card in reader.read(frame(table((OTHER, QUAD), (PICTURE, FAR))), taught=taught).cards]
    assert faces.count(JOKER) == 1


def test_one_card_is_found_once_though_both_its_ends_show(taught: TaughtFaces) -> None:
    turned = np.roll(QUAD, 2, axis=0)
    cards = taught.applied(table((PICTURE, QUAD)), [detected(QUAD, turned, QUAD * 1.01)], [])
    assert len(cards) == 1


def test_a_joker_that_learned_networks_see_must_look_like_the_taught_one(taught: TaughtFaces) -> None:
    picture = table((PICTURE, QUAD), (OTHER, QUAD + 0.3 * (QUAD[1] - QUAD[0])))
    real, other, twice = seen(JOKER, QUAD, 0.98, 1), seen(JOKER, FAR, 0.98, 1), seen(JOKER, FAR, 0.98)
    assert taught.applied(picture, [NONE], [], [real, other, twice]) == [real]
    assert taught.applied(picture, [NONE], [], [seen(JOKER, QUAD, 0.9, 1)]) == [], "it may be no index at all"
    assert len(taught.applied(picture, [NONE], [], [seen(JOKER, QUAD, 0.9)])) == 1, "two indices are less to doubt"
    queen = seen(Face("Q", "H"), QUAD)
    assert real not in taught.applied(picture, [NONE], [queen], [real]), "a card that was read lies there"
    assert taught.applied(picture, [NONE], [], [queen]) == [], "only what was taught is asked of them"
