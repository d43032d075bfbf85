"""Taught picture cards found by their whole face, or by the half of it that shows: many have no index in their corners.

The detector knows indices alone, and yet outlines such cards, however faintly: of 38 of them on ten drawn tables, all.
At each of its outlines the paper is held against the taught pictures, small and in color.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.crops.pyramid import rectified
from vision.detect.detections import Detections
from vision.geometry import corners_apart, overlap_share, plausible, quad_width
from vision.teach.match.templates import Part, both_ends
from vision.values import Pixels

WIDTH, MARGIN = 36, 4
"""Width in pixels of the card on which faces are compared, and by how much it may lie elsewhere than its outline."""
SOFTEN = 0.6
"""Sigma in pixels of the blur of a taught picture, which is sharper than a table's."""
PARTS = (Part(0.04, 0.03, 0.96, 0.97), Part(0.04, 0.03, 0.96, 0.5), Part(0.04, 0.03, 0.5, 0.97))
"""The face, and what shows of it where another card covers its lower or its right half; turned by half a turn too."""
HALVES = floats([0.0, 0.12, 0.1])
"""By how much more the parts agree with pictures that are not there."""
WEIGHTS = (-6.385, 9.561, 2.112)
"""Weights of a logistic fit on 3,600 outlines of 18 drawn tables of two decks taught from drawn photographs, one of
them without indices on its picture cards: of 1, the best correlation of a part less its HALVES, and by how much it
exceeds that of any other face. Fitted to one deck it finds the cards of the other as well."""
FOUND = 0.7
"""Least probability of a face."""
MIN_SCORE = 0.005
"""Detections of less score are not looked at."""
SAME_PLACE, SAME_CARD = 0.07, 0.6
"""Card widths between two outlines, either way up, of which one is enough to look at; and the share of the smaller one
that two found cards have in common at most."""


class WholeFace(NamedTuple):
    """A face that shows: the outline (4, 2) of its card, its probability, and whether it is seen ``whole``."""

    face: Face
    quad: Floats
    share: float
    whole: bool


class _Taught(NamedTuple):
    face: Face
    proportion: float
    parts: tuple[Floats, ...]


class WholeFaces:
    """Finds whole faces; made once for the decks in play.

    Args:
        taught: rectified pictures, (height, width, 3) BGR, of picture cards.
    """

    def __init__(self, taught: Mapping[Face, Sequence[Pixels]]) -> None:
        self._taught = [_of_picture(face, end) for face, end in both_ends(taught)]
        self._faces = list(taught)

    def find(self, levels: Sequence[Pixels], detections: Detections, known: Floats) -> list[WholeFace]:
        """The faces in a picture, surest first, each card once.

        Args:
            levels: a ``pyramid.pyramid``.
            detections: all that the detector found.
            known: outlines (n, 4, 2) where nothing is looked for.
        """
        seen = [one for quad in _places(detections, known) if (one := self._face(levels, quad)).share >= FOUND]
        found: list[WholeFace] = []
        for one in sorted(seen, key=lambda one: -one.share):
            if all(overlap_share(one.quad, other.quad) < SAME_CARD for other in found):
                found.append(one)
        return found

    def _face(self, levels: Sequence[Pixels], quad: Floats) -> WholeFace:
        """The face that the paper in an outline agrees with best."""
        flats, shares = dict[float, Floats](), np.full((len(self._faces), len(PARTS)), -1.0, np.float32)
        for taught in self._taught:
            key = round(taught.proportion, 2)
            if key not in flats:
                flats[key] = floats(rectified(levels, quad, WIDTH, WIDTH * taught.proportion, MARGIN))
            row = self._faces.index(taught.face)
            for n, (part, piece) in enumerate(zip(PARTS, taught.parts, strict=True)):
                height = flats[key].shape[0] - 2 * MARGIN
                x, y = round(part.left * WIDTH), round(part.top * height)
                region = flats[key][y : y + 2 * MARGIN + piece.shape[0], x : x + 2 * MARGIN + piece.shape[1]]
                shares[row, n] = max(shares[row, n], cv2.matchTemplate(region, piece, cv2.TM_CCOEFF_NORMED).max())
        best, part_of = divmod(int((shares - HALVES).argmax()), len(PARTS))
        rival = float(np.delete(shares[:, part_of], best).max(initial=0.0))
        own = float(shares[best, part_of])
        share = float(1 / (1 + np.exp(-np.dot(WEIGHTS, (1.0, own - HALVES[part_of], own - rival)))))
        return WholeFace(self._faces[best], quad, share, part_of == 0)


def _of_picture(face: Face, picture: Pixels) -> _Taught:
    proportion = picture.shape[0] / picture.shape[1]
    size = (WIDTH, round(WIDTH * proportion))
    small = cv2.GaussianBlur(floats(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)), (0, 0), SOFTEN)
    height = small.shape[0]
    pieces = (
        small[round(p.top * height) : round(p.bottom * height), round(p.left * WIDTH) : round(p.right * WIDTH)]
        for p in PARTS
    )
    return _Taught(face, proportion, tuple(np.ascontiguousarray(piece) for piece in pieces))


def _places(detections: Detections, known: Floats) -> list[Floats]:
    """The outlines to look at, each place once, those of greater score first."""
    rows = np.flatnonzero(plausible(detections.quads) & (detections.scores >= MIN_SCORE))
    places = list(known)
    for quad in detections.quads[rows[np.argsort(-detections.scores[rows], kind="stable")]]:
        if not places or corners_apart(quad, floats(places)).min() > SAME_PLACE * quad_width(quad):
            places.append(quad)
    return places[len(known) :]
