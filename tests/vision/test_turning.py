"""Two looks at one picture, one of them upside down."""

from __future__ import annotations

import numpy as np
import pytest

from vision.finder import Found
from vision.geometry import BOX_SHARE, floats
from vision.turning import merged, turned_back, upside_down

CARD = floats([[0, 0], [100, 0], [100, 140], [0, 140]])


def found(*finds: tuple[float, float, float], turned: bool = False) -> Found:
    """Finds (x, y, score), each in the left corner of an upright card there, or of one that is upside down there."""
    quads = floats([CARD + floats([x, y]) for x, y, _ in finds]).reshape(-1, 4, 2)
    size = floats([BOX_SHARE[0] * 100, BOX_SHARE[1] * 140])
    low = quads[:, 2] - size if turned else quads[:, 0]
    quads = np.roll(quads, 2, axis=1) if turned else quads
    return Found(np.concatenate([low, low + size], 1), floats([score for _, _, score in finds]), quads)


def test_a_find_in_the_turned_picture_is_told_where_it_lies() -> None:
    pixels = np.zeros((300, 400, 3), np.uint8)
    pixels[20:40, 30:60] = 255
    turned = upside_down(pixels)
    shown = floats(np.argwhere(turned[:, :, 0] == 255)[:, ::-1])
    seen = Found(floats([np.concatenate([shown.min(0), shown.max(0) + 1])]), floats([0.9]), floats([CARD + 150]))
    back = turned_back(seen, pixels)
    assert back.boxes.tolist() == [[30, 20, 60, 40]]
    # its first corner is still where reading begins: bottom right, since in the turned picture it was the top left
    assert back.quads[0, 0].tolist() == [250, 150] and back.quads[0, 2].tolist() == [150, 10]
    assert len(turned_back(Found.nothing(), pixels)) == 0


def test_what_both_looks_show_is_one_at_the_mean_of_both() -> None:
    made = merged(found((100, 100, 0.9), (400, 100, 0.8)), found((404, 102, 0.8), (102, 100, 0.3)))
    assert len(made) == 2
    assert made.scores == pytest.approx([0.6, 0.8])
    assert made.quads[0, 0] == pytest.approx([100.5, 100]) and made.quads[1, 0] == pytest.approx([402, 101])
    assert made.boxes[1, :2] == pytest.approx([402, 101])


def test_what_one_look_shows_is_half_as_sure() -> None:
    made = merged(found((100, 100, 0.9)), found((400, 100, 0.5)))
    assert made.scores == pytest.approx([0.45, 0.25])
    assert made.quads[:, 0, 0].tolist() == [100, 400]
    for nothing in (merged(found((0, 0, 0.9)), Found.nothing()), merged(Found.nothing(), found((0, 0, 0.9)))):
        assert nothing.scores == pytest.approx([0.45])
    assert len(merged(Found.nothing(), Found.nothing())) == 0


def test_neighbours_and_indices_read_the_other_way_up_stay_apart() -> None:
    assert len(merged(found((0, 0, 0.9), (14, 0, 0.9)), found((1, 0, 0.9), (15, 0, 0.9)))) == 2
    assert len(merged(found((0, 0, 0.9)), found((-82, -99, 0.9), turned=True))) == 2
