"""Cards that may have been overlooked: a person is told beside which card to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.geometry import Floats, floats, width_of
from vision.values import SeenCard

OVERLOOKED = "perhaps-another"
"""The doubt of a card beside which another may lie that was not read."""
SAME_CARD = 0.15
"""Card widths between two outlines, the mean of their corners, up to which they are one card's."""
BESIDE = 2.0
"""Card widths between the middles of two cards up to which one lies beside the other."""


def doubt_beside(cards: Sequence[SeenCard], weak: Sequence[Floats]) -> list[SeenCard]:
    """The ``cards``, in doubt where nearest to one of them a find lies that was hardly believed.

    ``weak`` are such finds' outlines (4, 2) in pixels. One that outlines a card that was read tells nothing: it is that
    card's other index.
    """
    doubted = list(cards)
    quads = [floats(card.quad) for card in cards]
    for outline in weak:
        wide = width_of(outline)
        if any(_apart(outline, quad) < SAME_CARD * wide for quad in quads):
            continue
        away = [float(np.hypot(*(quad.mean(0) - outline.mean(0)))) for quad in quads]
        nearest = int(np.argmin(away)) if away else -1
        if nearest >= 0 and away[nearest] < BESIDE * wide and doubted[nearest].doubt is None:
            doubted[nearest] = replace(doubted[nearest], doubt=OVERLOOKED)
    return doubted


def _apart(one: Floats, two: Floats) -> float:
    """How far the corners of two outlines lie apart in the mean, pixels, whichever way up they are read."""
    return min(float(np.hypot(*(one - np.roll(two, turn, axis=0)).T).mean()) for turn in (0, 2))
