"""Cards of German and French packs are doubted, those of others are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scorer.faces import Face
from vision.arrays import floats
from vision.cards.foreign_letters import with_foreign_doubts
from vision.detect.detections import ScoredDetections
from vision.detect.vocabulary import STANDARD_VOCABULARY, Vocabulary
from vision.images.decode import load_photo
from vision.reader import load_reader
from vision.values import CornerReading, Quad, SeenCard

PHOTOS = Path(__file__).parents[4] / "shared" / "photos"
QUAD: Quad = ((0.0, 0.0), (50.0, 0.0), (50.0, 70.0), (0.0, 70.0))
Look = dict[str, float]


def seen(*cards: tuple[str, list[Look]]) -> tuple[list[SeenCard], ScoredDetections]:
    """Sure cards with the rank probabilities of each index, as it is seen alone."""
    made, ranks = [], []
    boxes: list[tuple[float, float, float, float]] = []
    for face, looks in cards:
        corners = []
        for look in looks:
            box = (float(len(boxes)), 0.0, float(len(boxes) + 1), 2.0)
            boxes.append(box)
            ranks.append([look.get(rank, 0.0) for rank in STANDARD_VOCABULARY.ranks])
            corners.append(CornerReading(((Face.parse(face), 1.0),), box, QUAD, 0.99))
        made.append(SeenCard(Face.parse(face), 0.9995, (), QUAD, None, tuple(corners)))
    n, columns = len(boxes), ScoredDetections.COLUMNS
    arrays: dict[str, Any] = {
        name: np.zeros((n, n) if column.per_row else (n, *column.shape), column.dtype)
        for name, column in columns.items()
    }
    arrays |= {"boxes": floats(boxes), "ranks": floats(ranks)}
    return made, ScoredDetections(**arrays, picture_size=(100, 100))


B_AS_8, D_AS_10 = {"8": 0.87, "K": 0.06, "J": 0.01}, {"10": 0.71, "K": 0.11, "J": 0.04}
PRINTED_8, PRINTED_K = {"8": 0.98, "3": 0.01}, {"K": 0.98}


def test_a_b_that_is_taken_for_an_8_is_doubted_and_a_printed_8_is_not() -> None:
    cards, detections = seen(
        ("8S", [B_AS_8, {"8": 0.94, "3": 0.02}]), ("8H", [PRINTED_8, B_AS_8]), ("5C", [{"5": 0.9}])
    )
    b, eight, five = with_foreign_doubts(cards, detections)
    assert b.doubt == "low-confidence" and b.confidence == pytest.approx(0.94)
    assert eight.doubt == "low-confidence" and five is cards[2], "eights of a picture are of one pack"
    printed = seen(("8H", [PRINTED_8, B_AS_8]), ("8C", [{"8": 0.8, "3": 0.1}]), ("10C", [{"10": 0.9, "Q": 0.02}]))
    assert with_foreign_doubts(*printed) == printed[0]


def test_the_court_cards_beside_a_foreign_letter_are_doubted_too() -> None:
    cards, detections = seen(("10H", [D_AS_10]), ("KD", [{"K": 0.87, "10": 0.03}]), ("KS", [PRINTED_K]))
    queen, perhaps, king = with_foreign_doubts(cards, detections)
    assert queen.doubt == perhaps.doubt == "low-confidence" and king is cards[2]
    alone = seen(("KD", [{"K": 0.87, "10": 0.03}]), ("9D", [{"9": 0.6, "J": 0.2}]))
    assert with_foreign_doubts(*alone) == alone[0], "a blurred king of a pack of which nothing else is odd"


def test_letters_that_networks_learned_are_believed() -> None:
    cards, detections = seen(("8S", [B_AS_8]))
    other = Vocabulary.of([*STANDARD_VOCABULARY.faces, Face("LADY")])
    assert with_foreign_doubts(cards, replace(detections, vocabulary=other)) == cards


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the development photos are not here")
@pytest.mark.parametrize("name", ["19_german_B", "25_B_jack_silent", "26_french_D"])
def test_no_foreign_letter_of_the_development_photos_is_read_in_silence(name: str) -> None:
    truth = {"19_german_B": ["JD"], "25_B_jack_silent": ["3C", "JS", "KH", "5D", "6D", "AS"]}
    right = truth.get(name, ["QH", "KH", "QC", "KC", "QD", "KD", "QS", "KS"])
    for card in load_reader().read(load_photo(PHOTOS / "hard" / f"{name}.jpg")).cards:
        if str(card.face) in right:
            right.remove(str(card.face))
        else:
            assert card.doubt, f"{card.face} is wrong, and nothing says so"
