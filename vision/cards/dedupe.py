"""Believed finds as pairing needs them, and each printed index once: the wide letters of a jumbo 10 are found twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, floats
from vision.geometry import width_of

REPEATED = 0.5
"""A find that is likelier than this the same as one kept before it is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """One index as pairing needs it: its card's outline (4, 2) in pixels as it reads it, whether it stands in the right
    corner, the middle of its box (2,), its confidence, rank (14,) and suit (4,) probabilities, and the log odds that it
    stands in the corner said and not in the other."""

    quad: Floats
    right: bool
    middle: Floats
    found: float
    ranks: Floats
    suits: Floats
    placed: float


def agreements(corners: Sequence[Corner]) -> tuple[Floats, Floats]:
    """How well the corners' ranks and their suits agree, (n, n) each, 0..1 (the Bhattacharyya coefficient)."""
    ranks, suits = (np.sqrt(np.stack(names)) for names in zip(*((c.ranks, c.suits) for c in corners), strict=True))
    return floats(ranks @ ranks.T), floats(suits @ suits.T)


def widths_of(corners: Sequence[Corner]) -> Floats:
    """The widths of the corners' cards, (n,), pixels."""
    return floats([width_of(corner.quad) for corner in corners])


def without_repeats(found: Floats, same: Floats, least: float) -> list[int]:
    """Places of the finds believed ``least`` or more when each printed index is kept once, its surest find.

    ``found`` (n,) is how much each is believed, ``same`` (n, n) how likely two show one index.
    """
    kept: list[int] = []
    for place in np.argsort(-found, kind="stable").tolist():
        if found[place] >= least and (same[place, kept] <= REPEATED).all():
            kept.append(place)
    return sorted(kept)
