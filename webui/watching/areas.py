"""Where each side lays its cards: a box for each, drawn on the camera's picture, as polygons for the table's memory.

What lies outside all boxes is not remembered: hands in front of people, the draw and discard piles. Where the printed
marks show, boxes keep to the table when the camera is moved; otherwise they keep to the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import cv2
import numpy as np
from pydantic import Field, TypeAdapter

from vision.arrays import Doubles, doubles, floats
from vision.live.table_markers import find_plane
from vision.memory.zones import Zone
from vision.values import Pixels

_Share = Annotated[float, Field(ge=-4, le=4)]
Corners = Annotated[list[Annotated[list[_Share], Field(min_length=2, max_length=2)]], Field(min_length=4, max_length=4)]
"""The four corners of a box, [[x, y], …], as fractions of the picture's width and height."""
_BOXES = TypeAdapter(list[Corners])
_WHOLE: Corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
_GAP, _EDGE = 0.07, 0.02
"""Half of the band between two proposed boxes, where people lay the draw and discard piles; and what they leave free at
the picture's edge."""
_LEAST = 0.002
"""A smaller box, as a share of the picture, holds no card."""
_FRAME: Mapping[str, tuple[float, float, float, float]] = {
    "left": (_EDGE, 0.2, 0.3, 0.8),
    "right": (0.7, 0.2, 1 - _EDGE, 0.8),
}


@dataclass(frozen=True, slots=True)
class Areas:
    """A box for each side of a game, in the order of its sides.

    Attributes:
        boxes: their corners.
        marks: the corners of the marked table in the picture in which they were drawn; None where no marks showed.
    """

    boxes: Annotated[list[Corners], Field(min_length=1)]
    marks: Corners | None = None

    def zones(self, pixels: Pixels, factor: float = 1.0) -> tuple[Zone, ...]:
        """The boxes in pixels of a picture (height, width, 3) BGR, times ``factor``; by the marks where they show."""
        size = doubles([pixels.shape[1], pixels.shape[0]])
        marks = marks_in(pixels) if self.marks else None
        if self.marks is None or marks is None:
            return tuple((doubles(box) * size * factor).round(1).tolist() for box in self.boxes)
        onto = cv2.getPerspectiveTransform(floats(self.marks), floats(marks))
        moved = (cv2.perspectiveTransform(doubles(box)[None], onto)[0] for box in self.boxes)
        return tuple((doubles(box) * size * factor).round(1).tolist() for box in moved)


def drawn(text: str, sides: int) -> list[Corners]:
    """The boxes that a page sends, as JSON, for a game of so many sides.

    Raises:
        ValueError: it is no list of as many boxes, or one of them is too small or folded.
    """
    boxes = _BOXES.validate_json(text)
    if len(boxes) != sides:
        raise ValueError(f"expected {sides} boxes, got {len(boxes)}")
    for box in boxes:
        outline = floats(box)
        if not cv2.isContourConvex(outline) or cv2.contourArea(outline) < _LEAST:
            raise ValueError("expected boxes that hold cards, got one that is folded or too small")
    return boxes


def marks_in(pixels: Pixels) -> Corners | None:
    """The corners of the marked table in a picture (height, width, 3) BGR; None where not all its marks show."""
    plane = find_plane(pixels)
    if plane is None or not plane.frames_a_table:
        return None
    found: Doubles = plane.outline() / (pixels.shape[1], pixels.shape[0])
    return [[*map(float, point)] for point in found]


def proposals(sides: int) -> list[list[Corners]]:
    """Ways to seat so many sides around the picture, each a box for each side; the next way is turned by one place."""
    boxes = _places(sides)
    turned = [boxes[turn:] + boxes[:turn] for turn in range(len(boxes))]
    if sides > 2:
        return turned
    high = [[[y, x] for x, y in box] for box in boxes]  # one side above the other
    across = [[box[0], box[3], box[2], box[1]] for box in high]
    return [boxes, across, boxes[::-1], across[::-1]]


def halves_of_marked(half: str, strip: bool) -> Areas:
    """The boxes of two sides that divide the marked table; ``half`` is the first side's, a key of ``HALVES``.

    ``strip``: whether the table's lowest fifth is for left-over cards, which are not remembered.
    """
    boxes = proposals(2)[["left", "top", "right", "bottom"].index(half)]
    height = 0.8 if strip else 1.0
    return Areas([[[x, y * height] for x, y in box] for box in boxes], _WHOLE)


def _places(sides: int) -> list[Corners]:
    """Boxes clockwise around the picture, beginning at the left."""
    if sides == 2:
        return [_box(_EDGE, _EDGE, 0.5 - _GAP, 1 - _EDGE), _box(0.5 + _GAP, _EDGE, 1 - _EDGE, 1 - _EDGE)]
    at_ends = sides >= 4
    left, right = (0.3 + _EDGE, 0.7 - _EDGE) if at_ends else (_EDGE, 1 - _EDGE)
    along = sides - 2 if at_ends else sides
    above, below = along - along // 2, along // 2
    top = [_box(a, _EDGE, b, 0.5 - _GAP) for a, b in _shares(left, right, above)]
    bottom = [_box(a, 0.5 + _GAP, b, 1 - _EDGE) for a, b in reversed(_shares(left, right, below))]
    if not at_ends:
        return top + bottom
    return [_box(*_FRAME["left"]), *top, _box(*_FRAME["right"]), *bottom]


def _shares(low: float, high: float, count: int) -> list[tuple[float, float]]:
    """An interval in so many equal parts, with a little between them."""
    ends = np.linspace(low, high, count + 1)
    return [(float(a) + _EDGE / 2, float(b) - _EDGE / 2) for a, b in pairwise(ends)]


def _box(left: float, top: float, right: float, bottom: float) -> Corners:
    return [[round(x, 4), round(y, 4)] for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
