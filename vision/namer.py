"""Naming a corner: probabilities over ranks and suits from its rectified patch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.values import Pixels

Floats = NDArray[np.float32]
BATCH = 64


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Probabilities of n corners: ``ranks`` (n, 14) over RANKS and the joker, ``suits`` (n, 4) over SUITS, and ``none``
    (n,) that there is no index at all. ``ranks`` are given that there is one, and sum to 1."""

    ranks: Floats
    suits: Floats
    none: Floats


def _softmax(scores: NDArray[np.floating]) -> Floats:
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


class OnnxNamer:
    """The namer on ONNX Runtime."""

    def __init__(self, session: Any, temperature: float = 1.0) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``patches`` and outputs ``rank``, ``suit``;
        ``temperature`` divides the scores so that probabilities are neither too sure nor too shy."""
        self._session = session
        self._temperature = temperature

    def name(self, patches: Sequence[Pixels]) -> Names:
        """Names rectified patches, each (PATCH_HEIGHT, PATCH_WIDTH, 3) BGR."""
        if not patches:
            return Names(np.zeros((0, 14), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.float32))
        ranks, suits = [], []
        for start in range(0, len(patches), BATCH):
            stacked = np.stack(patches[start : start + BATCH])[..., ::-1].transpose(0, 3, 1, 2)
            given = np.ascontiguousarray(stacked, np.float32) / np.float32(255)
            rank, suit = self._session.run(["rank", "suit"], {"patches": given})
            ranks.append(rank)
            suits.append(suit)
        shares = _softmax(np.concatenate(ranks) / self._temperature)
        real = shares[:, :-1]
        return Names(
            ranks=np.asarray(real / np.maximum(real.sum(1, keepdims=True), 1e-9), np.float32),
            suits=_softmax(np.concatenate(suits) / self._temperature),
            none=shares[:, -1],
        )


def face_scores(ranks: Floats, suits: Floats) -> tuple[tuple[Face, float], ...]:
    """Probabilities of all 53 faces, likeliest first, from one corner's (14,) ranks and (4,) suits."""
    scores = [
        (Face(rank, suit), float(ranks[i] * suits[j])) for i, rank in enumerate(RANKS) for j, suit in enumerate(SUITS)
    ]
    scores.append((JOKER, float(ranks[len(RANKS)])))
    return tuple(sorted(scores, key=lambda item: -item[1]))
