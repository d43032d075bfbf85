"""Taught jokers and picture cards among the cards of a reading: those read as something else, and those not seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

import cv2
import numpy as np

from scorer.faces import JOKER, Face
from vision.arrays import Floats, floats
from vision.crops.pyramid import pyramid
from vision.detect.detections import Detections, ScoredDetections, index_centres
from vision.doubts import DOUBT_ALONE, Doubt
from vision.geometry import card_widths, overlap_share, plausible, quad_width
from vision.teach.match.keypoints import Found, Keypoints
from vision.teach.match.likeness import Likeness
from vision.teach.match.matches import (
    SAME_CARD,
    SAME_FACE,
    WHOLE,
    Match,
    guesses_inside,
    indices_apart,
    same_card,
)
from vision.teach.match.patches import agreement, rectified_grey
from vision.teach.match.templates import templates
from vision.values import Pixels, SeenCard, as_quad

SURENESS = (-0.04, -10.23, 2.49, 3.38, 12.87, -0.07, -5.37, 2.76, 0.38)
"""Weights of a logistic fit on 2482 detections of 43 drawn tables, whose jokers were taught from a drawn photo and none
of them seen by a network in training: of 1, the corner's correlation c, that of what shows beside it s, that of the
middle, c * c, c * s, whether the reader is sure of another card there, whether it takes it for a joker, and the
logarithm of how likely it holds the index."""
SURE, KEPT = 0.9, 0.5
"""Probabilities of a rank and of an index from which the reader is sure of another card for that."""
HINT = 0.03
"""How likely an index is that is only a hint."""
MIN_SURENESS = 0.05
"""Matches that are less sure are no matches."""
CHANGES, ADDS = 0.7, 0.97
"""Least sureness of a match that changes a card, and of one where the reader has none."""
MIN_CORNER = 0.4
"""Least correlation of a corner."""
POINTS, POINTS_SCALE = 9.0, 3.0
"""Points of ``Keypoints`` that make a match as likely as not, and that make it e times likelier."""
RIVAL = 0.7
"""Points on another face, as a share, from which it is in question which of the two lies there."""
SAME_PLACE = 0.07
"""Card widths between two outlines, mean over their corners, of which one is enough to look at."""
MAX_OVERLAP = 0.8
"""Share of the smaller one that two cards have in common at most if points show both."""
MIN_SCORE = 0.01
"""Detections of less score are not looked at."""
KEPT_ALONE = 0.97
"""How likely an index that networks see which learned a face must be where it is the only one of its card: on drawn
tables of two decks all true ones were likelier, and all but two of the false ones less."""
SURE_CARD = 0.999
"""In cards of which the reader is this sure, nothing is looked for by points."""


class _Place(NamedTuple):
    """Where a taught card may lie.

    ``quad`` (4, 2) is its outline; ``right`` says that it shows its right upper corner; ``kept`` how likely it holds an
    index at all; ``other`` that the reader is sure of another card; ``joker`` that it takes it for a joker.
    """

    quad: Floats
    right: bool
    kept: float
    other: bool
    joker: bool


class TaughtFaces:
    """Finds taught pictures on tables; made once for the decks in play.

    Args:
        taught: rectified pictures, (height, width, 3) BGR, of jokers and picture cards, one or more a face.
        decks: ids of all decks in play.
        pictured: ids of those of them that the pictures are of; by default all.
        every: pictures of all faces of decks that no shipped network knows, by which their cards are weighed.
    """

    def __init__(
        self,
        taught: Mapping[Face, Sequence[Pixels]],
        decks: Collection[str] = (),
        pictured: Collection[str] | None = None,
        every: Mapping[Face, Sequence[Pixels]] = MappingProxyType({}),
    ) -> None:
        self.decks, self.faces = frozenset(decks), frozenset(taught)
        self.pictured = self.decks if pictured is None else frozenset(pictured)
        self._templates = templates(taught)
        self._keypoints = Keypoints(taught)
        self.likeness = Likeness(every) if every else None

    def matches(self, pixels: Pixels, detections: Sequence[Detections], cards: Sequence[SeenCard] = ()) -> list[Match]:
        """The taught faces in a picture, surest first, each card once.

        Args:
            pixels: the picture, (height, width, 3) BGR.
            detections: all detections of it, also those that became no card; the most exact outlines first.
            cards: the cards that the reader made of them.
        """
        usual = float(np.median([quad_width(floats(card.quad)) for card in cards])) if cards else None
        known = [floats(card.quad) for card in cards if card.confidence >= SURE_CARD and card.face.rank.isdigit()]
        found = _by_points(self._keypoints.find(pixels, usual, known))
        levels = pyramid(pixels)
        for place in _places(detections, cards):
            match = self._by_parts(levels, place)
            if match:
                found.append(match)
        return _each_once(found)

    def _by_parts(self, levels: Sequence[Pixels], place: _Place) -> Match | None:
        """The taught face that a card's visible parts agree with best."""
        flats: dict[float, Floats] = {}
        shares: dict[Face, float] = {}
        for template in self._templates:
            key = round(template.proportion, 2)
            if key not in flats:
                flats[key] = rectified_grey(levels, place.quad, template.proportion)
            share = sureness(agreement(flats[key], template, place.right), place)
            shares[template.face] = max(share, shares.get(template.face, 0.0))
        face = max(shares, key=lambda face: shares[face])
        rivals = sum(_odds(share) for other, share in shares.items() if other != face)
        share = shares[face] / (1 + rivals / max(_odds(shares[face]), 1e-9))
        index = index_centres(place.quad[None], np.array([place.right]))[0]
        return Match(face, place.quad, share, index) if share >= MIN_SURENESS else None

    def applied(
        self,
        pixels: Pixels,
        detections: Sequence[Detections],
        cards: Sequence[SeenCard],
        learnt: Sequence[SeenCard] = (),
    ) -> list[SeenCard]:
        """The ``cards`` with the faces that were taught, and with those that the reader did not see; from the top.

        Args:
            pixels: the picture, (height, width, 3) BGR.
            detections: all detections of it, also those that became no card; the most exact outlines first.
            cards: the cards that the reader made of them.
            learnt: the cards as networks see them that learned these faces.
        """
        result = list(cards)
        for match in self.matches(pixels, detections, cards) if self.faces else ():
            inside = guesses_inside(match, result)
            own = inside[0] if inside else same_card(match.quad, result)
            if own is None:
                if match.sureness >= ADDS:
                    result.append(_card(match))
            elif match.sureness >= CHANGES and not (match.index is None and _is_other(result[own])):
                result[own] = _renamed(result[own], match)
                result = [card for n, card in enumerate(result) if n not in inside[1:]]
        levels = pyramid(pixels) if learnt else []
        for card in learnt:
            if same_card(floats(card.quad), result) is None and self._confirms(levels, card):
                result.append(card)
        return sorted(result, key=lambda card: (card.quad[0][1], card.quad[0][0]))

    def _confirms(self, levels: Sequence[Pixels], card: SeenCard) -> bool:
        """Whether a card has a taught face: one of its indices looks like the taught picture, and it is not alone or
        very likely an index."""
        if card.face not in self.faces or (len(card.corners) == 1 and card.corners[0].p_keep < KEPT_ALONE):
            return False
        matches = [
            self._by_parts(levels, _Place(floats(c.quad), False, max(c.p_keep, HINT), False, True))
            for c in card.corners
        ]
        return any(match and match.face == card.face and match.sureness >= SURE for match in matches)


