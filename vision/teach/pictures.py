"""Rectified pictures of cards: upright, of one size, in even light."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, doubles, floats
from vision.geometry import RATIO, outline_homographies, quad_width
from vision.values import Pixels

WIDTH = 480
"""Width in pixels of every picture of a face."""
FOCAL = 1.05
"""Focal length of a camera, in longer sides of its photo; a rough one is enough for a card's proportion."""
PROPORTIONS = (1.1, 2.1)
"""Least and greatest height of a card against its width."""
RIM = (0.02, 0.06)
"""Where paper is looked at: from this share of the width inside the edge to that one."""
PLAIN = 18.0
"""Grey levels: where the rim's colours deviate more than this from each other, it is printed and says nothing."""
LIGHT, DARK_SHARE = 240.0, 0.3
"""Grey level that white paper gets; and where between the card's darkest and lightest parts, 0..1, dark paper ends."""
GAIN = (0.4, 4.0)
"""Limits of the factor that evens the light."""
SHARP_WIDTH = 160
"""Width in pixels at which a card must be sharp, or less where it is narrower in its photo."""
MIN_CONTRAST = 20.0
"""Grey levels: less contrast is noise."""
ALIKE_TURNED = 0.75
"""Correlation of a picture with itself turned by half a turn above which either end may be up."""


def proportion(quads: Floats, size: tuple[int, int]) -> float:
    """The height of cards against their width, from their outlines (n, 4, 2) in a photo of ``size`` (width, height).

    With the optical axis in the middle of the photo, the columns of a rectangle's homography have the lengths of its
    sides (Zhang and He, *Whiteboard scanning and image enhancement*, 2007).
    """
    if not len(quads):
        return RATIO
    focal = FOCAL * max(size)
    back = np.array([[1 / focal, 0, -size[0] / 2 / focal], [0, 1 / focal, -size[1] / 2 / focal], [0, 0, 1]])
    sides = np.linalg.norm(back @ outline_homographies(quads), axis=1)
    return float(np.clip(np.median(sides[:, 1] / sides[:, 0]), *PROPORTIONS))


def rectified(pixels: Pixels, quad: Floats, width: int, height: int) -> Pixels:
    """The card outlined by ``quad`` (4, 2) as a picture (height, width, 3) BGR."""
    shrink = quad_width(quad) / width
    if shrink > 1.5:  # the photo is finer than the picture
        large = rectified(pixels, quad, round(width * shrink), round(height * shrink))
        return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    onto = outline_homographies(quad[None])[0] @ np.diag([1 / width, 1 / height, 1])
    onto = onto @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(pixels, onto, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def card_sharpness(pixels: Pixels, quad: Floats) -> float:
    """The steepest step of a card from pixel to pixel, as a share of its contrast: 0.2 and more where it is sharp.

    At the photo's own scale, but not finer than SHARP_WIDTH.
    """
    width = int(np.clip(round(quad_width(quad)), 16, SHARP_WIDTH))
    flat = rectified(pixels, quad, width, round(width * RATIO))
    grey = cv2.GaussianBlur(floats(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)), (0, 0), 0.7)
    low, high = np.percentile(grey, (2, 98))
    down, across = np.gradient(grey[3:-3, 3:-3])
    return float(np.percentile(np.hypot(down, across), 99.3) / max(float(high - low), MIN_CONTRAST))


def same_both_ends(picture: Pixels) -> bool:
    """Whether a picture looks the same turned by half a turn, as far as one can tell."""
    return likeness(picture, np.ascontiguousarray(picture[::-1, ::-1])) > ALIKE_TURNED


SHRUNK = (80, 112)
"""Width and height in pixels at which pictures are compared."""


def _shrunk(picture: Pixels) -> Floats:
    small = floats(cv2.resize(picture, SHRUNK, interpolation=cv2.INTER_AREA))
    return floats(small - cv2.GaussianBlur(small, (0, 0), 14))


