"""What the detections of an agreed photo turn out to be."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import floats
from vision.looks.labelling import AddedCard, AgreedCard, agreed_looks
from vision.looks.looks import NO_INDEX, SeenIndices
from vision.values import Quad

RANKS = ("7", "8", "JK")
CARD: Quad = ((100, 100), (200, 100), (200, 240), (100, 240))
INDEX = (105.0, 105.0, 125.0, 145.0)


def seen(*detections: tuple[float, float, float, str]) -> SeenIndices:
    """Detections by the centre of their box, their ``p_keep`` and likeliest rank; each looks like itself alone."""
    count = len(detections)
    centres = floats([(x, y) for x, y, _, _ in detections]).reshape(-1, 2)
    return SeenIndices(
        "networks",
        RANKS,
        floats(np.concatenate([centres - floats([10, 20]), centres + floats([10, 20])], 1)),
        np.full(count, 100, np.float32),
        np.array([p for _, _, p, _ in detections], np.float16),
        np.array([RANKS.index(rank) for *_, rank in detections], np.int16),
        np.eye(count, 320, dtype=np.float16),
    )


def labels(found: SeenIndices, cards: list[AgreedCard], added: tuple[AddedCard, ...] = ()) -> dict[int, str | None]:
    """What is learned of each detection, by its number: a rank, or None for no index."""
    looks = agreed_looks(found, cards, added)
    numbers = looks.embeddings.argmax(1).tolist()
    return {
        n: None if label == NO_INDEX else looks.ranks[label]
        for n, label in zip(numbers, looks.labels.tolist(), strict=True)
    }


@pytest.mark.parametrize(("rank", "learned"), [("7", "7"), ("8", "8"), ("K", "K"), (None, None)])
def test_an_index_of_a_card_is_what_people_agreed_to(rank: str | None, learned: str | None) -> None:
    assert labels(seen((115, 125, 0.99, "7")), [AgreedCard(CARD, (INDEX,), rank)]) == {0: learned}


def test_nothing_is_learned_of_a_card_that_nobody_can_know() -> None:
    assert labels(seen((115, 125, 0.99, "7")), [AgreedCard(CARD, (INDEX,), "")]) == {}


def test_what_lies_far_from_all_cards_is_no_index() -> None:
    found = seen((115, 125, 0.99, "7"), (600, 600, 0.3, "JK"))
    assert labels(found, [AgreedCard(CARD, (INDEX,), "7")]) == {0: "7", 1: None}


def test_nothing_is_learned_of_what_may_be_an_index_of_the_same_card() -> None:
    second_look, other_end = (121, 130, 0.4, "7"), (185, 215, 0.2, "7")
    assert labels(seen((115, 125, 0.99, "7"), second_look, other_end), [AgreedCard(CARD, (INDEX,), "7")]) == {0: "7"}


def test_the_surest_detection_where_a_person_added_a_card_is_its_index() -> None:
    found = seen((600, 600, 0.3, "JK"), (640, 600, 0.1, "JK"), (620, 650, 0.5, "8"), (900, 600, 0.3, "JK"))
    assert labels(found, [], (AddedCard("JK", (620.0, 620.0)),)) == {0: "JK", 3: None}


def test_a_card_that_was_added_anywhere_leaves_out_all_that_it_may_be() -> None:
    found = seen((600, 600, 0.01, "JK"), (800, 600, 0.3, "8"), (900, 600, 0.001, "8"))
    assert labels(found, [], (AddedCard("JK"),)) == {2: None}
