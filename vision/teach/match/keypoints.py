"""Taught pictures found anywhere in a photo, by points that look alike and lie as on one flat card.

Points and their surroundings are those of Lowe, *Distinctive image features from scale-invariant keypoints* (2004).
This finds a card of which the middle shows, even where nothing in its corners is an index that the detector knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.faces import Face
from vision.arrays import Floats, doubles, floats
from vision.crops.pyramid import resized
from vision.geometry import UNIT, plausible, quad_width
from vision.values import Pixels

TAUGHT_WIDTH, TAUGHT_POINTS = 240, 500
"""Width in pixels at which points of a taught picture are taken, and how many at most."""
LONGEST, CARD_WIDTH = 1000, 150
"""Longest side of the photo in which points are looked for, or less where its cards are then wider than this."""
MOST_POINTS = 2500
CONTRAST = 0.02
"""Least contrast of a point, half of what is usual, since photos are dim."""
RATIO = 0.82
"""A point's distance from its likeness against that from the next one that is not the same print at the card's other
end."""
ERROR = 0.025
"""Card widths by which a point may lie elsewhere than the card's outline says."""
MIN_POINTS = 10
"""Points that agree on one outline, at least."""
MOST_CARDS = 12
"""So many cards of one face are looked for in a photo."""
MIN_WIDTH = 40.0
"""Narrower cards are not found, in pixels of the photo that is searched."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A taught face and where it lies: the outline (4, 2) of the card as its picture is upright, and how many points
    agree."""

    face: Face
    quad: Floats
    points: int


@dataclass(frozen=True, slots=True, eq=False)
class _Taught:
    face: Face
    places: Floats
    marks: Floats


def _finder(points: int) -> Any:
    return cv2.SIFT_create(nfeatures=points, contrastThreshold=CONTRAST)  # type: ignore[attr-defined]


class Keypoints:
    """The points of all taught pictures."""

    def __init__(self, taught: Mapping[Face, Sequence[Pixels]]) -> None:
        self._finder = _finder(MOST_POINTS)
        self._taught = [self._of_picture(face, picture) for face, pictures in taught.items() for picture in pictures]

    def _of_picture(self, face: Face, picture: Pixels) -> _Taught:
        height = round(TAUGHT_WIDTH * picture.shape[0] / picture.shape[1])
        small = cv2.resize(picture, (TAUGHT_WIDTH, height), interpolation=cv2.INTER_AREA)
        points, marks = _finder(TAUGHT_POINTS).detectAndCompute(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), None)
        places = floats([point.pt for point in points]).reshape(-1, 2) / floats([TAUGHT_WIDTH, height])
        return _Taught(face, floats(places), floats(marks if marks is not None else np.zeros((0, 128))))

    def find(self, pixels: Pixels, card_width: float | None = None, known: Sequence[Floats] = ()) -> list[Found]:
        """The taught cards in a photo, most points first.

        Args:
            pixels: (height, width, 3) BGR.
            card_width: about the width of its cards in pixels, where that is known.
            known: outlines (4, 2) of cards in which nothing is looked for.
        """
        scale = min(LONGEST / max(pixels.shape[:2]), CARD_WIDTH / card_width if card_width else 1.0, 1.0)
        small = resized(pixels, max(round(pixels.shape[1] * scale), 1), max(round(pixels.shape[0] * scale), 1))
        mask = np.full(small.shape[:2], 255, np.uint8)
        for quad in known:
            cv2.fillConvexPoly(mask, np.rint(quad * scale).astype(np.int32), 0)
        points, marks = self._finder.detectAndCompute(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), mask)
        if marks is None or len(points) < MIN_POINTS:
            return []
        places = floats([point.pt for point in points])
        found = [one for taught in self._taught for one in _of_one_face(taught, places, floats(marks))]
        return [
            Found(one.face, floats(one.quad / scale), one.points) for one in sorted(found, key=lambda one: -one.points)
        ]


def _of_one_face(taught: _Taught, places: Floats, marks: Floats) -> list[Found]:
    """The cards of one taught picture among the points of a photo."""
    if len(taught.marks) < MIN_POINTS:
        return []
    nearest = cv2.BFMatcher(cv2.NORM_L2).knnMatch(marks, taught.marks, k=3)
    # two-ended cards have each mark twice, so the third nearest tells how special a likeness is
    pairs = [
        (match.queryIdx, match.trainIdx)
        for three in nearest
        if len(three) == 3
        for match in three[:2]
        if match.distance < RATIO * three[2].distance
    ]
    found: list[Found] = []
    while len(pairs) >= MIN_POINTS and len(found) < MOST_CARDS:
        rows = np.array(pairs)
        one = _one_card(taught, places[rows[:, 0]], taught.places[rows[:, 1]])
        if one is None:
            break
        card, used = one
        found.append(card)
        gone = set(rows[used, 0].tolist())
        pairs = [pair for pair in pairs if pair[0] not in gone]
    return found


def _one_card(taught: _Taught, there: Floats, here: Floats) -> tuple[Found, NDArray[np.bool_]] | None:
    """The outline on which most pairs of points agree, and which pairs do."""
    flat = here * floats([1.0, 1.4]) * 100
    rough, inliers = cv2.estimateAffine2D(flat, there, method=cv2.RANSAC, ransacReprojThreshold=4.0, maxIters=3000)
    if rough is None or int(inliers.sum()) < MIN_POINTS:
        return None
    onto = doubles(np.vstack([rough, [0, 0, 1]]))
    near = inliers[:, 0] > 0
    width = float(np.hypot(*rough[:, 0])) * 100
    finer, close = cv2.findHomography(flat[near], there[near], cv2.RANSAC, max(ERROR * width, 2.0))
    if finer is not None and int(close.sum()) >= MIN_POINTS:
        projected = cv2.perspectiveTransform(flat[None], finer)[0]
        onto, near = doubles(finer), np.hypot(*(projected - there).T) < max(ERROR * width, 2.0)
    quad = floats(cv2.perspectiveTransform((UNIT * floats([1.0, 1.4]) * 100)[None], onto)[0])
    different = len({tuple(place) for place in there[near].round(0).tolist()})
    if different < MIN_POINTS or not plausible(quad[None])[0] or quad_width(quad) < MIN_WIDTH:
        return None
    return Found(taught.face, quad, different), near
