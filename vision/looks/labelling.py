"""What the detections of a picture turned out to be, by what people agreed that lies there.

A card that nobody touched teaches its face, a corrected one the face it was given, a removed one that there is no
index. A detection that was not kept is no index either, unless a card lies so that it may be one of its indices, or a
card was added that it may belong to: of those nothing is learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vision.arrays import Flags, Floats, floats
from vision.detect.detections import index_centres
from vision.geometry import quad_width
from vision.looks.looks import NO_INDEX, Labels, Looks, SeenIndices
from vision.values import Quad, SeenCard

UNKNOWN = -2
"""Label of a detection of which nothing is learned."""
SAME_BOX, SAME_INDEX, OTHER_INDEX = 0.02, 0.2, 0.25
"""Card widths from the centre of a detection to that of an index of the reading that is this very detection, that may
be the same printed index, and to a corner of a card where its other indices may stand."""
AROUND_ADDED = 1.3
"""Card widths from where a person pointed, within which a detection may be an index of the card that was added."""
PERHAPS_ADDED = 0.02
"""Where a person added a card without pointing at it, detections from this ``p_keep`` on may be its indices."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class AgreedCard:
    """A card of the reading: its outline, the boxes of its indices, and its rank as agreed; None where it was removed,
    and "" where nobody can know it."""

    quad: Quad
    boxes: tuple[Box, ...]
    rank: str | None

    @classmethod
    def of(cls, card: SeenCard, rank: str | None) -> Self:
        """A card of a reading, with its rank as agreed."""
        return cls(card.quad, tuple(corner.box for corner in card.corners), rank)


@dataclass(frozen=True, slots=True)
class AddedCard:
    """A card that people added: its rank, and where they pointed, in pixels; None where they did not."""

    rank: str
    place: tuple[float, float] | None = None


def agreed_looks(seen: SeenIndices, cards: Sequence[AgreedCard], added: Iterable[AddedCard] = ()) -> Looks:
    """The looks of one picture whose cards were agreed on.

    Args:
        seen: all detections of the picture.
        cards: all cards of its reading.
        added: cards that were added to it.
    """
    ranks = tuple(dict.fromkeys([*seen.ranks, *(card.rank for card in cards if card.rank)]))
    labels = np.full(len(seen), NO_INDEX, np.int16)
    centres = seen.centres()
    for card in cards:
        _label_card(labels, centres, card, ranks)
    for addition in added:
        _leave_out_added(labels, centres, seen, addition)
    known = labels != UNKNOWN
    return Looks(seen.networks, ranks, labels[known], floats(seen.embeddings[known]))


def _label_card(labels: Labels, centres: Floats, card: AgreedCard, ranks: Sequence[str]) -> None:
    outline = floats(card.quad)
    width = quad_width(outline)
    exact: Flags = np.zeros(len(labels), bool)
    near: Flags = np.zeros(len(labels), bool)
    for x0, y0, x1, y1 in card.boxes:
        apart = _apart(centres, floats([(x0 + x1) / 2, (y0 + y1) / 2])) / width
        exact |= apart < SAME_BOX
        near |= apart < SAME_INDEX
    turned = np.roll(outline, 2, axis=0)
    for corner in index_centres(floats([outline, outline, turned, turned]), np.array([False, True] * 2)):
        near |= (_apart(centres, corner) < OTHER_INDEX * width) & (labels == NO_INDEX)
    labels[near & ~exact] = UNKNOWN
    labels[exact] = UNKNOWN if card.rank == "" else NO_INDEX if card.rank is None else ranks.index(card.rank)


def _leave_out_added(labels: Labels, centres: Floats, seen: SeenIndices, card: AddedCard) -> None:
    none = labels == NO_INDEX
    alike = seen.likeliest == (seen.ranks.index(card.rank) if card.rank in seen.ranks else UNKNOWN)
    if card.place is None:
        labels[none & (alike | (seen.p_keep > PERHAPS_ADDED))] = UNKNOWN
        return
    around = none & (_apart(centres, floats(card.place)) < AROUND_ADDED * seen.widths)
    labels[around] = UNKNOWN
    candidates = np.flatnonzero(around & alike)
    if len(candidates):  # the surest of those that look like it
        labels[candidates[seen.p_keep[candidates].argmax()]] = seen.ranks.index(card.rank)


def _apart(points: Floats, place: Floats) -> Floats:
    return floats(np.hypot(*(points - place).T))
