"""Taught jokers and picture cards among the cards of a reading: those read as something else, and those not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.cards.build import as_quad
from vision.crops.pyramid import pyramid
from vision.detect.detections import Detections
from vision.doubts import DOUBT, Doubt
from vision.geometry import card_widths, overlap_share, plausible, quad_width
from vision.teach.match.keypoints import Found, Keypoints
from vision.teach.match.patches import agreement, rectified_grey
from vision.teach.match.templates import Template, templates
from vision.values import Pixels, SeenCard

SURENESS = (-1.46, -12.99, 1.05, 5.08, 17.64, -1.27)
"""Weights of a logistic fit on 3246 detections of drawn tables with taught jokers, none of them seen by a network in
training: of 1, the corner's correlation c, that of what shows beside it s, that of the middle, c * c, and c * s."""
MIN_SURENESS = 0.05
"""Matches that are less sure are no matches."""
AGREES, REPLACES, ADDS = 0.5, 0.9, 0.93
"""Least sureness of a match where the reader says the same face or is in doubt, where it is sure of another face, and
where it has no card."""
POINTS, POINTS_SCALE = 9.0, 3.0
"""Points of ``Keypoints`` that make a match as likely as not, and that make it e times likelier."""
RIVAL = 0.7
"""Points on another face, as a share, from which it is in question which of the two lies there."""
SAME_CARD = 0.3
"""Card widths between two outlines of one card, mean over their corners."""
SAME_PLACE = 0.07
"""The same for two outlines of which one is enough to look at."""
MAX_OVERLAP = 0.8
"""Share of the smaller one that two cards of a table may have in common."""
CROWDED = 0.6
"""Card widths between two outlines, as above, that are not far enough apart for two such cards."""
MIN_SCORE = 0.01
"""Detections of less score are not looked at."""
SURE_CARD = 0.999
"""In cards of which the reader is this sure, nothing is looked for by points."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A taught face that shows: its ``sureness`` 0..1, and its card's outline (4, 2) from its top left corner."""

    face: Face
    quad: Floats
    sureness: float


class TaughtFaces:
    """Finds taught pictures on tables; made once for the decks in play.

    Args:
        taught: rectified pictures, (height, width, 3) BGR, of jokers and picture cards, one or more a face.
    """

    def __init__(self, taught: Mapping[Face, Sequence[Pixels]]) -> None:
        self._templates = templates(taught)
        self._keypoints = Keypoints(taught)

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
        for quad, right in _places(detections, cards):
            match = self._by_parts(levels, quad, right)
            if match:
                found.append(match)
        return _each_once(found)

    def _by_parts(self, levels: Sequence[Pixels], quad: Floats, right: bool) -> Match | None:
        """The taught face that a card's visible parts agree with best."""
        flats: dict[float, Floats] = {}
        best: tuple[float, Template | None] = (MIN_SURENESS, None)
        second = 0.0
        for template in self._templates:
            key = round(template.proportion, 2)
            if key not in flats:
                flats[key] = rectified_grey(levels, quad, template.proportion)
            share = sureness(agreement(flats[key], template, right))
            if share > best[0]:
                second = best[0] if best[1] and best[1].face != template.face else second
                best = (share, template)
            elif best[1] and template.face != best[1].face:
                second = max(second, share)
        if best[1] is None:
            return None
        return Match(best[1].face, quad, best[0] / (1 + _odds(second) / _odds(best[0])))

    def applied(self, pixels: Pixels, detections: Sequence[Detections], cards: Sequence[SeenCard]) -> list[SeenCard]:
        """The ``cards`` with the faces that were taught, and with those that the reader did not see; from the top."""
        result = list(cards)
        for match in self.matches(pixels, detections, cards):
            own = _same_card(match.quad, result)
            if own is None:
                if match.sureness >= ADDS and not _crowded(match.quad, result):
                    result.append(_card(match))
            elif match.sureness >= (AGREES if _open(result[own], match.face) else REPLACES):
                result[own] = _renamed(result[own], match)
        return sorted(result, key=lambda card: (card.quad[0][1], card.quad[0][0]))