def likeness(one: Pixels, other: Pixels) -> float:
    """Correlation -1..1 of two pictures, shifted by a pixel or two against each other where that helps."""
    first, second = _shrunk(one), _shrunk(other)[4:-4, 4:-4]
    # scores of each channel are weighed by their contrast, so that colour counts
    return float(cv2.matchTemplate(first, np.ascontiguousarray(second), cv2.TM_CCORR_NORMED).max())


def _rim(height: int, width: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    outer, inner = (max(round(share * width), 1) for share in RIM)
    mask = np.zeros((height, width), bool)
    mask[outer:-outer, outer:-outer] = True
    mask[inner:-inner, inner:-inner] = False
    corner = round(0.08 * width)  # corners are rounded and show the table
    for rows in (slice(0, corner), slice(-corner, None)):
        for columns in (slice(0, corner), slice(-corner, None)):
            mask[rows, columns] = False
    return mask


def _paper(picture: Pixels) -> tuple[Doubles, bool]:
    """The colour of the paper as a level, its slope across and its slope down, (3, 3) by channel; and whether the rim
    is plain enough to say so."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (120, round(120 * height / width)), interpolation=cv2.INTER_AREA)
    mask = _rim(*small.shape[:2])
    rows, columns = np.nonzero(mask)
    colours = small[mask].astype(np.float64)
    places = np.column_stack([np.ones(len(rows)), columns / 119 - 0.5, rows / (small.shape[0] - 1) - 0.5])
    weights, terms = np.ones(len(rows)), doubles(np.zeros((3, 3)))
    for _ in range(5):
        weighted = places * weights[:, None]
        terms = doubles(np.linalg.solve(places.T @ weighted + np.diag([0, 1.0, 1.0]), weighted.T @ colours))
        miss = np.abs(colours - places @ terms).max(1)
        weights = 1 / (1 + (miss / 8.0) ** 2) ** 2
    return doubles(terms.T), float(np.median(miss)) < PLAIN


def has_dark_paper(picture: Pixels) -> bool:
    """Whether a card's paper is darker than what is printed on it."""
    small = cv2.resize(picture, SHRUNK, interpolation=cv2.INTER_AREA).max(2)
    low, high = np.percentile(small[6:-6, 6:-6], (2, 98))
    return bool(np.median(small[_rim(*small.shape)]) < low + DARK_SHARE * (high - low))


def evened(pictures: Sequence[Pixels]) -> list[Pixels]:
    """The pictures of one deck with the light taken out: the paper of each as white as that of the others.

    Paper that is clearly dark keeps its darkness; cards printed to the edge are lit as the others are in the median.
    """
    papers = [_paper(picture) for picture in pictures]
    are_dark = [has_dark_paper(picture) for picture in pictures]
    dark = sum(are_dark) > len(pictures) / 2
    # cards of another paper than most are lit as the others are
    plain = [is_plain and own == dark for (_, is_plain), own in zip(papers, are_dark, strict=True)]
    if not any(plain):
        return list(pictures)
    usual = np.median([terms[:, 0] for (terms, _), is_plain in zip(papers, plain, strict=True) if is_plain], axis=0)
    target = np.full(3, max(float(usual.mean()), 1.0)) if dark else np.full(3, LIGHT)
    result = []
    for picture, (terms, _), is_plain in zip(pictures, papers, plain, strict=True):
        own = terms if is_plain else np.stack([usual, np.zeros(3), np.zeros(3)], 1)
        height, width = picture.shape[:2]
        across, down = np.meshgrid(np.linspace(-0.5, 0.5, width), np.linspace(-0.5, 0.5, height))
        lit = own[:, 0] + across[..., None] * own[:, 1] + down[..., None] * own[:, 2]
        if dark:  # the lamp's colour cannot be told from dark paper: only brightness is evened
            lit = np.repeat(lit.mean(2, keepdims=True), 3, 2)
        gain = np.clip(target / np.maximum(lit, 4.0), *GAIN)
        result.append(np.asarray(np.clip(picture * gain, 0, 255), np.uint8))
    return result
