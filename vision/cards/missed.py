"""Cards that may have been overlooked: a person is told beside which card to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats, floats
from vision.doubts import OVERLOOKED
from vision.geometry import width_of
from vision.values import SeenCard

SAME_CARD = 0.15
"""Card widths between two outlines, the mean of their corners, up to which they are one card's."""
BESIDE = 2.0
"""Card widths between the middles of two cards up to which one lies beside the other."""


def doubt_beside(cards: Sequence[SeenCard], weak: Sequence[Floats]) -> list[SeenCard]:
    """The ``cards``, in doubt where nearest to one of them lies what was hardly believed to be another.

    ``weak`` are such outlines (4, 2) in pixels. One that outlines a card that was read tells nothing: it is that
    card's other index.
    """
    doubted = list(cards)
    if not doubted:
        return doubted
    quads = floats([card.quad for card in cards])
    for outline in weak:
        wide = width_of(outline)
        if _apart(outline, quads).min() < SAME_CARD * wide:
            continue
        away = np.hypot(*(quads.mean(1) - outline.mean(0)).T)
        nearest = int(away.argmin())
        if away[nearest] < BESIDE * wide and doubted[nearest].doubt is None:
            doubted[nearest] = replace(doubted[nearest], doubt=OVERLOOKED)
    return doubted


def _apart(one: Floats, others: Floats) -> Floats:
    """How far the corners of an outline (4, 2) and those of ``others`` (n, 4, 2) lie apart in the mean, (n,) pixels,
    whichever way up they are read."""
    either = np.stack([others, np.roll(others, 2, axis=1)])
    return floats(np.hypot(*np.moveaxis(either - one, -1, 0)).mean(2).min(0))
