"""Naming a corner: probabilities over ranks and suits from its rectified patch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.cutting import as_input

Floats = NDArray[np.float32]
BATCH = 16
SEEN = 192
"""So many numbers the last layer but one makes of a patch."""
FACES = (*(Face(rank, suit) for rank in RANKS for suit in SUITS), JOKER)
"""All faces, in the order in which ranks and suits are multiplied."""
SHIFT_UNIT = 0.1
"""Of a card's width or height: what the network's shifts are counted in."""


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Probabilities of n corners: ``ranks`` (n, 14) over RANKS and the joker, ``suits`` (n, 4) over SUITS, and ``none``
    (n,) that there is no index at all. ``ranks`` are given that there is one, and sum to 1. ``shifts`` (n, 2) say where
    the card's corner is seen, in its widths and heights, along and down from the patch's own corner; ``seen`` (n, SEEN)
    is what the network made of the patches."""

    ranks: Floats
    suits: Floats
    none: Floats
    shifts: Floats
    seen: Floats


def softmax(scores: NDArray[np.floating]) -> Floats:
    """Scores (n, classes) to probabilities."""
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


class OnnxNamer:
    """The namer on ONNX Runtime."""

    def __init__(self, session: Any, temperature: float = 1.0) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``patches`` and outputs ``rank``, ``suit``,
        ``shift``, ``seen``;
        ``temperature`` divides the scores so that probabilities are neither too sure nor too shy."""
        self._session = session
        self._temperature = temperature

    def name(self, patches: NDArray[np.uint8]) -> Names:
        """Names rectified patches (n, PATCH_HEIGHT, PATCH_WIDTH, 3) BGR."""
        if not len(patches):
            nothing = [np.zeros((0, *size), np.float32) for size in ((14,), (4,), (), (2,), (SEEN,))]
            return Names(*nothing)
        answers = []
        for start in range(0, len(patches), BATCH):
            given = as_input(patches[start : start + BATCH])
            answers.append(self._session.run(["rank", "suit", "shift", "seen"], {"patches": given}))
        ranks, suits, shifts, seen = (np.concatenate(part) for part in zip(*answers, strict=True))
        shares = softmax(ranks / self._temperature)
        real = shares[:, :-1]
        return Names(
            ranks=np.asarray(real / np.maximum(real.sum(1, keepdims=True), 1e-9), np.float32),
            suits=softmax(suits / self._temperature),
            none=shares[:, -1],
            shifts=np.asarray(shifts * SHIFT_UNIT, np.float32),
            seen=np.asarray(seen, np.float32),
        )


def face_scores(ranks: Floats, suits: Floats) -> tuple[tuple[Face, float], ...]:
    """Probabilities of all 53 faces, likeliest first, from one corner's (14,) ranks and (4,) suits."""
    suited = np.outer(ranks[: len(RANKS)], suits).ravel()
    scores = np.append(suited, ranks[len(RANKS)]).astype(float)
    order = np.argsort(-scores, kind="stable")
    return tuple(zip(map(FACES.__getitem__, order.tolist()), scores[order].tolist(), strict=True))