def sureness(parts: Floats, place: _Place) -> float:
    """The probability that a card shows the taught picture with which its parts agree so much, ``patches.PARTS``."""
    corner, beside, middle = float(parts[0]), max(float(parts[1]), float(parts[2]), 0.0), max(float(parts[3]), 0.0)
    # the fit is a parabola in the corner's correlation, which must not rise again to the left
    if corner < MIN_CORNER:
        return 0.0
    terms = (1.0, corner, beside, middle, corner**2, corner * beside, place.other, place.joker, np.log(place.kept))
    return float(1 / (1 + np.exp(-np.dot(SURENESS, terms))))


def _odds(share: float) -> float:
    return share / max(1 - share, 1e-6)


def _by_points(found: Sequence[Found]) -> list[Match]:
    """Matches by points, each place once, with rivals for one place weighed against each other."""
    matches: list[Match] = []
    for one in found:
        if any(overlap_share(one.quad, match.quad) > MAX_OVERLAP for match in matches):
            continue
        rivals = [
            other.points
            for other in found
            if other.face != one.face and overlap_share(one.quad, other.quad) > MAX_OVERLAP
        ]
        share = float(1 / (1 + np.exp((POINTS - one.points) / POINTS_SCALE)))
        if max(rivals, default=0) > RIVAL * one.points:
            share *= one.points / (one.points + max(rivals))
        matches.append(Match(one.face, one.quad, share))
    return matches


