"""How much the cards of a reading look like the taught pictures of their faces, for decks that were shown whole.

The last layers of a household are fitted to few looks, and say what is half covered, or printed large in the middle of
a card, as firmly as what they see well. The picture of a face says something else: what stands in the corner of such a
card, and whether any other of the deck's corners looks more like it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from scorer.faces import Face, is_picture_card
from vision.arrays import Floats, floats
from vision.crops.pyramid import pyramid
from vision.detect.detections import Detections
from vision.doubts import ACCEPT, DOUBT_BY_PICTURE, Doubt
from vision.geometry import log_odds, overlap_share, plausible, position_on_card
from vision.teach.match.matches import Match, guesses_inside, same_card
from vision.teach.match.patches import corner_agreement, rectified_grey
from vision.teach.match.templates import templates
from vision.teach.match.whole_faces import WholeFace, WholeFaces
from vision.values import CornerReading, Pixels, SeenCard, as_quad

WEIGHTS = (-1.677, 0.21, 0.371, 2.378, 2.587)
"""Weights of a logistic fit on 4,380 cards of 120 drawn tables, of three decks that were taught from drawn photographs:
of 1, the log odds of the name and of ``p_keep``, the correlation of the corner with the picture of that name, and by
how much it exceeds that with any picture of another rank. Fitted to two of the decks alone they read the third as
well."""
ACCEPT_BY_PICTURE = 0.7
"""Least confidence of a card; those with less are hints."""
MAX_COMMON = 0.8
"""Share of the smaller one that a sure card and another of its face have in common at most."""
MIN_SHARE = 1e-4
"""Added to probabilities before they are multiplied, and the least whose log odds are taken."""


class Likeness:
    """Weighs cards by pictures; made once for the decks in play.

    Args:
        taught: rectified pictures, (height, width, 3) BGR, of all faces of one or more decks.
    """

    def __init__(self, taught: Mapping[Face, Sequence[Pixels]]) -> None:
        self._faces, self._templates = frozenset(taught), templates(taught)
        self._whole = WholeFaces({face: shown for face, shown in taught.items() if is_picture_card(face)})

    def applied(
        self, pixels: Pixels, detections: Detections, cards: Sequence[SeenCard]
    ) -> tuple[list[SeenCard], list[Floats]]:
        """The cards that are there, from the top, with the confidence and the doubt that pictures give them, and
        picture cards that are seen by their whole face; and the outlines (4, 2) of those that are not there.

        Args:
            pixels: the picture, (height, width, 3) BGR.
            detections: all that the detector found.
            cards: all that may be there, also of little ``p_keep``; those whose faces have no picture stay as they are
                if they have enough of it.
        """
        levels = pyramid(pixels)
        kept, others = self._weighed(levels, cards)
        return sorted(self._completed(levels, detections, kept), key=lambda c: (c.quad[0][1], c.quad[0][0])), others

    def _weighed(self, levels: Sequence[Pixels], cards: Sequence[SeenCard]) -> tuple[list[SeenCard], list[Floats]]:
        """The cards that are there, weighed, and the outlines of the others."""
        kept, others = list[SeenCard](), list[Floats]()
        for card in cards:
            if card.face in self._faces:
                sure = self._confidence(levels, card)
                there = sure >= ACCEPT_BY_PICTURE
                doubt = None if sure >= DOUBT_BY_PICTURE else Doubt.LOW_CONFIDENCE
                card = replace(card, confidence=sure, doubt=doubt)
            else:
                there = _p_keep(card) >= ACCEPT
            if there:
                kept.append(card)
            else:
                others.append(floats(card.quad))
        return kept, others

    def _completed(self, levels: Sequence[Pixels], detections: Detections, cards: Sequence[SeenCard]) -> list[SeenCard]:
        """The cards, and those seen by their whole face, which is believed where a card is in doubt."""
        sure = floats([card.quad for card in cards if card.doubt is None]).reshape(-1, 4, 2)
        result = list(cards)
        for one in self._whole.find(levels, detections, sure):
            match = Match(one.face, one.quad, one.share)
            if any(_is_seen(one, card) for card in result):
                continue
            own = same_card(one.quad, result)
            doubt = None if one.share >= DOUBT_BY_PICTURE else Doubt.LOW_CONFIDENCE
            if own is None:
                gone = guesses_inside(match, result) if one.whole else ()
                result = [card for n, card in enumerate(result) if n not in gone]
                result.append(SeenCard(one.face, one.share, (), as_quad(one.quad), doubt))
            elif result[own].doubt == Doubt.LOW_CONFIDENCE and one.share > result[own].confidence:
                rest = () if result[own].face == one.face else ((result[own].face, 1 - one.share),)
                result[own] = replace(result[own], face=one.face, confidence=one.share, others=rest, doubt=doubt)
        return result

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


def _is_seen(one: WholeFace, card: SeenCard) -> bool:
    """Whether a sure card is the one that was found."""
    return card.doubt is None and card.face == one.face and overlap_share(one.quad, floats(card.quad)) > MAX_COMMON


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