def sureness(parts: Floats) -> float:
    """The probability that a card shows the taught picture with which its parts agree so much, ``patches.PARTS``."""
    corner, beside, middle = float(parts[0]), max(float(parts[1]), float(parts[2]), 0.0), max(float(parts[3]), 0.0)
    terms = (1.0, corner, beside, middle, corner * corner, corner * beside)
    # the fit is a parabola in the corner's correlation, which must not rise again to the left
    if corner < 0.4:
        return 0.0
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


def _places(detections: Sequence[Detections], cards: Sequence[SeenCard]) -> list[tuple[Floats, bool]]:
    """Outlines (4, 2) where a taught card may lie, and whether it shows its right upper corner; each once."""
    quads, sides = [floats([corner.quad for card in cards for corner in card.corners]).reshape(-1, 4, 2)], []
    sides.append(np.zeros(len(quads[0]), bool))
    for found in detections:
        rows = plausible(found.quads) & (found.scores >= MIN_SCORE)
        quads.append(found.quads[rows])
        sides.append(found.index_on_right_by_box()[rows])
    places, right = np.concatenate(quads), np.concatenate(sides)
    kept: list[int] = []
    widths = card_widths(places)
    for n in range(len(places)):
        same = [m for m in kept if right[m] == right[n]]
        apart = np.hypot(*(places[same] - places[n]).transpose(2, 0, 1)).mean(1) if same else floats([np.inf])
        if apart.min() > SAME_PLACE * widths[n]:
            kept.append(n)
    return [(places[n], bool(right[n])) for n in kept]


def _apart(one: Floats, other: Floats) -> float:
    """Card widths between two outlines, whichever end of either is up."""
    width = max(quad_width(one), 1.0)
    return min(float(np.hypot(*(np.roll(one, turn, axis=0) - other).T).mean()) for turn in (0, 2)) / width


def _each_once(matches: Sequence[Match]) -> list[Match]:
    """The surest match of each card, surest first."""
    kept: list[Match] = []
    for match in sorted(matches, key=lambda match: -match.sureness):
        if all(_apart(match.quad, other.quad) > SAME_CARD for other in kept):
            kept.append(match)
    return kept


def _same_card(quad: Floats, cards: Sequence[SeenCard]) -> int | None:
    """The position of the card that lies there."""
    apart = [_apart(quad, floats(card.quad)) for card in cards]
    nearest = int(np.argmin(apart)) if apart else 0
    return nearest if apart and apart[nearest] <= SAME_CARD else None


def _crowded(quad: Floats, cards: Sequence[SeenCard]) -> bool:
    """Whether other cards lie where this one does, so that it cannot be one of its own."""
    outlines = [floats(card.quad) for card in cards]
    return any(overlap_share(quad, other) > MAX_OVERLAP and _apart(quad, other) < CROWDED for other in outlines)


def _open(card: SeenCard, face: Face) -> bool:
    """Whether a card may well be ``face``: it was read as that or as a joker, or is in doubt."""
    return card.face == face or not card.face.suit or card.doubt == Doubt.LOW_CONFIDENCE


def _renamed(card: SeenCard, match: Match) -> SeenCard:
    """The card with the face of the match, and as sure."""
    if card.face == match.face:
        confidence = max(card.confidence, match.sureness)
        ended = confidence >= DOUBT and card.doubt == Doubt.LOW_CONFIDENCE
        return replace(card, confidence=confidence, doubt=None if ended else card.doubt)
    rest = (other for other in card.others if other[0] != match.face)
    others = ((card.face, min(card.confidence, 1 - match.sureness)), *rest)
    doubt = None if match.sureness >= DOUBT else Doubt.LOW_CONFIDENCE
    return replace(card, face=match.face, confidence=match.sureness, others=others[:5], doubt=doubt)


def _card(match: Match) -> SeenCard:
    doubt = None if match.sureness >= DOUBT else Doubt.LOW_CONFIDENCE
    return SeenCard(match.face, match.sureness, (), as_quad(match.quad), doubt)