def _places(detections: Sequence[Detections], cards: Sequence[SeenCard]) -> list[_Place]:
    """Where a taught card may lie, each place once."""
    places = [
        _Place(floats(corner.quad), False, max(corner.p_keep, HINT), _is_other(card), card.face == JOKER)
        for card in cards
        for corner in card.corners
    ]
    for found in detections:
        rows = np.flatnonzero(plausible(found.quads) & (found.scores >= MIN_SCORE))
        right = found.index_on_right_by_box()
        kept = found.p_keep if isinstance(found, ScoredDetections) else np.full(len(found), HINT)
        for n in rows.tolist():
            own = same_card(found.quads[n], cards)
            other, joker = (False, False) if own is None else (_is_other(cards[own]), cards[own].face == JOKER)
            places.append(_Place(found.quads[n], bool(right[n]), max(float(kept[n]), HINT), other, joker))
    quads, right = floats([place.quad for place in places]).reshape(-1, 4, 2), np.array([p.right for p in places], bool)
    once: list[int] = []
    for n, width in enumerate(card_widths(quads).tolist()):
        same = [m for m in once if right[m] == right[n]]
        apart = np.hypot(*(quads[same] - quads[n]).transpose(2, 0, 1)).mean(1)
        if apart.min(initial=np.inf) > SAME_PLACE * width:
            once.append(n)
    return [places[n] for n in once]


def _is_other(card: SeenCard) -> bool:
    """Whether the reader is sure that the card is neither a joker nor in doubt."""
    return bool(card.face.suit) and card.confidence >= SURE and any(corner.p_keep >= KEPT for corner in card.corners)


def _each_once(matches: Sequence[Match]) -> list[Match]:
    """The surest match of each card, surest first."""
    kept: list[Match] = []
    for match in sorted(matches, key=lambda match: -match.sureness):
        apart = indices_apart(match.quad, floats([other.quad for other in kept]).reshape(-1, 4, 2))
        reach = [SAME_CARD if other.face != match.face else SAME_FACE for other in kept]
        if (apart > floats(reach)).all() and not any(_is_inside(match, other) for other in kept):
            kept.append(match)
    return kept


def _is_inside(match: Match, whole: Match) -> bool:
    """Whether a match by an index is a part of a card whose points were seen: that card covers the place."""
    if match.index is None or whole.index is not None or whole.sureness < WHOLE or match.face != whole.face:
        return False
    x, y = match.index.tolist()
    return cv2.pointPolygonTest(whole.quad, (x, y), False) > 0


def _renamed(card: SeenCard, match: Match) -> SeenCard:
    """The card with the face of the match, and as sure."""
    if card.face == match.face:
        confidence = max(card.confidence, match.sureness)
        ended = confidence >= DOUBT_ALONE and card.doubt == Doubt.LOW_CONFIDENCE
        return replace(card, confidence=confidence, doubt=None if ended else card.doubt)
    rest = (other for other in card.others if other[0] != match.face)
    others = ((card.face, min(card.confidence, 1 - match.sureness)), *rest)
    doubt = None if match.sureness >= DOUBT_ALONE else Doubt.LOW_CONFIDENCE
    return replace(card, face=match.face, confidence=match.sureness, others=others[:5], doubt=doubt)


def _card(match: Match) -> SeenCard:
    doubt = None if match.sureness >= DOUBT_ALONE else Doubt.LOW_CONFIDENCE
    return SeenCard(match.face, match.sureness, (), as_quad(match.quad), doubt)
