"""How well a card on the table agrees with taught pictures, part by part, by normalised correlation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.crops.pyramid import rectified
from vision.teach.match.templates import CARD, PARTS, SIZES, Template, softened
from vision.values import Pixels

MARGIN = 10
"""Pixels around the rectified card."""
REACH, NEAR = 8, 3
"""Pixels by which the corner may lie elsewhere than its outline says, and the other parts than the corner."""
NOISE = 5.0
"""Standard deviation in grey levels that is too weak to say anything."""
WORTH_MORE = 0.35
"""Correlation of the corner from which the other parts are looked at."""
WORTH_LITTLE = 0.3
"""Correlation of the corner at its expected size below which it is not looked at in other sizes."""


def rectified_grey(levels: Sequence[Pixels], quad: Floats, proportion: float) -> Floats:
    """The card outlined by ``quad`` (4, 2) with MARGIN around it, (height, width) grey, from a ``pyramid.pyramid``."""
    flat = rectified(levels, quad, CARD, CARD * proportion, MARGIN)
    return softened(floats(cv2.cvtColor(floats(flat), cv2.COLOR_BGR2GRAY)))


def corner_agreement(card: Floats, template: Template, right: bool) -> tuple[float, int, tuple[int, int]]:
    """The correlation -1..1 of the corner alone, the size in ``SIZES`` at which it is best, and by how many pixels it
    lies elsewhere, across and down."""
    best, size, shift = -1.0, 1, (0, 0)
    for n in (1, 0, 2):
        if n != 1 and best < WORTH_LITTLE:
            break
        share, moved = _best(card, template, right, 0, n, (0, 0), REACH)
        if share > best:
            best, size, shift = share, n, moved
    return best, size, shift


def agreement(card: Floats, template: Template, right: bool) -> Floats:
    """Correlations -1..1 of the parts in PARTS, (4,), of a ``rectified_grey`` card with a taught picture.

    ``right`` says that the card shows its right upper corner. Parts other than the corner are 0 where the corner alone
    differs too much.
    """
    result = np.zeros(len(PARTS), np.float32)
    result[0], size, shift = corner_agreement(card, template, right)
    best = result[0]
    if best >= WORTH_MORE:
        for part in range(1, len(PARTS)):
            result[part] = _best(card, template, right, part, size, shift, NEAR)[0]
    return result


def _best(
    card: Floats, template: Template, right: bool, part: int, size: int, shift: tuple[int, int], reach: int
) -> tuple[float, tuple[int, int]]:
    """The best correlation of one part, and by how many pixels it lies elsewhere, across and down."""
    piece = template.parts[right][part][size]
    where, height = PARTS[part][right], CARD * template.proportion
    # a card that is smaller or larger than its outline says keeps its corner
    left = where.left * CARD * SIZES[size] + (CARD * (1 - SIZES[size]) if right else 0)
    x, y = round(left) + shift[0] + MARGIN, round(where.top * height * SIZES[size]) + shift[1] + MARGIN
    x0, y0 = max(x - reach, 0), max(y - reach, 0)
    region = card[y0 : y + reach + piece.shape[0], x0 : x + reach + piece.shape[1]]
    if region.shape[0] < piece.shape[0] or region.shape[1] < piece.shape[1]:
        return 0.0, shift
    scores = cv2.matchTemplate(region, piece, cv2.TM_CCOEFF_NORMED)
    _, share, _, (dx, dy) = cv2.minMaxLoc(scores)
    # of two almost blank parts the correlation is noise
    found = cv2.meanStdDev(region[dy : dy + piece.shape[0], dx : dx + piece.shape[1]])[1]
    weak = min(float(found[0, 0]), template.contrasts[right][part][size])
    share *= weak / math.hypot(weak, NOISE)
    return float(share), (shift[0] + x0 + dx - x, shift[1] + y0 + dy - y)
