"""Where the outlines and labels of cards and groups are drawn over a photo, in photo pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.values import Quad
from webui import wording
from webui.corrections.side_table import SideTable, TableCard, TableGroup
from webui.rounds.round_view import SideView
from webui.storage.records import PhotoRecord

_COLOURS = 6
_SMALLEST, _LARGEST = 70, 32
"""The font size of a card's label is between 1/70 and 1/32 of the picture's longer side."""
_LABEL_TO_EDGE = 0.22
"""The font size of a label relative to the card's top edge."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of one card and its label.

    ``points`` are the corners in SVG notation, None where a person only pointed; ``x`` and ``y`` are the label's
    centre, ``size`` its font size; ``colour`` is the number of the group's colour, 0 to 5.
    """

    card: TableCard
    points: str | None
    x: float
    y: float
    size: float
    colour: int


def outlines(table: SideTable, photo: PhotoRecord) -> list[Outline]:
    """The outlines of all cards in a photo, group by group."""
    return [
        _outline(card, photo, number % _COLOURS)
        for number, group in enumerate(table.groups)
        for card in group.cards
        if card.photo == photo.id
    ]


@dataclass(frozen=True, slots=True)
class Label:
    """The lines of text on a group in a photo, and their centre."""

    group: TableGroup
    lines: tuple[str, ...]
    x: float
    y: float
    colour: int


def labels(side: SideView, photo: PhotoRecord) -> list[Label]:
    """A label for every group with cards in a photo: ``8s · clean book · 7 cards · 770``."""
    found = []
    for number, group in enumerate(side.table.groups):
        cards = [card for card in group.cards if card.photo == photo.id]
        corners = [corner for card in cards for corner in (card.quad or ((card.point,) if card.point else ()))]
        if corners:
            x = sum(x for x, _ in corners) / len(corners)
            y = sum(y for _, y in corners) / len(corners)
            centre = (min(max(x, 0), photo.width), min(max(y, 0), photo.height))
            upright = _range([y for _, y in corners]) > _range([x for x, _ in corners])
            found.append(Label(group, _lines(side, group, upright), *centre, number % _COLOURS))
    return found


def _range(values: list[float]) -> float:
    return max(values) - min(values)


def _lines(side: SideView, group: TableGroup, upright: bool) -> tuple[str, ...]:
    """The text of a group's label: many short lines where the group is narrow, else two."""
    kind, _, rank = side.name(group).partition(" of ")
    names = [rank[:1].upper() + rank[1:], kind.lower()] if rank else [kind]
    counts = [wording.count_text(max(group.count, len(group.cards)), "card")]
    if group.kind != "loose":
        counts.append(f"{side.points(group.id):,}".replace("-", "−"))
    return (*names, *counts) if upright else (" · ".join(names), " · ".join(counts))


def _outline(card: TableCard, photo: PhotoRecord, colour: int) -> Outline:
    if card.quad is None:
        x, y = card.point or (photo.width / 2, photo.height / 2)
        return Outline(card, None, x, y, max(photo.width, photo.height) / _SMALLEST * 1.6, colour)
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in card.quad)
    return Outline(card, points, *label_position(card.quad, photo.width, photo.height), colour)


def label_position(quad: Quad, width: int, height: int) -> tuple[float, float, float]:
    """The centre (x, y) and font size of a card's label, all of it inside a picture of ``width`` x ``height``."""
    longest = max(width, height)
    size = min(longest / _LARGEST, max(longest / _SMALLEST, math.dist(quad[0], quad[1]) * _LABEL_TO_EDGE))
    x, y = _outside_first_corner(quad, size)
    return min(max(x, size), width - size), min(max(y, size * 0.6), height - size * 0.6), size


def _outside_first_corner(quad: Quad, size: float) -> tuple[float, float]:
    """A point just outside the card's first corner, where it hides least of the next card of a fan."""
    centre_x = sum(x for x, _ in quad) / 4
    centre_y = sum(y for _, y in quad) / 4
    away_x, away_y = quad[0][0] - centre_x, quad[0][1] - centre_y
    length = math.hypot(away_x, away_y) or 1.0
    return quad[0][0] + away_x / length * size * 0.7, quad[0][1] + away_y / length * size * 0.7
