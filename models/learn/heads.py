"""The last layers that name a household's cards: fitted to what the shipped RoI head makes of drawn tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.faces import Face
from vision.arrays import Floats, floats, softmax
from vision.detect.detections import ROI_EMBEDDING
from vision.detect.vocabulary import NO_SUIT, STANDARD_VOCABULARY, Vocabulary
from vision.recognise.deck_head import DeckHead, Linear

STEPS, RATE, DECAY = 400, 0.02, (0.9, 0.999)
"""Steps of Adam, their size, and how slowly its two averages follow the gradient."""
PRIOR = 0.001
"""How strongly the layers are held to the shipped ones."""
NOTHING = 0.3
"""Weight of all looks that show no index, for which any name is as good: what is fitted to cards alone gives them sure
names, and sure names are kept."""
SHARPER = 3.0
"""Factor of the log odds of ranks after the fit, which those looks make too cautious."""


def household_vocabulary(faces: Sequence[Face]) -> Vocabulary:
    """The standard deck's ranks and suits, and after them those that only the household's ``faces`` have."""
    standard = STANDARD_VOCABULARY
    ranks = tuple(dict.fromkeys((*standard.ranks, *(face.rank for face in faces))))
    return Vocabulary(ranks, standard.suits or NO_SUIT, tuple(dict.fromkeys((*standard.faces, *faces))))


def fitted_head(
    shipped: DeckHead, vocabulary: Vocabulary, embeddings: Floats, ranks: NDArray[np.int8], suits: NDArray[np.int8]
) -> DeckHead:
    """A head of a larger ``vocabulary``, fitted from the ``shipped`` one.

    Args:
        shipped: names the vocabulary's first ranks, and its suits.
        vocabulary: of the head that is made.
        embeddings: (n, ROI_EMBEDDING) of indices.
        ranks, suits: their classes (n,) in the vocabulary, negative where there is none: without a rank no index.
    """
    assert shipped.ranks and shipped.suits
    nothing = np.flatnonzero(ranks < 0)
    fitted = _fitted(_widened(shipped.ranks, len(vocabulary.ranks)), embeddings, ranks, nothing)
    sharper = Linear(floats(SHARPER * fitted.weight), floats(SHARPER * fitted.bias))
    return DeckHead(vocabulary, sharper, _fitted(shipped.suits, embeddings, suits, nothing))


def _widened(layer: Linear, outputs: int) -> Linear:
    more = outputs - len(layer.bias)
    weight = np.concatenate([layer.weight, np.zeros((more, ROI_EMBEDDING))])
    return Linear(floats(weight), floats(np.concatenate([layer.bias, np.zeros(more)])))


def _fitted(layer: Linear, embeddings: Floats, classes: NDArray[np.int8], nothing: NDArray[np.intp]) -> Linear:
    """The layer fitted by multinomial regression to the looks that have a class, and to those that show ``nothing``."""
    there = np.flatnonzero(classes >= 0)
    if not len(there):
        return layer
    looks = np.column_stack([embeddings, np.ones(len(embeddings))])[np.concatenate([there, nothing])]
    named = np.bincount(classes[there], minlength=len(layer.bias)) > 0
    truth = np.concatenate([np.eye(len(layer.bias))[classes[there]], np.tile(named / named.sum(), (len(nothing), 1))])
    share = np.repeat([1 / len(there), NOTHING / max(len(nothing), 1)], [len(there), len(nothing)])[:, None]
    weight = np.column_stack([layer.weight, layer.bias]).astype(float)
    start = weight.copy()
    mean, square = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(1, STEPS + 1):
        gradient = (share * (softmax(floats(looks @ weight.T)) - truth)).T @ looks + PRIOR * (weight - start)
        mean = DECAY[0] * mean + (1 - DECAY[0]) * gradient
        square = DECAY[1] * square + (1 - DECAY[1]) * gradient**2
        weight -= RATE * (mean / (1 - DECAY[0] ** step)) / (np.sqrt(square / (1 - DECAY[1] ** step)) + 1e-8)
    return Linear(floats(weight[:, :-1]), floats(weight[:, -1]))
