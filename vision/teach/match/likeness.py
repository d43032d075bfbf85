"""How much the cards of a reading look like the taught pictures of their faces, for decks that were shown whole.

The last layers of a household are fitted to few looks, and say what is half covered, or printed large in the middle of
a card, as firmly as what they see well. The picture of a face says something else: what stands in the corner of such a
card, and whether any other of the deck's corners looks more like it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from scorer.faces import JOKER, Face
from vision.arrays import Floats, floats
from vision.crops.pyramid import pyramid
from vision.doubts import ACCEPT, ACCEPT_JOKER, DOUBT_BY_PICTURE, Doubt
from vision.geometry import log_odds, plausible, position_on_card
from vision.teach.match.patches import corner_agreement, rectified_grey
from vision.teach.match.templates import templates
from vision.values import CornerReading, Pixels, SeenCard

WEIGHTS = (-1.677, 0.21, 0.371, 2.378, 2.587)
"""Weights of a logistic fit on 4,380 cards of 120 drawn tables, of three decks that were taught from drawn photographs:
of 1, the log odds of the name and of ``p_keep``, the correlation of the corner with the picture of that name, and by
how much it exceeds that with any picture of another rank. Fitted to two of the decks alone they read the third as
well."""
ACCEPT_BY_PICTURE = 0.7
"""Least confidence of a card; those with less are hints."""
MIN_SHARE = 1e-4
"""Added to probabilities before they are multiplied, and the least whose log odds are taken."""


class Likeness:
    """Weighs cards by pictures; made once for the decks in play.

    Args:
        taught: rectified pictures, (height, width, 3) BGR, of all faces of one or more decks.
    """

    def __init__(self, taught: Mapping[Face, Sequence[Pixels]]) -> None:
        self._faces, self._templates = frozenset(taught), templates(taught)

    def weighed(self, pixels: Pixels, cards: Sequence[SeenCard]) -> tuple[list[SeenCard], list[Floats]]:
        """The cards that are there, with the confidence and the doubt that pictures give them, and the outlines (4, 2)
        of the others.

        Args:
            pixels: the picture, (height, width, 3) BGR.
            cards: all that may be there, also of little ``p_keep``; those whose faces have no picture stay as they are
                if they have enough of it.
        """
        levels, kept, others = pyramid(pixels), list[SeenCard](), list[Floats]()
        for card in cards:
            if card.face in self._faces:
                sure = self._confidence(levels, card)
                there = sure >= ACCEPT_BY_PICTURE
                doubt = None if sure >= DOUBT_BY_PICTURE else Doubt.LOW_CONFIDENCE
                card = replace(card, confidence=sure, doubt=doubt)
            else:
                there = _p_keep(card) >= (ACCEPT_JOKER if card.face == JOKER else ACCEPT)
            if there:
                kept.append(card)
            else:
                others.append(floats(card.quad))
        return kept, others

    def _confidence(self, levels: Sequence[Pixels], card: SeenCard) -> float:
        own, rival = max((self._corners(levels, card.face, corner) for corner in card.corners), default=(0.0, 0.0))
        terms = (1.0, _log_odds(_p_name(card)), _log_odds(_p_keep(card)), own, own - rival)
        return float(1 / (1 + np.exp(-np.dot(WEIGHTS, terms))))

    def _corners(self, levels: Sequence[Pixels], face: Face, corner: CornerReading) -> tuple[float, float]:
        """Correlations of an index with the pictures of a ``face``, and with the best one of another rank."""
        quad, own, rival = floats(corner.quad), 0.0, 0.0
        if not plausible(quad[None])[0]:
            return own, rival
        centre = floats([np.reshape(corner.box, (2, 2)).mean(0)])
        right, flats = bool(position_on_card(quad[None], centre)[0, 0] > 0.5), dict[float, Floats]()
        for template in self._templates:
            key = round(template.proportion, 2)
            if key not in flats:
                flats[key] = rectified_grey(levels, quad, template.proportion)
            share = corner_agreement(flats[key], template, right)[0]
            if template.face.rank == face.rank:
                own = max(own, share)
            else:
                rival = max(rival, share)
        return own, rival


def _p_keep(card: SeenCard) -> float:
    return max((corner.p_keep for corner in card.corners), default=0.0)


def _p_name(card: SeenCard) -> float:
    """The probability of the card's rank by its indices."""
    product: dict[str, float] = {}
    for corner in card.corners:
        shares = dict.fromkeys((face.rank for face, _ in corner.scores), 0.0)
        for face, share in corner.scores:
            shares[face.rank] += share
        product = {rank: product.get(rank, 1.0) * (shares[rank] + MIN_SHARE) for rank in shares}
    return product[card.face.rank] / sum(product.values()) if product else 0.0


def _log_odds(share: float) -> float:
    return float(log_odds(floats([share]), MIN_SHARE)[0])
