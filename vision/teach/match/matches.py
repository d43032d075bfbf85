"""A taught face that shows, and which of the cards that were read it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.detect.detections import index_centres
from vision.doubts import Doubt
from vision.geometry import quad_width
from vision.values import SeenCard

WHOLE = 0.9
"""Sureness of a match by points from which no other card's index lies in its outline."""
SAME_CARD, SAME_FACE = 0.1, 0.16
"""Card widths between two indices of one card, and between two that show the same face."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A taught face that shows: its ``sureness`` 0..1, and its card's outline (4, 2) from its top left corner.

    ``index`` is the centre (2,) of the index by which it was found; None where it was found by its points.
    """

    face: Face
    quad: Floats
    sureness: float
    index: Floats | None = None


def indices_apart(one: Floats, others: Floats) -> Floats:
    """Card widths between the nearest indices of an outline (4, 2) and each of ``others`` (n, 4, 2), (n,).

    In a tight row whole outlines differ little, but no two cards have their indices at one place.
    """
    own, theirs = (
        np.stack([index_centres(np.roll(quads, turn, axis=1), np.zeros(len(quads), bool)) for turn in (0, 2)], 1)
        for quads in (one[None], others)
    )
    offsets = theirs[:, :, None] - own[:, None]
    return floats(np.sqrt((offsets**2).sum(-1)).min((1, 2)) / max(quad_width(one), 1.0))


def guesses_inside(match: Match, cards: Sequence[SeenCard]) -> list[int]:
    """The positions of cards in doubt that are parts of a card whose points were seen."""
    if match.index is not None or match.sureness < WHOLE:
        return []
    quads = [floats([corner.quad for corner in card.corners]).reshape(-1, 4, 2) for card in cards]
    spots = [index_centres(own, np.zeros(len(own), bool)).tolist() for own in quads]
    return [
        n
        for n, card in enumerate(cards)
        if card.doubt == Doubt.LOW_CONFIDENCE
        and spots[n]
        and all(cv2.pointPolygonTest(match.quad, (x, y), False) > 0 for x, y in spots[n])
    ]


def outlines_of(cards: Sequence[SeenCard]) -> Floats:
    return floats([card.quad for card in cards]).reshape(-1, 4, 2)


def same_card(quad: Floats, cards: Sequence[SeenCard]) -> int | None:
    """The position of the card that lies there."""
    apart = indices_apart(quad, outlines_of(cards))
    return int(apart.argmin()) if apart.min(initial=np.inf) <= SAME_CARD else None
