"""Naming a corner: probabilities over ranks and suits from its rectified patch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.arrays import Flags, Floats, floats, softmax
from vision.batching import SERIAL, Workers
from vision.crops.index_patch import cut_patches
from vision.crops.pyramid import as_input
from vision.values import Pixels

BATCH = 16
OUTPUTS = ("rank", "suit", "shift", "seen")
EMBEDDING_SIZE = 192
"""So many numbers the last layer but one makes of a patch."""
SHIFT_UNIT = 0.1
"""Of a card's width or height: what the network's shifts are counted in."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores:
    """Probabilities of n corners: ``ranks`` (n, 14) over RANKS and the joker, ``suits`` (n, 4) over SUITS, and ``none``
    (n,) that there is no index at all. ``ranks`` are given that there is one, and sum to 1. ``shifts`` (n, 2) say where
    the card's corner is seen, in its widths and heights, along and down from the patch's own corner; ``seen``
    (n, EMBEDDING_SIZE) is what the network made of the patches."""

    ranks: Floats
    suits: Floats
    none: Floats
    shifts: Floats
    seen: Floats


class OnnxIndexClassifier:
    """The namer on ONNX Runtime."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``patches`` (n, 3, height, width) RGB 0..1 and the
        OUTPUTS, ranks and suits before softmax; ``workers`` run it on several batches at once."""
        self._session, self._workers = session, workers

    def classify(self, pixels: Pixels, quads: Floats, rights: Flags) -> ClassScores:
        """Names the indices in the left corners of the cards outlined by ``quads`` (n, 4, 2) in ``pixels`` (height,
        width, 3) BGR, or in the right ones where ``rights`` (n,)."""
        if not len(quads):
            nothing = [np.zeros((0, *size), np.float32) for size in ((14,), (4,), (), (2,), (EMBEDDING_SIZE,))]
            return ClassScores(*nothing)

        def work(some: slice) -> Any:
            given = as_input(cut_patches(pixels, quads[some], rights[some]))
            return self._session.run(OUTPUTS, {"patches": given})

        answers = self._workers.map_batches(work, len(quads), BATCH)
        return names_of(*(floats(np.concatenate(part)) for part in zip(*answers, strict=True)))


def names_of(ranks: Floats, suits: Floats, shifts: Floats, seen: Floats) -> ClassScores:
    """The names of n patches of which the network answered these OUTPUTS."""
    shares = softmax(ranks)
    real = shares[:, :-1]
    return ClassScores(
        ranks=floats(real / np.maximum(real.sum(1, keepdims=True), 1e-9)),
        suits=softmax(suits),
        none=shares[:, -1],
        shifts=floats(shifts * SHIFT_UNIT),
        seen=seen,
    )
