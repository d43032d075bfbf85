"""Deck heads made of what a deck's indices look like."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.detect.vocabulary import NO_SUIT, Vocabulary
from vision.recognise.deck_head import DeckHead, Linear

SHARPNESS = 12.0
"""Log odds for each unit of the cosine between an embedding and the mean of those of a rank or suit."""


def head_of(faces: Sequence[Face], embeddings: Floats) -> DeckHead:
    """A head that names what looks like these ``embeddings`` (n, ROI_EMBEDDING) of ``faces`` (n)."""
    known = Vocabulary.of(dict.fromkeys(faces))
    ranks, suits = [face.rank for face in faces], [face.suit for face in faces]
    layer = _layer(known.suits, suits, embeddings) if known.suits != NO_SUIT else None
    return DeckHead(known, _layer(known.ranks, ranks, embeddings), layer)


def _layer(names: Sequence[str], shown: Sequence[str], embeddings: Floats) -> Linear:
    of = np.array(shown)
    means = floats([embeddings[of == name].mean(0) for name in names])
    weight = SHARPNESS * means / np.maximum((means**2).sum(1, keepdims=True), 1e-6)
    return Linear(floats(weight), np.zeros(len(names), np.float32))
