"""Cards that lie face down beside those that are read: no network knows them, for a back shows no index.

What has the outline and the size of a card, is covered by none that was read, and looks the same upside down, is taken
for one: nearly all backs do, so that nobody can tell which way up a card is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.crops.pyramid import resized
from vision.geometry import card_widths, onto_cards, overlap_share
from vision.values import Pixels

ACROSS = 40.0
"""Cards are about so many pixels wide in the picture that is searched."""
NO_LESS, NO_MORE = 0.5, 2.5
"""So many times that width are the sides of an upright box round a card at least and at most."""
FILLED = 0.88
"""A card's outline fills so much of the rectangle round it."""
ALIKE = 0.14
"""Its sides differ from those of the nearest card that was read by no more than this share."""
COVERED = 0.04
"""It shares no more than this of its area with a card that was read."""
REACH = 2.2
"""So many times that width lie the middles of two cards apart at most that share any."""
SIZE = (48, 68)
"""Width and height at which a back is looked at, in pixels."""
RIM, SLACK = 5, 3
"""Pixels left out along its edge, and by which its two halves may be shifted against each other."""
SHADE = 8.0
"""What changes over so many pixels and more is light and shadow."""
SAME_TURNED = 0.5
"""How well its middle agrees with itself upside down, as a correlation, at least."""
LEAST_SPREAD = 3.5
"""Standard deviation of its grey values, 0..255, below which it is a blank sheet."""
EDGES = (200, 100, 40)
"""Upper thresholds of the edge detector, tried one after the other; the lower is a third (Canny, *A computational
approach to edge detection*, 1986)."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlined:
    """A picture made ``scale`` times its size, ``small`` (height, width, 3) BGR, and the rectangles in it round what
    has an edge all round it, ``quads`` (n, 4, 2) in its pixels, the shorter side first."""

    small: Pixels
    scale: float
    quads: Floats


def outlined(pixels: Pixels, wide: float) -> Outlined:
    """What may be the outline of a card in a picture (height, width, 3) BGR on which cards are about ``wide`` pixels
    wide."""
    scale = min(ACROSS / max(wide, 1.0), 1.0)
    height, width = (max(round(side * scale), 1) for side in pixels.shape[:2])
    small = resized(pixels, width, height)
    return Outlined(small, scale, floats(list(_outlines(small))).reshape(-1, 4, 2))


def face_down(seen: Outlined, quads: Sequence[Floats]) -> list[Floats]:
    """Outlines (4, 2) in pixels of what seem to be cards that lie face down in the picture ``seen``, each by itself;
    ``quads`` (4, 2) are those of the cards that were read, at least one."""
    known = floats(np.stack(quads) * seen.scale)
    middles, sides = known.mean(1), _sides(known)
    found: list[Floats] = []
    for quad, own in zip(seen.quads, _sides(seen.quads), strict=True):
        away = np.hypot(*(middles - quad.mean(0)).T)
        near = np.argsort(away)
        if (np.abs(own / sides[near[0]] - 1) > ALIKE).any():
            continue
        # the nearest first: most of these outlines are those of cards that were read
        others = [*known[near[away[near] < REACH * ACROSS]], *found]
        if any(overlap_share(quad, other) > COVERED for other in others):
            continue
        if _is_back(seen.small, quad):
            found.append(quad)
    return [floats(quad / seen.scale) for quad in found]


def _sides(quads: Floats) -> NDArray[np.float32]:
    """Widths and heights of outlines (n, 4, 2) in pixels, (n, 2)."""
    return floats(np.stack([card_widths(quads), card_widths(np.roll(quads, -1, axis=1))], 1))


def _outlines(pixels: Pixels) -> Iterator[Floats]:
    """Rectangles (4, 2) round what has an edge all round it and about their shape, the shorter side first."""
    smooth = cv2.GaussianBlur(pixels, (0, 0), 1.0)
    for high in EDGES:
        closed = cv2.morphologyEx(cv2.Canny(smooth, high / 3, high), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        for contour in cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            _, _, across, down = cv2.boundingRect(contour)
            if min(across, down) <= NO_LESS * ACROSS or max(across, down) >= NO_MORE * ACROSS:
                continue
            hull = cv2.convexHull(contour)
            rectangle = cv2.minAreaRect(hull)
            if cv2.contourArea(hull) < FILLED * rectangle[1][0] * rectangle[1][1]:
                continue
            corners = floats(cv2.boxPoints(rectangle))
            first, second = np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[2] - corners[1]))
            yield corners if first <= second else floats(np.roll(corners, -1, axis=0))


def _is_back(pixels: Pixels, quad: Floats) -> bool:
    """Whether what ``quad`` (4, 2) outlines has a pattern that is the same upside down."""
    wide, tall = SIZE
    back = onto_cards(quad[None])[0] @ np.diag([1 / wide, 1 / tall, 1])
    flat = cv2.warpPerspective(pixels, back, SIZE, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    grey = floats(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY))
    inner = np.ascontiguousarray((grey - cv2.GaussianBlur(grey, (0, 0), SHADE))[RIM:-RIM, RIM:-RIM])
    turned = np.ascontiguousarray(inner[::-1, ::-1][SLACK:-SLACK, SLACK:-SLACK])
    if float(turned.std()) < LEAST_SPREAD:
        return False
    return float(cv2.matchTemplate(inner, turned, cv2.TM_CCOEFF_NORMED).max()) >= SAME_TURNED
