"""Suits, stars and moons as masks, and masks printed onto a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture, floats

Mask = NDArray[np.uint8]


def _heart(points: int = 60) -> Floats:
    t = np.linspace(0, 2 * np.pi, points, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.stack([x, y], 1).astype(np.float32)


def _unit(points: Floats) -> Floats:
    low, high = points.min(0), points.max(0)
    return np.asarray((points - low) / (high - low), np.float32)


def _fill(mask: Mask, points: Floats) -> None:
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def _stem(mask: Mask, size: int, top: float, spread: float) -> None:
    t = np.linspace(0, 1, 12, dtype=np.float32)
    half = 0.03 + spread * t**2
    right = np.stack([0.5 + half, top + (1 - top) * t], 1)
    left = np.stack([0.5 - half, top + (1 - top) * t], 1)[::-1]
    _fill(mask, np.concatenate([right, left]).astype(np.float32) * (size - 1))


def suit_mask(suit: str, rng: np.random.Generator, size: int = 96) -> Mask:
    """Draws a suit that fills a (size, size) square, 0..255; its proportions vary at random.

    Raises:
        KeyError: ``suit`` is not one of C, D, H, S.
    """
    mask = np.zeros((size, size), np.uint8)
    edge = size - 1
    if suit == "H":
        _fill(mask, _unit(_heart()) * edge)
    elif suit == "S":
        body = _unit(_heart()) * floats([1, rng.uniform(0.76, 0.86)])
        body[:, 1] = body[:, 1].max() - body[:, 1]
        _fill(mask, body * edge)
        _stem(mask, size, 0.6, rng.uniform(0.15, 0.24))
    elif suit == "D":
        bend = rng.uniform(0.0, 0.1)
        t = np.linspace(0, 1, 8, endpoint=False, dtype=np.float32)[:, None]
        tips = floats([[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]])
        sides = []
        for a, b in zip(tips, np.roll(tips, -1, 0), strict=True):
            side = a + (b - a) * t
            sides.append(side + (0.5 - side) * (4 * bend * t * (1 - t)))
        _fill(mask, np.concatenate(sides).astype(np.float32) * edge)
    elif suit == "C":
        r = rng.uniform(0.21, 0.25)
        for x, y in ((0.5, r), (r, 0.56), (1 - r, 0.56)):
            cv2.circle(
                mask, (round(x * edge * 16), round(y * edge * 16)), round(r * edge * 16), 255, -1, cv2.LINE_AA, 4
            )
        cv2.circle(mask, (round(0.5 * edge), round(0.5 * edge)), round(0.1 * edge), 255, -1, cv2.LINE_AA)
        _stem(mask, size, 0.45, rng.uniform(0.15, 0.24))
    else:
        raise KeyError(f"expected a suit of C, D, H, S, got {suit!r}")
    return mask


def stamp(picture: Picture, mask: Mask, box: tuple[float, float, float, float], colour: tuple[int, int, int]) -> None:
    """Prints ``mask`` (0..255), resized to ``box`` (x0, y0, x1, y1 pixels), onto ``picture`` in ``colour`` (BGR)."""
    x0, y0, x1, y1 = (round(value) for value in box)
    if x1 - x0 < 1 or y1 - y0 < 1:
        return
    # area interpolation keeps thin strokes when a large glyph is printed small
    resized = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    height, width = picture.shape[:2]
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if cx0 >= cx1 or cy0 >= cy1:
        return
    part = picture[cy0:cy1, cx0:cx1]
    alpha = resized[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0, None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - alpha) + floats(colour) * alpha).astype(np.uint8)


def stamp_both_ends(
    picture: Picture, mask: Mask, box: tuple[float, float, float, float], colour: tuple[int, int, int], four: bool
) -> None:
    """Prints ``mask`` like ``stamp``, and rotated by 180 degrees at the card's far end.

    If ``four``, in the other two corners as well.
    """
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = box
    turned = np.ascontiguousarray(mask[::-1, ::-1])
    for left, right in ((x0, x1), (width - x1, width - x0)) if four else ((x0, x1),):
        stamp(picture, mask, (left, y0, right, y1), colour)
        stamp(picture, turned, (width - right, height - y1, width - left, height - y0), colour)


def star(points: int, inner: float, size: int = 96) -> Mask:
    """Draws a star as a (size, size) mask; ``inner`` is its inner radius as a share of the outer one."""
    mask = np.zeros((size, size), np.uint8)
    angles = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2, inner, 1.0) * (size / 2 - 1)
    corners = np.stack([np.cos(angles) * radius, np.sin(angles) * radius], 1) + size / 2
    cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def crescent(size: int = 96) -> Mask:
    """Draws a crescent, open to the right, as a (size, size) mask."""
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, size // 2), size // 2 - 1, 255, -1, cv2.LINE_AA)
    cv2.circle(mask, (round(size * 0.72), round(size * 0.42)), round(size * 0.42), 0, -1, cv2.LINE_AA)
    return mask
