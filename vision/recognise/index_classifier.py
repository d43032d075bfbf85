"""The index classifier: rank and suit probabilities of a card's corner."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import Flags, Floats, floats, softmax
from vision.crops.batching import SERIAL, Workers
from vision.crops.index_patch import crop_patches
from vision.crops.pyramid import as_input
from vision.detect.detections import ClassScores
from vision.values import Pixels

INPUT, OUTPUTS = "patches", ("rank", "suit", "shift", "seen")
"""Names baked into the weights; ``seen`` is the embedding."""
BATCH = 16
SHIFT_UNIT = 0.1
"""Unit of the network's shifts, in card widths and heights; baked into the weights."""


class OnnxIndexClassifier:
    """The index classifier on ONNX Runtime."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUT (n, 3, height, width) RGB 0..1 and OUTPUTS, ranks and
                suits before softmax.
            workers: run it on several batches at once.
        """
        self._session, self._workers = session, workers

    def classify(self, pixels: Pixels, quads: Floats, index_on_right: Flags) -> ClassScores:
        """Classifies the indices of cards in ``pixels`` (height, width, 3) BGR.

        ``quads`` (n, 4, 2) are the cards' outlines; the index stands in their left upper corner, or in the right one
        where ``index_on_right`` (n,).
        """
        if not len(quads):
            return ClassScores.empty()

        def run_batch(rows: slice) -> Any:
            patches = crop_patches(pixels, quads[rows], index_on_right[rows])
            return self._session.run(OUTPUTS, {INPUT: as_input(patches)})

        batches = self._workers.map_batches(run_batch, len(quads), BATCH)
        return decode(*(floats(np.concatenate(part)) for part in zip(*batches, strict=True)))


def decode(ranks: Floats, suits: Floats, shifts: Floats, embedding: Floats) -> ClassScores:
    """The class scores of n patches from the network's OUTPUTS; the last rank class is "no index"."""
    shares = softmax(ranks)
    given_index = shares[:, :-1]
    return ClassScores(
        ranks=floats(given_index / np.maximum(given_index.sum(1, keepdims=True), 1e-9)),
        suits=softmax(suits),
        no_index=shares[:, -1],
        shifts=floats(shifts * SHIFT_UNIT),
        patch_embedding=embedding,
    )
