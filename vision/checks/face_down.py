"""Finds cards that lie face down beside cards that were read.

No network is trained on card backs. A back is recognised by three properties: its outline has the size of the cards
that were read, no card that was read covers it, and its pattern looks the same upside down, as nearly all backs do so
that players cannot tell which way up a card is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.crops.pyramid import resized
from vision.geometry import card_widths, outline_homographies, overlap_share
from vision.values import Pixels

SEARCH_WIDTH = 40.0
"""The photo is searched at the scale at which cards are about this many pixels wide."""
BOX_SIDES = (0.5, 2.5)
"""Least and greatest side of the upright bounding box of a card, in ``SEARCH_WIDTH``."""
MIN_FILL = 0.88
"""Least share of its bounding rectangle that a candidate's convex hull fills."""
SIZE_TOLERANCE = 0.14
"""Greatest relative difference of a candidate's sides from those of the nearest card that was read."""
MAX_COVERED = 0.04
"""Greatest share of its area that a back has in common with any other card."""
REACH = 2.2
"""Cards whose centres lie further apart than this, in ``SEARCH_WIDTH``, cannot overlap."""
BACK_SIZE = (48, 68)
"""Width and height in pixels of the rectified back."""
RIM, SHIFT = 5, 3
"""Pixels left out along the rim of the rectified back, and by which its turned copy may be shifted against it."""
SHADE_SIGMA = 8.0
"""Sigma in pixels of the blur that is subtracted as light and shadow."""
MIN_SYMMETRY = 0.5
"""Least correlation of the pattern with itself turned by half a turn."""
MIN_PATTERN = 3.5
"""Least standard deviation of the pattern's grey values, 0..255; below it the candidate is a blank sheet."""
EDGE_THRESHOLDS = (200, 100, 40)
"""Upper thresholds of the edge detector, tried in turn; the lower one is a third (Canny, *A computational approach to
edge detection*, 1986)."""


@dataclass(frozen=True, slots=True, eq=False)
class CardCandidates:
    """Rectangles in a photo that may be cards.

    ``small`` is the photo scaled by ``scale``, (height, width, 3) BGR; ``quads`` (n, 4, 2) are the rectangles in its
    pixels, the shorter side first.
    """

    small: Pixels
    scale: float
    quads: Floats


def find_card_candidates(pixels: Pixels, card_width: float) -> CardCandidates:
    """Finds rectangles that may be the outlines of cards.

    Args:
        pixels: the photo, (height, width, 3) BGR.
        card_width: about the width of a card in it, in pixels.
    """
    scale = min(SEARCH_WIDTH / max(card_width, 1.0), 1.0)
    height, width = (max(round(side * scale), 1) for side in pixels.shape[:2])
    small = resized(pixels, width, height)
    return CardCandidates(small, scale, floats(list(_rectangles(small))).reshape(-1, 4, 2))


def find_face_down(candidates: CardCandidates, read: Sequence[Floats]) -> list[Floats]:
    """Finds the cards that seem to lie face down, each by itself.

    Args:
        candidates: the rectangles of the photo.
        read: outlines (4, 2), in pixels of the photo, of the cards that were read; at least one.

    Returns:
        Their outlines (4, 2) in pixels of the photo.
    """
    known = floats(np.stack(read) * candidates.scale)
    centres, sides = known.mean(1), _sides(known)
    backs: list[Floats] = []
    for quad, own_sides in zip(candidates.quads, _sides(candidates.quads), strict=True):
        distance = np.hypot(*(centres - quad.mean(0)).T)
        nearest_first = np.argsort(distance)
        if (np.abs(own_sides / sides[nearest_first[0]] - 1) > SIZE_TOLERANCE).any():
            continue
        # most candidates are cards that were read: testing the nearest first rejects them soonest
        others = [*known[nearest_first[distance[nearest_first] < REACH * SEARCH_WIDTH]], *backs]
        if any(overlap_share(quad, other) > MAX_COVERED for other in others):
            continue
        if _is_back(candidates.small, quad):
            backs.append(quad)
    return [floats(quad / candidates.scale) for quad in backs]


def _sides(quads: Floats) -> NDArray[np.float32]:
    """Widths and heights of outlines (n, 4, 2) in pixels, (n, 2)."""
    return floats(np.stack([card_widths(quads), card_widths(np.roll(quads, -1, axis=1))], 1))


def _rectangles(pixels: Pixels) -> Iterator[Floats]:
    """Rectangles (4, 2) around closed edges of about a card's size and shape, the shorter side first."""
    smooth = cv2.GaussianBlur(pixels, (0, 0), 1.0)
    least, greatest = (limit * SEARCH_WIDTH for limit in BOX_SIDES)
    for threshold in EDGE_THRESHOLDS:
        edges = cv2.Canny(smooth, threshold / 3, threshold)
        closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        for contour in cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            _, _, width, height = cv2.boundingRect(contour)
            if min(width, height) <= least or max(width, height) >= greatest:
                continue
            hull = cv2.convexHull(contour)
            rectangle = cv2.minAreaRect(hull)
            if cv2.contourArea(hull) < MIN_FILL * rectangle[1][0] * rectangle[1][1]:
                continue
            corners = floats(cv2.boxPoints(rectangle))
            first, second = np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[2] - corners[1]))
            yield corners if first <= second else floats(np.roll(corners, -1, axis=0))


def _is_back(pixels: Pixels, quad: Floats) -> bool:
    """Whether the area of ``quad`` (4, 2) has a pattern that looks the same upside down."""
    width, height = BACK_SIZE
    to_photo = outline_homographies(quad[None])[0] @ np.diag([1 / width, 1 / height, 1])
    flat = cv2.warpPerspective(pixels, to_photo, BACK_SIZE, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    grey = floats(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY))
    pattern = np.ascontiguousarray((grey - cv2.GaussianBlur(grey, (0, 0), SHADE_SIGMA))[RIM:-RIM, RIM:-RIM])
    turned = np.ascontiguousarray(pattern[::-1, ::-1][SHIFT:-SHIFT, SHIFT:-SHIFT])
    if float(turned.std()) < MIN_PATTERN:
        return False
    return float(cv2.matchTemplate(pattern, turned, cv2.TM_CCOEFF_NORMED).max()) >= MIN_SYMMETRY
