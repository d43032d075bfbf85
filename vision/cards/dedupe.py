"""Keeps each printed index once: the wide figures of a jumbo 10, for example, are often detected twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, floats
from vision.geometry import quad_width

DUPLICATE = 0.5
"""A detection is a duplicate of one already kept where ``p_same`` exceeds this."""


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """One printed index, as pairing needs it.

    ``quad`` (4, 2) is the outline of its card in pixels, from the top left as this index is read, clockwise; ``right``
    whether the index stands in the top right corner of that outline; ``centre`` (2,) that of its box;
    ``p_keep`` as in ``CornerReading``; ``ranks`` (R,) and ``suits`` (S,) its probabilities; ``side_log_odds`` the log
    odds that it stands in the corner given by ``right`` and not in the other one.
    """

    quad: Floats
    right: bool
    centre: Floats
    p_keep: float
    ranks: Floats
    suits: Floats
    side_log_odds: float


def class_agreement(corners: Sequence[Corner]) -> tuple[Floats, Floats]:
    """Agreement 0..1 of the rank and of the suit probabilities of each two corners, (n, n) each (Bhattacharyya
    coefficient)."""
    ranks = np.sqrt(np.stack([corner.ranks for corner in corners]))
    suits = np.sqrt(np.stack([corner.suits for corner in corners]))
    return floats(ranks @ ranks.T), floats(suits @ suits.T)


def widths_of(corners: Sequence[Corner]) -> Floats:
    """Card widths of the corners, (n,) pixels."""
    return floats([quad_width(corner.quad) for corner in corners])


def deduplicate(p_keep: Floats, p_same: Floats, least: float) -> list[int]:
    """Indices of the detections to keep, in ascending order: each printed index once, its best detection.

    Args:
        p_keep: probability of each detection that it is to be kept, (n,).
        p_same: probability of each two detections that they show the same printed index, (n, n).
        least: detections with less ``p_keep`` are dropped.
    """
    kept: list[int] = []
    for i in np.argsort(-p_keep, kind="stable").tolist():
        if p_keep[i] >= least and (p_same[i, kept] <= DUPLICATE).all():
            kept.append(i)
    return sorted(kept)
