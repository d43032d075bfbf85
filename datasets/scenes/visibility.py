"""Where an index lies in the picture and how much of it can be seen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture, floats
from datasets.decks.deck_art import Rect
from datasets.scenes.surroundings.clutter import Owner

PATCH: Rect = (0.0, 0.0, 0.18, 0.29)
"""The box round an index, from the card's corner, in shares of the card's width and height."""


READABLE = 0.82
"""An index is readable if at least this share of its rank is in the picture and uncovered."""


WHOLE = 0.5
"""A card without any index must be read if at least this share of it shows."""


COVERED = 0.3
"""An index is covered if less than this share of its rank shows; in between it is doubtful and not scored."""


MIN_CONTRAST, MIN_ANY_CONTRAST = 22.0, 34.0
"""Smallest readable contrast between a rank and its paper, 0..255: in the darkest channel, and of decks on any paper in
any of them."""


MIN_SHARPNESS = 6.0
"""Smallest height of a readable rank against the deviation of the blur where it lies."""


def rank_outline(box: Rect, quad: Floats, right: bool) -> Floats:
    """Returns the outline (4, 2), in pixels, of a rank in ``box`` of the card ``quad``, mirrored if ``right``."""
    x0, y0, x1, y1 = box
    if right:
        x0, x1 = 1 - x1, 1 - x0
    onto = cv2.getPerspectiveTransform(floats([[0, 0], [1, 0], [1, 1], [0, 1]]), quad)
    corners = floats([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]])
    return np.asarray(cv2.perspectiveTransform(corners, onto)[0], np.float32)


def visible_part(owner: Owner, number: int, outline: Floats) -> tuple[float, NDArray[np.intp]]:
    """Returns the share of the area inside ``outline`` (4, 2) that shows card ``number``, and those pixels, (2, n) rows
    and columns."""
    height, width = owner.shape
    low = np.floor(outline.min(0)).astype(int)
    high = np.ceil(outline.max(0)).astype(int) + 1
    if (high <= 0).any() or low[0] >= width or low[1] >= height or (high - low).max() > 2 * max(width, height):
        return 0.0, np.zeros((2, 0), np.intp)
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline - low).astype(np.int32), 1)
    whole = int(mask.sum())
    a, b = low.clip(0), np.minimum(high, (width, height))
    inside = mask[a[1] - low[1] : b[1] - low[1], a[0] - low[0] : b[0] - low[0]]
    pixels = np.nonzero((owner[a[1] : b[1], a[0] : b[0]] == number) & (inside > 0))
    return len(pixels[0]) / max(whole, 1), np.stack(pixels) + a[::-1, None]


def is_legible(picture: Picture, pixels: NDArray[np.intp], any_paper: bool = False) -> bool:
    """Tells whether a rank still has contrast with its paper; ``pixels`` (2, n) rows and columns cover both. On
    ``any_paper`` print may be lighter than its paper, or differ in hue alone."""
    seen = picture[pixels[0], pixels[1]]
    if any_paper:
        low, high = np.percentile(seen, (6, 94), axis=0)
        return bool((high - low).max() >= MIN_ANY_CONTRAST)
    dark, light = np.percentile(seen.min(1), (4, 90))
    return bool(light - dark >= MIN_CONTRAST)
