"""The networks on NCNN, which is quick on small ARM machines (needs the extra ``ncnn``); only this file names it.

A ``NcnnNetwork`` answers as a session of ONNX Runtime does, so that finder, settler and namer run on either.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.errors import WeightsError
from vision.finder import KEEP, Floats
from vision.geometry import floats
from vision.ncnn_form import BOX_STEPS, LEVELS, check_form
from vision.weights import FOLDER


@dataclass(frozen=True, slots=True)
class _Input:
    name: str


class NcnnNetwork:
    """One network of a folder made by ``vision.ncnn_form``.

    Args:
        folder: that folder.
        name: ``finder``, ``settler`` or ``namer``.
        half: to reckon in numbers of 16 bits where the processor can; quicker there, a little less exact.
        weights: what the folder must be made from.

    Raises:
        WeightsError: NCNN is not installed, or the folder is not made from ``weights``.
    """

    def __init__(self, folder: Path, name: str, half: bool, weights: Path = FOLDER) -> None:
        # its threads wait for one another without end in sight where another program has a core
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import ncnn
        except ImportError as problem:
            raise WeightsError(
                "expected the package ncnn for this engine, it is not installed: pip install 'handfoot[ncnn]'"
            ) from problem
        self._inputs, self._outputs = check_form(folder, weights)[name]
        self._matrix = ncnn.Mat
        self._net: Any = ncnn.Net()
        options = self._net.opt
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = half
        options.openmp_blocktime = 0
        if self._net.load_param(str(folder / f"{name}.param")) or self._net.load_model(str(folder / f"{name}.bin")):
            raise WeightsError(f"NCNN could not load the {name} in {folder}: run 'handfoot doctor --benchmark' again")

    def get_inputs(self) -> list[_Input]:
        return [_Input(self._inputs)]

    def run(self, names: Sequence[str] | None, given: dict[str, Floats]) -> list[Floats]:
        """The outputs of those names (None: all), for a batch (n, 3, height, width) as (n, …)."""
        each = [self._one(picture) for picture in given[self._inputs]]
        found = {name: np.stack([one[place] for one in each]) for place, name in enumerate(self._outputs)}
        return [found[name] for name in names or self._outputs]

    def _one(self, picture: Floats) -> list[Floats]:
        taken = self._net.create_extractor()
        taken.input("in0", self._matrix(np.ascontiguousarray(picture)).clone())
        return [floats(taken.extract(f"out{place}")[1]) for place in range(len(self._outputs))]


class NcnnFinderNetwork(NcnnNetwork):
    """The finder, which is kept up to its last convolutions: what follows them has no form in NCNN that takes pictures
    of any size, and is reckoned here."""

    def run(self, names: Sequence[str] | None, given: dict[str, Floats]) -> list[Floats]:
        """(1, 13, n) for one picture: centre, size, score and four corners, of finds no weaker than KEEP."""
        (picture,) = given[self._inputs]
        return [rows(self._one(picture), picture.shape[2]).T[None]]


def rows(maps: Sequence[Floats], width: int) -> Floats:
    """What a YOLO pose head says, (n, 13), of a picture of ``width`` pixels.

    Args:
        maps: LEVELS of boxes (4 BOX_STEPS, h, w), then of scores (1, h, w), then of corners (8, h, w).
        width: in pixels.

    A side of a box is the mean of BOX_STEPS distances by their softmax (generalized focal loss, arXiv 2006.04388).
    """
    found = []
    for boxes, scores, corners in zip(maps[:LEVELS], maps[LEVELS : 2 * LEVELS], maps[2 * LEVELS :], strict=True):
        stride = width / boxes.shape[2]
        sure = 1 / (1 + np.exp(-scores[0]))
        down, across = np.nonzero(sure >= KEEP)
        at = np.stack([across, down], 1) + 0.5
        steps = boxes[:, down, across].T.reshape(-1, 4, BOX_STEPS)
        shares = np.exp(steps - steps.max(2, keepdims=True))
        sides = (shares * np.arange(BOX_STEPS)).sum(2) / shares.sum(2)
        low, high = at - sides[:, :2], at + sides[:, 2:]
        points = corners[:, down, across].T.reshape(-1, 4, 2) * 2 + at[:, None] - 0.5
        parts = [(low + high) / 2 * stride, (high - low) * stride, sure[down, across][:, None]]
        found.append(np.concatenate([*parts, points.reshape(-1, 8) * stride], 1))
    return floats(np.concatenate(found))
