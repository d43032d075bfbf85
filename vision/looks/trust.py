"""How far looks of agreed rounds are believed: what they make of the confidence, rank and doubt of each card.

A card is right, shows another rank, or is none: an index that was read twice, or a mark that is no index. Looks know
ranks well, and say little of the third; so both ways to be wrong are weighed by themselves, against the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER, Face
from vision.arrays import Floats, floats, softmax
from vision.detect.detections import ScoredDetections
from vision.doubts import DOUBT_WITH_LOOKS, MIN_ALTERNATIVE, Doubt
from vision.geometry import card_widths, distances, log_odds, overlap_share
from vision.looks.looks import Looks, embeddings_of
from vision.values import SeenCard

LOOKS = "looks"
"""Name of the weights in the file of what was fitted."""
FIGURES = 23
"""Figures of a card that are weighed, see ``CardFigures``."""
OUTCOMES = 3
"""The card is right, shows another rank, or is none."""
SHARPNESS = 30.0
"""A look counts ``exp(SHARPNESS * (cosine - 1))`` for its label."""
MOST_EVIDENCE = 10.0
"""Log odds of the looks beyond which they count no further."""
REACH = 2.0
"""Card widths within which two cards may be in each other's way."""
_NO_EVIDENCE = -60.0
_OTHERS = 5
"""Other faces of a card at most."""
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class CardFigures:
    """What is weighed of n cards.

    Attributes:
        figures: (n, FIGURES).
        other: (n,), position in the vocabulary of the rank, other than the one read, that looks name first.
    """

    figures: Floats
    other: Places


class Trust:
    """Weighs what looks say of cards; ``weights`` are OUTCOMES rows of a constant and one weight for each figure."""

    def __init__(self, weights: Sequence[float]) -> None:
        """
        Raises:
            ValueError: there are too few or too many weights.
        """
        self._weights = floats(weights).reshape(OUTCOMES, FIGURES + 1)

    def applied(self, cards: Sequence[SeenCard], detections: ScoredDetections, looks: Looks) -> list[SeenCard]:
        """The cards in their order, each with the confidence, the other faces and the doubt that looks leave it; one
        that shows another rank, more likely than not, has that, and is asked about. Jokers stay as they are: many that
        are none are a mark within a joker, which looks like its index.

        Args:
            cards: as they were built of ``detections``.
            detections: all detections of the picture.
            looks: of the networks that made the embeddings of ``detections``.
        """
        judged = card_figures(cards, detections, looks)
        if judged is None:
            return list(cards)
        shares = softmax(floats(judged.figures @ self._weights[:, 1:].T + self._weights[:, 0]))
        return [
            _weighed(card, right, wrong, _likeliest_face(card, rank, detections) if wrong >= MIN_ALTERNATIVE else None)
            for card, (right, wrong, _), rank in zip(cards, shares.tolist(), judged.other.tolist(), strict=True)
        ]


def _likeliest_face(card: SeenCard, rank: int, detections: ScoredDetections) -> Face:
    """The face of a rank, by its position in the vocabulary, in the suit that the card's indices show."""
    ranks = np.eye(len(detections.vocabulary.ranks), dtype=np.float32)[None, rank]
    suits = detections.suits[_indices_of(card, detections)].mean(0, keepdims=True)
    return detections.vocabulary.face_scores(ranks, floats(suits))[0][0][0]


def _weighed(card: SeenCard, right: float, wrong: float, face: Face | None) -> SeenCard:
    """The card with the probability that its rank is right; with that of another ``face``, where it may be one."""
    if card.face == JOKER:
        return card
    others = [(other, share) for other, share in card.others if face is None or other.rank != face.rank]
    name, confidence = card.face, right
    doubt = None if confidence >= DOUBT_WITH_LOOKS else Doubt.LOW_CONFIDENCE
    if face is not None and wrong > 0.5:
        name, confidence, doubt = face, wrong, Doubt.LOW_CONFIDENCE
        others.append((card.face, right))
    elif face is not None:
        others.append((face, wrong))
    ranked = sorted(others, key=lambda pair: -pair[1])[:_OTHERS]
    return replace(card, face=name, confidence=confidence, others=tuple(ranked), doubt=doubt)


def card_figures(cards: Sequence[SeenCard], detections: ScoredDetections, looks: Looks) -> CardFigures | None:
    """What is weighed of ``cards`` that were built of ``detections``; None where there are no cards, or no looks."""
    indices = [_indices_of(card, detections) for card in cards]
    if not cards or not len(looks) or not all(map(len, indices)):
        return None
    vocabulary = detections.vocabulary
    columns = {rank: n for n, rank in enumerate(vocabulary.ranks)}
    none = len(columns)
    # the last column is of ranks that the vocabulary does not have, the last label of NO_INDEX
    labels = np.array([*(columns.get(rank, none + 1) for rank in looks.ranks), none])[looks.labels]
    places, owner = np.concatenate(indices), np.repeat(np.arange(len(cards)), [*map(len, indices)])
    embeddings = embeddings_of(detections)[places]
    evidence, nearest = _by_label(floats(looks.embeddings @ embeddings.T), labels, none + 2)
    read = np.array([columns[card.face.rank] for card in cards])
    rows, own = np.arange(len(places)), read[owner]
    others, other_nearest = evidence[:, :none].copy(), nearest[:, :none].copy()
    others[rows, own], other_nearest[rows, own] = -np.inf, -1
    margins = evidence[rows, own] - np.logaddexp(np.logaddexp.reduce(others, axis=1), evidence[:, none])
    # the index of each card that looks support most
    best = np.array([of[margins[of].argmax()] for of in _runs(indices)])
    counts = np.bincount(labels, minlength=none + 1)[read]
    have, sign = counts > 0, read == vocabulary.joker
    cosines = nearest[best, read]
    margin = have * _bounded(margins[best])
    figures = [
        *_as_read(cards, detections, indices, read),
        sign,
        have * _bounded(evidence[best, read] - np.logaddexp.reduce(others[best], axis=1)),
        have * _bounded(evidence[best, read] - evidence[best, none]),
        np.minimum(margin, 0),
        sign * margin,
        margin * np.minimum(np.log1p(counts), 2.5),
        ~have,
        np.log1p(counts),
        have * np.clip(0.8 - cosines, 0, 1),
        have * (cosines - other_nearest[best].max(1)),
        have * (cosines - nearest[best, none]),
        *_beside(cards, detections, indices, read).T,
    ]
    other = np.array([others[of].max(0).argmax() for of in _runs(indices)])
    return CardFigures(floats(floats(figures).T), other)


