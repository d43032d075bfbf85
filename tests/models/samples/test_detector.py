"""Samples for the detector."""

from __future__ import annotations

import numpy as np

from datasets.decks.drawn_decks import (
    draw_deck,
)
from datasets.scenes.tables import draw_table
from models.samples.detector import labels, rotated


def test_labels_rotate_with_the_picture() -> None:
    deck = draw_deck("test", 5)
    table = draw_table(np.random.default_rng(4), [deck], (640, 640), 100)
    boxes, quads = labels(table)
    picture = table.picture
    for _ in range(4):
        picture, quads, boxes = rotated(picture, quads, boxes)
    expected_boxes, expected_quads = labels(table)
    assert np.array_equal(picture, table.picture)
    assert np.allclose(quads, expected_quads, atol=1e-2)
    assert np.allclose(boxes, expected_boxes, atol=1e-2)
    turned_boxes = rotated(picture, quads, boxes)[2]
    assert (turned_boxes[:, 2:] > turned_boxes[:, :2]).all()
