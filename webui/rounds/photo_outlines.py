"""Where the outlines and names of cards are drawn over a photo, in photo pixels."""

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
"""A name is no lower than the one part of a picture's longer side, and no higher than the other."""


@dataclass(frozen=True, slots=True)
class Outline:
    """One card over a photo: ``points`` as SVG has them (None where a person only pointed), its name's centre and size.

    ``colour`` is the number of its group's colour, 0 to 5.
    """

    card: TableCard
    points: str | None
    x: float
    y: float
    size: float
    colour: int


def outlines(table: SideTable, photo: PhotoRecord) -> list[Outline]:
    """Every card that lies in a photo, group by group."""
    drawn = []
    for number, group in enumerate(table.groups):
        for card in group.cards:
            if card.photo == photo.id:
                drawn.append(_outline(card, photo, number % _COLOURS))
    return drawn


@dataclass(frozen=True, slots=True)
class Label:
    """What stands on a group in a photo, line by line, and its middle in photo pixels."""

    group: TableGroup
    lines: tuple[str, ...]
    x: float
    y: float
    colour: int


def labels(side: SideView, photo: PhotoRecord) -> list[Label]:
    """The name of every group with cards in a photo: ``8s · clean book · 7 cards · 770``."""
    found = []
    for number, group in enumerate(side.table.groups):
        here = [card for card in group.cards if card.photo == photo.id]
        corners = [corner for card in here for corner in (card.quad or ((card.point,) if card.point else ()))]
        if corners:
            x = sum(x for x, _ in corners) / len(corners)
            y = sum(y for _, y in corners) / len(corners)
            place = (min(max(x, 0), photo.width), min(max(y, 0), photo.height))
            upright = _spread([y for _, y in corners]) > _spread([x for x, _ in corners])
            found.append(Label(group, _lines(side, group, upright), *place, number % _COLOURS))
    return found


def _spread(values: list[float]) -> float:
    return max(values) - min(values)


def _lines(side: SideView, group: TableGroup, upright: bool) -> tuple[str, ...]:
    """A narrow group's name in many short lines, a wide one's in two."""
    kind, _, rank = side.name(group).partition(" of ")
    names = [rank[:1].upper() + rank[1:], kind.lower()] if rank else [kind]
    counts = [wording.counted(max(group.count, len(group.cards)), "card")]
    if group.kind != "loose":
        counts.append(f"{side.points(group.id):,}".replace("-", "−"))
    return (*names, *counts) if upright else (" · ".join(names), " · ".join(counts))


def _outline(card: TableCard, photo: PhotoRecord, colour: int) -> Outline:
    if card.quad is None:
        x, y = card.point or (photo.width / 2, photo.height / 2)
        return Outline(card, None, x, y, max(photo.width, photo.height) / _SMALLEST * 1.6, colour)
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in card.quad)
    return Outline(card, points, *name_place(card.quad, photo.width, photo.height), colour)


def name_place(quad: Quad, width: int, height: int) -> tuple[float, float, float]:
    """The centre and size of a card's name inside a picture ``width`` x ``height``."""
    longest = max(width, height)
    size = min(longest / _LARGEST, max(longest / _SMALLEST, math.dist(quad[0], quad[1]) * 0.22))
    x, y = _beside(quad, size)
    return min(max(x, size), width - size), min(max(y, size * 0.6), height - size * 0.6), size


def _beside(quad: Quad, size: float) -> tuple[float, float]:
    """Just outside the card's first corner, away from its centre: there a fan's next card hides the least."""
    centre_x = sum(x for x, _ in quad) / 4
    centre_y = sum(y for _, y in quad) / 4
    away_x, away_y = quad[0][0] - centre_x, quad[0][1] - centre_y
    length = math.hypot(away_x, away_y) or 1.0
    return quad[0][0] + away_x / length * size * 0.7, quad[0][1] + away_y / length * size * 0.7
