"""Where the outlines and names of cards are drawn over a photo, in photo pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.values import Quad
from webui import words
from webui.mending.table import SideTable, TableCard, TableGroup
from webui.play import SideView
from webui.storage.records import PhotoRecord

_COLOURS = 6


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
    counts = [words.counted(max(group.count, len(group.cards)), "card")]
    if group.place != "loose":
        counts.append(f"{side.points(group.id):,}".replace("-", "−"))
    return (*names, *counts) if upright else (" · ".join(names), " · ".join(counts))


def _outline(card: TableCard, photo: PhotoRecord, colour: int) -> Outline:
    longest = max(photo.width, photo.height)
    smallest, largest = longest / 70, longest / 32
    if card.quad is None:
        x, y = card.point or (photo.width / 2, photo.height / 2)
        return Outline(card, None, x, y, smallest * 1.6, colour)
    size = min(largest, max(smallest, math.dist(card.quad[0], card.quad[1]) * 0.22))
    x, y = _beside(card.quad, size)
    inside_x = min(max(x, size), photo.width - size)
    inside_y = min(max(y, size * 0.6), photo.height - size * 0.6)
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in card.quad)
    return Outline(card, points, inside_x, inside_y, size, colour)


def _beside(quad: Quad, size: float) -> tuple[float, float]:
    """Just outside the card's first corner, away from its centre: there a fan's next card hides the least."""
    centre_x = sum(x for x, _ in quad) / 4
    centre_y = sum(y for _, y in quad) / 4
    away_x, away_y = quad[0][0] - centre_x, quad[0][1] - centre_y
    length = math.hypot(away_x, away_y) or 1.0
    return quad[0][0] + away_x / length * size * 0.7, quad[0][1] + away_y / length * size * 0.7
