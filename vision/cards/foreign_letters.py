"""Doubts about cards of German and French packs, whose letters the networks were not taught.

A B (jack) looks like an 8, a D (queen) and a 1 (ace) like a 10, an R like a K. Seen alone, such an index is an 8 with a
touch of a jack, queen or king; but the networks behind weigh it with the other indices of its card, which have the same
letter, and are sure of it. A printed 8 or 10 hardly ever has that touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats, floats
from vision.detect.detections import ScoredDetections
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.doubts import DOUBT_ALONE, FOREIGN_LETTER, LIKE_A_COURT, Doubt
from vision.values import SeenCard

_COURTS, _NUMBERS = ("J", "Q", "K"), ("8", "10")
"""What foreign letters stand for, and what they are taken for beside that."""
_RANKS = STANDARD_VOCABULARY.ranks


def with_foreign_doubts(cards: Sequence[SeenCard], detections: ScoredDetections) -> list[SeenCard]:
    """The cards, those of foreign packs as sure as the surest look at one of their indices alone.

    Where an 8 or a 10 without a doubt looks like a court card, every 8 and 10 of the picture is in question, and each
    court card of which no index is seen to be what it is. Nothing changes for vocabularies other than the standard one:
    networks that learned a deck have learned its letters.
    """
    if detections.vocabulary != STANDARD_VOCABULARY:
        return list(cards)
    looks = [_looks(card, detections) for card in cards]
    surest = [
        float(seen[:, _RANKS.index(card.face.rank)].max(initial=0)) for card, seen in zip(cards, looks, strict=True)
    ]
    courts = [_RANKS.index(rank) for rank in _COURTS]
    if not any(
        card.face.rank in _NUMBERS
        and card.doubt is None
        and sure < FOREIGN_LETTER
        and seen[:, courts].sum(1).max(initial=0) > LIKE_A_COURT
        for card, seen, sure in zip(cards, looks, surest, strict=True)
    ):
        return list(cards)
    return [
        _doubted(card, sure)
        if card.face.rank in _NUMBERS or (card.face.rank in _COURTS and sure < FOREIGN_LETTER)
        else card
        for card, sure in zip(cards, surest, strict=True)
    ]


def _looks(card: SeenCard, detections: ScoredDetections) -> Floats:
    """The rank probabilities (n, R) of a card's indices, each as it was seen alone."""
    boxes = np.array([corner.box for corner in card.corners], np.float32).reshape(-1, 1, 4)
    return floats(detections.ranks[(detections.boxes == boxes).all(2).any(0)])


def _doubted(card: SeenCard, sure: float) -> SeenCard:
    confidence = min(card.confidence, sure)
    doubt = Doubt.LOW_CONFIDENCE if confidence < DOUBT_ALONE else None
    return replace(card, confidence=confidence, doubt=card.doubt or doubt)