def _as_read(
    cards: Sequence[SeenCard], detections: ScoredDetections, indices: Sequence[Places], read: Places
) -> list[Floats]:
    """What reading alone says of each card: how sure it and its rank are, and how many indices it has."""
    confidence = log_odds(floats([card.confidence for card in cards]), 1e-5)
    keep = log_odds(floats([detections.p_keep[of].max() for of in indices]), 1e-4)
    named = floats([detections.final_ranks[of, rank].max() for of, rank in zip(indices, read, strict=True)])
    several = floats([len(of) > 1 for of in indices])
    return [confidence, np.minimum(confidence, 5), keep, np.minimum(keep, 1), log_odds(named, 1e-4), several]


def _indices_of(card: SeenCard, detections: ScoredDetections) -> Places:
    """The detections that are a card's indices."""
    boxes = floats([corner.box for corner in card.corners]).reshape(-1, 1, 4)
    return np.flatnonzero((detections.boxes == boxes).all(2).any(0))


def _runs(indices: Sequence[Places]) -> list[Places]:
    """Where the ``indices`` of each card stand once all are put in one row."""
    ends = np.cumsum([*map(len, indices)])
    return np.split(np.arange(ends[-1]), ends[:-1])


def _by_label(cosines: Floats, labels: NDArray[np.integer[Any]], count: int) -> tuple[Floats, Floats]:
    """For m looks and n embeddings (m, n): the evidence for each of ``count`` labels, a logarithm, and the cosine with
    the nearest of its looks, both (n, count)."""
    order = np.argsort(labels, kind="stable")
    there, first = np.unique(labels[order], return_index=True)
    ordered = cosines[order]
    sums = np.zeros((count, cosines.shape[1]), np.float32)
    nearest = np.full(sums.shape, -1, np.float32)
    nearest[there] = np.maximum.reduceat(ordered, first)
    sums[there] = np.add.reduceat(np.exp(np.float32(SHARPNESS) * (ordered - 1)), first)
    return floats(np.log(sums.T + np.exp(_NO_EVIDENCE))), nearest.T


def _bounded(log_ratio: Floats) -> Floats:
    return floats(np.clip(log_ratio, -MOST_EVIDENCE, MOST_EVIDENCE))


def _beside(cards: Sequence[SeenCard], detections: ScoredDetections, indices: Sequence[Places], read: Places) -> Floats:
    """Of each card how near indices of other cards are, those of its rank and any; how much of it lies on or under a
    card, any and one of its rank; how likely one of its indices is another card's; and how alike one nearby is."""
    quads = floats([card.quad for card in cards])
    widths, middles = np.maximum(card_widths(quads), 1), quads.mean(1)
    places, first = np.concatenate(indices), np.cumsum([0, *map(len, indices)])[:-1]
    seen, boxes = embeddings_of(detections)[places], detections.box_centres()[places]

    def between(values: Floats, best: np.ufunc) -> Floats:
        return floats(best.reduceat(best.reduceat(values, first, axis=0), first, axis=1))

    apart = distances(middles) / widths[:, None]
    near = (apart <= 2 * REACH) & ~np.eye(len(cards), dtype=bool)
    of_rank = near & (read[:, None] == read)
    far = between(distances(boxes), np.minimum) / widths[:, None]
    closest, closest_of_rank = (np.where(mask, far, REACH).min(1) for mask in (near, of_rank))
    same = np.where(near, between(detections.p_same[np.ix_(places, places)], np.maximum), 0).max(1)
    alike = np.where(of_rank, between(floats(seen @ seen.T), np.maximum), 0).max(1)
    shares = np.zeros_like(apart)
    for n, m in np.argwhere(near & (apart < REACH)).tolist():
        shares[n, m] = overlap_share(quads[n], quads[m]) if n < m or apart[m, n] >= REACH else shares[m, n]
    figures = [
        np.clip(0.6 - closest_of_rank, 0, 1),
        np.clip(0.4 - closest, 0, 1),
        shares.max(1),
        np.where(of_rank, shares, 0).max(1),
        np.log(np.clip(same, 1e-3, 1)),
        np.clip(alike - 0.9, 0, 1) * (closest_of_rank < 0.8),
    ]
    return floats(floats(figures).T)
