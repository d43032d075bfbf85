"""Where cards lie in a photo: their outlines, and the boxes of their printed indices, in photo pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from vision.geometry import BOX_SHARE
from vision.values import Point, Quad
from webui.corrections.side_table import SideTable, TableCard
from webui.storage.records import PhotoRecord

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1."""

_COLOURS = 6
_SMALLEST, _LARGEST = 70, 32
"""The font size of a label in the live picture is between 1/70 and 1/32 of the picture's longer side."""
_LABEL_TO_EDGE = 0.22
"""The font size of a label in the live picture relative to the card's top edge."""
_POINTED = 0.012
"""Half the side of the place where a person pointed, as a share of the picture's longer side."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of one card.

    ``points`` are its corners in SVG notation, None where a person only pointed; ``colour`` is the number of its
    group's colour, 0 to 5.
    """

    card: TableCard
    points: str | None
    colour: int


def outlines(table: SideTable, photo: PhotoRecord) -> list[Outline]:
    """The outlines of all cards in a photo, group by group."""
    return [
        Outline(card, _points(card), colour_of(number))
        for number, group in enumerate(table.groups)
        for card in group.cards
        if card.photo == photo.id
    ]


def colour_of(group: int) -> int:
    """The number of the colour of the group with this place in the table."""
    return group % _COLOURS


def _points(card: TableCard) -> str | None:
    return None if card.quad is None else " ".join(f"{x:.1f},{y:.1f}" for x, y in card.quad)


def indices_of(card: TableCard, photo: PhotoRecord) -> tuple[Box, ...]:
    """The boxes of a card's printed indices in its photo.

    Those that the reader saw, where they belong to the card's outline: of a card that only another picture of a burst
    showed, they are in pixels of that picture. Else all four corners of the outline, as some decks have an index in
    each; of a card that a person pointed at, the place.
    """
    if card.quad is None:
        x, y = card.point or (photo.width / 2, photo.height / 2)
        reach = max(photo.width, photo.height) * _POINTED
        return ((x - reach, y - reach, x + reach, y + reach),)
    own = bounds(card.quad)
    seen = tuple(box for box in card.indices if _centre_is_in(box, own))
    return seen or tuple(bounds(corner) for corner in index_corners(card.quad))


def _centre_is_in(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def index_corners(quad: Quad) -> tuple[Quad, ...]:
    """Where an index may stand: the outline's four corners, each of the size that the detector learnt."""
    across, down = BOX_SHARE
    spans = [
        ((u, v), (u + across, v), (u + across, v + down), (u, v + down))
        for u, v in ((0, 0), (1 - across, 0), (1 - across, 1 - down), (0, 1 - down))
    ]
    return tuple((_at(quad, *a), _at(quad, *b), _at(quad, *c), _at(quad, *d)) for a, b, c, d in spans)


def _at(quad: Quad, u: float, v: float) -> Point:
    """The point at shares (u, v) of a card's width and height, by bilinear interpolation."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    left, right = (ax + (dx - ax) * v, ay + (dy - ay) * v), (bx + (cx - bx) * v, by + (cy - by) * v)
    return left[0] + (right[0] - left[0]) * u, left[1] + (right[1] - left[1]) * u


def bounds(points: Iterable[Point]) -> Box:
    """The upright box around some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def label_position(quad: Quad, width: int, height: int) -> tuple[float, float, float]:
    """The centre (x, y) and font size of a card's label, all of it inside a picture of ``width`` x ``height``.

    Just outside the card's first corner, where it hides least of the next card of a fan.
    """
    longest = max(width, height)
    size = min(longest / _LARGEST, max(longest / _SMALLEST, math.dist(quad[0], quad[1]) * _LABEL_TO_EDGE))
    away_x, away_y = quad[0][0] - sum(x for x, _ in quad) / 4, quad[0][1] - sum(y for _, y in quad) / 4
    length = math.hypot(away_x, away_y) or 1.0
    x, y = quad[0][0] + away_x / length * size * 0.7, quad[0][1] + away_y / length * size * 0.7
    return min(max(x, size), width - size), min(max(y, size * 0.6), height - size * 0.6), size
