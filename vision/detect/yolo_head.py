"""Decodes YOLO pose outputs into detections, from the last convolutions of the network.

Decoding here rather than inside the network serves ONNX Runtime and NCNN alike: NCNN has no form of the network's own
decoding that accepts pictures of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.arrays import Floats
from vision.errors import WeightsError

LEVELS, BOX_STEPS = 3, 16
"""Resolutions of the output maps, and bins over which the distance to each side of a box is distributed."""
HEAD = tuple(f"{part}{level}" for part in ("boxes", "scores", "corners") for level in range(LEVELS))
"""Output names, baked into the weights; level 0 has the finest cells. Shapes (1, 4 BOX_STEPS, h, w), (1, 1, h, w) and
(1, 8, h, w)."""


def check_outputs(names: Iterable[str]) -> None:
    """Checks that a network with outputs of these ``names`` can be decoded.

    Raises:
        WeightsError: an output of HEAD is missing.
    """
    if not set(HEAD) <= set(names):
        raise WeightsError("the detector's file lacks outputs that this program needs: install the program again")


def decode_head(maps: Sequence[Floats], width: int, min_score: float) -> Floats:
    """Decodes the HEAD maps of an input ``width`` pixels wide.

    Returns (n, 13): box centre and size, score, and four corners, in input pixels; only what scores ``min_score`` or
    more. Each side of a box is the mean of BOX_STEPS distances, weighted by their softmax (generalized focal loss,
    arXiv 2006.04388).
    """
    decoded = []
    for level in range(LEVELS):
        boxes, scores, corners = (maps[place][0] for place in range(level, len(HEAD), LEVELS))
        stride = width / boxes.shape[2]
        confidence = 1 / (1 + np.exp(-scores[0]))
        down, across = np.nonzero(confidence >= min_score)
        cells = np.stack([across, down], 1) + 0.5
        bins = boxes[:, down, across].T.reshape(-1, 4, BOX_STEPS)
        shares = np.exp(bins - bins.max(2, keepdims=True))
        sides = (shares * np.arange(BOX_STEPS)).sum(2) / shares.sum(2)
        low, high = cells - sides[:, :2], cells + sides[:, 2:]
        points = corners[:, down, across].T.reshape(-1, 4, 2) * 2 + cells[:, None] - 0.5
        parts = [(low + high) / 2 * stride, (high - low) * stride, confidence[down, across][:, None]]
        decoded.append(np.concatenate([*parts, points.reshape(-1, 8) * stride], 1))
    return np.asarray(np.concatenate(decoded), np.float32)
