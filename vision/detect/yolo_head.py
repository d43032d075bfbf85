"""What the last convolutions of a YOLO pose network say of each cell of a picture, reckoned into finds.

So on ONNX Runtime and NCNN: the network's own last steps have no form in NCNN that takes pictures of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.arrays import Floats
from vision.errors import WeightsError

LEVELS, BOX_STEPS = 3, 16
"""Sizes of cell, and distances that each side of a box is spread over."""
HEAD = tuple(f"{part}{level}" for part in ("boxes", "scores", "corners") for level in range(LEVELS))
"""The outputs that are asked for, the finest cells first: (1, 4 BOX_STEPS, h, w), (1, 1, h, w) and (1, 8, h, w)."""


def check_outputs(names: Iterable[str]) -> None:
    """
    Raises:
        WeightsError: a network with outputs of these ``names`` has no HEAD.
    """
    if not set(HEAD) <= set(names):
        raise WeightsError("the finder has not the outputs that this program asks for: install the program again")


def decode_head(maps: Sequence[Floats], width: int, least: float) -> Floats:
    """What the HEAD says of a picture of ``width`` pixels, (n, 13): centre, size, score and four corners in pixels of
    what scores ``least`` or more.

    A side of a box is the mean of BOX_STEPS distances by their softmax (generalized focal loss, arXiv 2006.04388).
    """
    found = []
    for level in range(LEVELS):
        boxes, scores, corners = (maps[place][0] for place in range(level, len(HEAD), LEVELS))
        stride = width / boxes.shape[2]
        sure = 1 / (1 + np.exp(-scores[0]))
        down, across = np.nonzero(sure >= least)
        at = np.stack([across, down], 1) + 0.5
        steps = boxes[:, down, across].T.reshape(-1, 4, BOX_STEPS)
        shares = np.exp(steps - steps.max(2, keepdims=True))
        sides = (shares * np.arange(BOX_STEPS)).sum(2) / shares.sum(2)
        low, high = at - sides[:, :2], at + sides[:, 2:]
        points = corners[:, down, across].T.reshape(-1, 4, 2) * 2 + at[:, None] - 0.5
        parts = [(low + high) / 2 * stride, (high - low) * stride, sure[down, across][:, None]]
        found.append(np.concatenate([*parts, points.reshape(-1, 8) * stride], 1))
    return np.asarray(np.concatenate(found), np.float32)
