"""Features of pairs of detections: how each detection's neighbours lie to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detections import ClassifiedDetections
from vision.geometry import distances, log_odds
from vision.rescore.features import card_axes

NEIGHBOURS = 20
"""So many nearest neighbours of each detection are described; baked into the weights."""
MAX_DISTANCE = 4.0
"""Card widths; detections further off are no neighbours."""
EDGE_FEATURES = 25
"""Number of features of a pair; baked into the weights."""
FINE = 5.0
"""Small distances appear a second time, enlarged by this."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The nearest neighbours of each of n detections.

    Attributes:
        indices: (n, NEIGHBOURS), which detections they are.
        present: (n, NEIGHBOURS), whether there is such a neighbour.
        features: (n, NEIGHBOURS, EDGE_FEATURES), zero where there is none.
    """

    indices: NDArray[np.int64]
    present: Flags
    features: Floats


def find_neighbours(detections: ClassifiedDetections) -> Neighbours:
    """The neighbours of each detection and their features.

    The neighbour's corner and index relative to the detection's card, along its top and down its side, in its widths,
    and the detection's index relative to the neighbour's card; how the cards are turned and sized to each other; how
    near they come to being one card, seen from opposite corners or from one; how well ranks and suits agree; the
    detector's scores of both, and the sides of their indices.
    """
    count = len(detections)
    indices = np.zeros((count, NEIGHBOURS), np.int64)
    present = np.zeros((count, NEIGHBOURS), bool)
    if count < 2:
        return Neighbours(indices, present, np.zeros((count, NEIGHBOURS, EDGE_FEATURES), np.float32))
    apart = distances(detections.box_centres()) / detections.card_widths(at_least=1)[:, None]
    np.fill_diagonal(apart, np.inf)
    nearest = np.argsort(apart, 1, kind="stable")[:, : min(NEIGHBOURS, count - 1)]
    indices[:, : nearest.shape[1]] = nearest
    present[:, : nearest.shape[1]] = np.take_along_axis(apart, nearest, 1) < MAX_DISTANCE
    return Neighbours(indices, present, floats(np.where(present[..., None], _features(detections, indices), 0)))


def _features(detections: ClassifiedDetections, other: NDArray[np.int64]) -> Floats:
    """The features of each detection's pairs with the ``other`` ones, (n, NEIGHBOURS, EDGE_FEATURES)."""
    quads, widths = detections.quads, detections.card_widths(at_least=1)
    corners, along, down = card_axes(detections)
    centres, on_right = detections.box_centres(), detections.index_on_right
    scores = log_odds(detections.scores)
    here = np.broadcast_to(np.arange(len(detections))[:, None], other.shape)
    axes = [axis / np.maximum(np.hypot(*axis.T), 1)[:, None] for axis in (along, down)]
    relative = partial(_relative, axes, widths)
    corner = relative(corners[other] - corners[here], here)
    index = relative(centres[other] - centres[here], here)
    seen_from_other = relative(centres[here] - corners[other], other)
    tops = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(tops[:, 1], tops[:, 0])
    turn = angles[other] - angles[here]
    opposite, identical = (
        floats(np.hypot(*(quads[here] - theirs[other]).transpose(3, 0, 1, 2)).mean(-1) / widths[here])
        for theirs in (np.roll(quads, 2, axis=1), quads)
    )
    ranks, suits = np.sqrt(detections.ranks), np.sqrt(detections.suits)
    return np.stack(
        [
            *np.moveaxis(np.clip(corner, -3, 3), -1, 0),
            *np.moveaxis(np.clip(corner * FINE, -1.5, 1.5), -1, 0),
            *np.moveaxis(np.clip(index, -3, 3), -1, 0),
            *np.moveaxis(np.clip(index * FINE, -1.5, 1.5), -1, 0),
            *np.moveaxis(np.clip(seen_from_other, -1, 2), -1, 0),
            np.sin(turn),
            np.cos(turn),
            np.clip(np.log(widths[other] / widths[here]), -1.5, 1.5),
            *(np.exp(-distance / reach) for distance in (opposite, identical) for reach in (0.1, 0.4)),
            (ranks[here] * ranks[other]).sum(-1),
            (suits[here] * suits[other]).sum(-1),
            scores[other] / 3,
            (scores[other] - scores[here]) / 3,
            scores[other] > scores[here],
            on_right[here] != on_right[other],
            on_right[other],
            np.exp(-np.hypot(*np.moveaxis(index, -1, 0)) / 0.2),
        ],
        -1,
    )


def _relative(axes: Sequence[Floats], widths: Floats, offsets: Floats, cards: NDArray[np.int64]) -> Floats:
    """Offsets (n, NEIGHBOURS, 2) along and down the ``cards``, in their widths."""
    return floats(np.stack([(offsets * axis[cards]).sum(-1) for axis in axes], -1) / widths[cards][..., None])
