"""Finds cards that lie in a photo and could not be read: cut off by its edge, or seen too flat.

What is left when the cards that were read are taken away is taken for a card where it has the colour of their paper,
about their size, print on it, and on it what the detector took for an index, however unlikely. Neither alone is enough:
napkins and notes have the colour, and patterns look like an index.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Flags, Floats, floats
from vision.checks.face_down import SEARCH_WIDTH, CardCandidates
from vision.geometry import RATIO, expanded
from vision.values import Pixels

BRIGHT_SHARE = 70
"""Percentile of the brightness of cards that were read above which their pixels are paper."""
DARKER, TINTED = 45.0, 12.0
"""Paper may differ by so much in brightness, downwards, and in colour (L*a*b* of OpenCV, 0..255)."""
PALE_TABLE = 0.25
"""Where a larger share of the surroundings than this looks like paper, paper cannot be told from the table."""
READ_MARGIN = 0.15
"""Card widths around a card that was read in which nothing is looked for."""
NARROW = 5
"""Narrower pieces of paper than this are no cards, in pixels of a photo with cards ``SEARCH_WIDTH`` wide."""
AREAS = (0.13, 1.3)
"""Least and greatest area, in cards."""
MIN_FILL = 0.85
"""Least share of its convex hull that a card fills."""
PRINT = (0.005, 0.5)
"""Least and greatest share of a card's inside that is not paper."""


def find_unread(candidates: CardCandidates, read: Sequence[Floats], hints: Floats) -> list[Floats]:
    """Centres (2,), in pixels of the photo, of what seem to be cards that were not read.

    Args:
        candidates: the photo at the scale of ``find_card_candidates``.
        read: outlines (4, 2), in pixels of the photo, of all that was read or seen face down; at least one.
        hints: centres (n, 2), in pixels of the photo, of all detections.
    """
    small = np.asarray(cv2.cvtColor(cv2.GaussianBlur(candidates.small, (0, 0), 0.8), cv2.COLOR_BGR2LAB), np.uint8)
    cards, around = (_filled(small, [expanded(quad, m) * candidates.scale for quad in read]) for m in (0, READ_MARGIN))
    paper = _paper(small, cards)
    if not (around == 0).any() or paper[around == 0].mean() > PALE_TABLE:
        return []
    left = cv2.morphologyEx(np.where(around, np.uint8(0), paper), cv2.MORPH_OPEN, np.ones((NARROW, NARROW), np.uint8))
    count, labels, stats, centres = cv2.connectedComponentsWithStats(left)
    least, greatest = (share * RATIO * SEARCH_WIDTH**2 for share in AREAS)
    areas = stats[:, cv2.CC_STAT_AREA]
    pieces = [n for n in range(1, count) if least < areas[n] < greatest]
    hinted = [hint * candidates.scale for hint in hints]
    return [floats(centres[n] / candidates.scale) for n in pieces if _is_card(labels == n, paper, hinted)]


def _filled(picture: Pixels, quads: Sequence[Floats]) -> Pixels:
    """A mask (height, width) of the area of all ``quads`` (4, 2)."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 1)
    return mask


def _paper(lab: Pixels, cards: Pixels) -> Pixels:
    """Which pixels of ``lab`` (height, width, 3) have the colour of the paper of ``cards``, a mask, (height, width)."""
    seen = floats(lab[cards > 0])
    if not len(seen):
        return np.zeros_like(cards)
    white = np.median(seen[seen[:, 0] >= np.percentile(seen[:, 0], BRIGHT_SHARE)], axis=0)
    low, high = white - floats([DARKER, TINTED, TINTED]), white + floats([255, TINTED, TINTED])
    return np.asarray(cv2.inRange(lab, low, high) > 0, np.uint8)


def _is_card(piece: Flags, paper: Pixels, hints: Sequence[Floats]) -> bool:
    """Whether a ``piece`` of paper, a mask, has the shape of a card or a part of one, print on it, and a hint."""
    contours = cv2.findContours(piece.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    hull = cv2.convexHull(max(contours, key=len))
    inside = cv2.erode(_filled(paper[..., None], [floats(hull[:, 0])]), np.ones((NARROW, NARROW), np.uint8))
    if piece.sum() < MIN_FILL * cv2.contourArea(hull) or not inside.any():
        return False
    hinted = any(cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in hints)
    return hinted and bool(PRINT[0] < 1 - paper[inside > 0].mean() < PRINT[1])
