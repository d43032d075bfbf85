"""Builds the cards of a picture from its scored detections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.arrays import Floats, floats
from vision.cards.conflicts import without_conflicts
from vision.cards.dedupe import Corner, deduplicate
from vision.cards.foreign_letters import with_foreign_doubts
from vision.cards.one_outline import joined_by_outline
from vision.cards.pairing import Member, outlines, pair
from vision.detect.detections import ScoredDetections
from vision.detect.vocabulary import Vocabulary
from vision.doubts import ACCEPT, DOUBT, HINT_MISSED, Doubt
from vision.values import CornerReading, Pixels, SeenCard, as_quad

MIN_RANK, MIN_SUIT = 1e-4, 1e-3
"""Smoothing, added to probabilities before they are multiplied, so that no rank or suit becomes impossible."""
MIN_OTHER = 0.0005
"""Least probability of a face among the others of a card."""
CardConfidence = Callable[[float, float, int], float]
"""Calibrated probability that a card's rank is right, from its ``evidence``."""


def deduplicated_corners(
    detections: ScoredDetections, min_p_keep: float = ACCEPT
) -> tuple[list[Corner], list[CornerReading]]:
    """The detections with ``min_p_keep`` or more, each printed index once, as pairing takes them and as readings."""
    detections = detections.select(np.array(deduplicate(detections.p_keep, detections.p_same, min_p_keep), np.intp))
    # positive where the log odds favour the corner that the detection has
    side_logits = np.where(detections.index_on_right, detections.right_logit, -detections.right_logit)
    corners, readings = [], []
    for quad, right, centre, p_keep, ranks, suits, side_logit, box, scores in zip(
        detections.quads,
        detections.index_on_right.tolist(),
        detections.box_centres(),
        detections.p_keep.tolist(),
        detections.final_ranks,
        detections.suits,
        side_logits.tolist(),
        detections.boxes.tolist(),
        detections.vocabulary.face_scores(detections.final_ranks, detections.suits),
        strict=True,
    ):
        corners.append(Corner(quad, right, centre, p_keep, ranks, suits, side_logit))
        x0, y0, x1, y1 = box
        readings.append(CornerReading(scores, (x0, y0, x1, y1), as_quad(quad), p_keep))
    return corners, readings


def build_cards(
    detections: ScoredDetections, card_confidence: CardConfidence, pixels: Pixels, every: bool = False
) -> tuple[list[SeenCard], list[Floats]]:
    """Builds cards, top to bottom; also returns rejected outlines.

    Args:
        detections: all detections of the picture.
        card_confidence: ``Relations.card_confidence``.
        pixels: the picture, (height, width, 3) BGR.
        every: make cards of all detections from ``HINT_MISSED`` up, for ``Likeness`` to choose from.

    Returns:
        The cards, and outlines (4, 2) of cards that may have been missed: those of detections from ``HINT_MISSED`` up
        to ``ACCEPT``, and of cards dropped in a conflict.
    """
    corners, readings = deduplicated_corners(detections, HINT_MISSED)
    accepted = [n for n, corner in enumerate(corners) if every or corner.p_keep >= ACCEPT]
    weak = [corners[n].quad for n in sorted(set(range(len(corners))) - set(accepted))]
    paired = joined_by_outline(pair([corners[n] for n in accepted]), pixels)
    chosen = [readings[n] for n in accepted]
    cards, dropped = without_conflicts(cards_from_pairs(paired, chosen, card_confidence, detections.vocabulary))
    cards = with_foreign_doubts(cards, detections)
    return sorted(cards, key=lambda card: (card.quad[0][1], card.quad[0][0])), weak + dropped


def _class_probabilities(paired: Sequence[Sequence[Member]]) -> tuple[Floats, Floats]:
    """Rank (n, R) and suit (n, S) probabilities of n cards: the normalised products over their indices."""
    corners = [member.corner for members in paired for member in members]
    first = np.cumsum([0, *map(len, paired)])[:-1]
    ranks = np.multiply.reduceat(np.stack([corner.ranks for corner in corners]) + MIN_RANK, first)
    suits = np.multiply.reduceat(np.stack([corner.suits for corner in corners]) + MIN_SUIT, first)
    return floats(ranks / ranks.sum(1, keepdims=True)), floats(suits / suits.sum(1, keepdims=True))


def _evidence(ranks: Floats, paired: Sequence[Sequence[Member]]) -> list[tuple[float, float, int]]:
    p_keep = [max(member.corner.p_keep for member in members) for members in paired]
    return list(zip(ranks.max(1).tolist(), p_keep, map(len, paired), strict=True))


def evidence(paired: Sequence[Sequence[Member]]) -> list[tuple[float, float, int]]:
    """What the confidence of each card is computed from: the probability of its rank, the greatest ``p_keep`` of its
    indices, and their number."""
    return _evidence(_class_probabilities(paired)[0], paired) if paired else []


def cards_from_pairs(
    paired: Sequence[Sequence[Member]],
    readings: Sequence[CornerReading],
    card_confidence: CardConfidence,
    vocabulary: Vocabulary,
) -> list[SeenCard]:
    """Makes one card of each group of indices.

    Args:
        paired: the indices of each card; their ``index`` refers to ``readings``.
        readings: the readings of all indices.
        card_confidence: ``Relations.card_confidence``.
        vocabulary: what the indices' ranks and suits stand for.
    """
    if not paired:
        return []
    ranks, suits = _class_probabilities(paired)
    cards = []
    columns = (paired, outlines(paired), _evidence(ranks, paired), vocabulary.face_scores(ranks, suits))
    for members, quad, card_evidence, scores in zip(*columns, strict=True):
        confidence = card_confidence(*card_evidence)
        cards.append(
            SeenCard(
                face=scores[0][0],
                confidence=confidence,
                others=tuple((other, score) for other, score in scores[1:6] if score > MIN_OTHER),
                quad=as_quad(quad),
                doubt=None if confidence >= DOUBT else Doubt.LOW_CONFIDENCE,
                corners=tuple(readings[member.index] for member in members),
            )
        )
    return cards
