"""Detections made up for tests: upright cards of one size with given scores and ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.faces import RANKS
from vision.arrays import floats
from vision.detect.detections import ROI_EMBEDDING, ClassifiedDetections, ScoredDetections
from vision.geometry import BOX_SHARE

WIDTH, HEIGHT = 100.0, 150.0
JOKER = len(RANKS)
PICTURE_SIZE = (640, 400)


def classified(*corners: tuple[float, float, float, int], opposite: Sequence[int] = ()) -> ClassifiedDetections:
    """Detections (x, y, score, rank), each in the left corner of an upright card at its place.

    Those numbered in ``opposite`` stand in the far corner of the card there, upside down.
    """
    quads, boxes = [], []
    for number, (x, y, _, _) in enumerate(corners):
        quad = floats([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]])
        size = floats([BOX_SHARE[0] * WIDTH, BOX_SHARE[1] * HEIGHT])
        low = quad[2] - size if number in opposite else quad[0]
        quads.append(np.roll(quad, 2, axis=0) if number in opposite else quad)
        boxes.append(np.concatenate([low, low + size]))
    count = len(corners)
    ranks = np.full((count, JOKER + 1), 0.001, np.float32)
    for number, corner in enumerate(corners):
        ranks[number, corner[3]] = 1 - 0.001 * JOKER
    return ClassifiedDetections(
        boxes=floats(boxes).reshape(-1, 4),
        scores=floats([corner[2] for corner in corners]),
        quads=floats(quads).reshape(-1, 4, 2),
        p_index=np.full(count, 0.9, np.float32),
        right_logit=np.full(count, -9, np.float32),
        embedding=np.zeros((count, ROI_EMBEDDING), np.float32),
        ranks=ranks,
        suits=np.tile(floats([0.97, 0.01, 0.01, 0.01]), (count, 1)),
        index_on_right=np.zeros(count, bool),
        picture_size=PICTURE_SIZE,
    )


def scored(detections: ClassifiedDetections, p_keep: Sequence[float], rank: int | None = None) -> ScoredDetections:
    """``detections`` with this ``p_keep``, no two the same; all most probably of ``rank``, or of no rank."""
    count = len(detections)
    ranks = np.full((count, JOKER + 1), 1 / 14 if rank is None else 0.01, np.float32)
    if rank is not None:
        ranks[:, rank] = 0.87
    return ScoredDetections.extend(
        detections,
        p_keep=floats(p_keep),
        final_ranks=ranks,
        p_same=np.zeros((count, count), np.float32),
    )
