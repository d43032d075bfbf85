"""Hints at cards that may have been missed: the nearest card gets a doubt, so that a person looks there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats, floats
from vision.doubts import NEIGHBOUR, SAME_CARD, Doubt
from vision.geometry import corners_apart, quad_width
from vision.values import SeenCard


def hint_missed(cards: Sequence[SeenCard], weak: Sequence[Floats]) -> tuple[list[SeenCard], list[Floats]]:
    """The ``cards`` in their order, those next to a possibly missed card with the doubt ``PERHAPS_ANOTHER``; and the
    outlines of possibly missed cards that lie next to none.

    Args:
        cards: the cards that were read; an existing doubt of a card stays.
        weak: outlines (4, 2) in pixels of detections too weak to be cards. One that lies on a card that was read is
            that card's other index and is ignored.
    """
    result, apart = list(cards), list[Floats]()
    if not result:
        return result, list(weak)
    quads = floats([card.quad for card in cards])
    for outline in weak:
        width = quad_width(outline)
        if corners_apart(outline, quads).min() < SAME_CARD * width:
            continue
        distances = np.hypot(*(quads.mean(1) - outline.mean(0)).T)
        nearest = int(distances.argmin())
        if distances[nearest] >= NEIGHBOUR * width:
            apart.append(outline)
        elif result[nearest].doubt is None:
            result[nearest] = replace(result[nearest], doubt=Doubt.PERHAPS_ANOTHER)
    return result, apart
