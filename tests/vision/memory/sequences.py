"""Made-up readings of a table: cards by face and place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.faces import Face
from vision.values import CornerReading, Frame, Pixels, Reading, SeenCard

WIDTH, HEIGHT, STEP = 40.0, 56.0, 14.0
_FINE = 5
"""Bits of the fractions of pixels."""


def card(face: str, x: float, y: float, confidence: float = 0.999) -> SeenCard:
    """A card with its top left corner at (x, y)."""
    quad = ((x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT))
    ends = tuple(CornerReading((), (*quad[0], *quad[2]), quad, 0.99) for _ in range(2))
    return SeenCard(Face.parse(face), confidence, (), quad, corners=ends)


def column(faces: str, x: float, y: float) -> list[SeenCard]:
    """Cards one below the other, each showing the index of the one beneath it."""
    return [card(face, x, y + STEP * i) for i, face in enumerate(faces.split())]


def reading(*cards: SeenCard) -> Reading:
    return Reading(1280, 720, 0.1, cards, (), ())


def picture(cards: Sequence[SeenCard], light: float = 1.0) -> Pixels:
    """A green cloth with white cards, each with a print of its own, under more or less light."""
    pixels = np.full((720, 1280, 3), (60, 110, 40), np.uint8)
    for one in cards:
        a, b, _, d = np.asarray(one.quad)
        cv2.fillConvexPoly(pixels, _fine([one.quad])[0], (235, 240, 240), cv2.LINE_AA, _FINE)
        for x, y in np.random.default_rng(crc32(str(one.face).encode())).uniform(0.1, 0.75, (8, 2)):
            first, across, down = a + x * (b - a) + y * (d - a), 0.15 * (b - a), 0.11 * (d - a)
            spot = _fine([[first, first + across, first + across + down, first + down]])[0]
            cv2.fillConvexPoly(pixels, spot, (30, 30, 190), cv2.LINE_AA, _FINE)
    noisy = pixels * light + np.random.default_rng(7).normal(0, 3, pixels.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


def _fine(quads: ArrayLike) -> NDArray[np.int32]:
    """Corners in the fractions of pixels in which OpenCV draws."""
    return np.asarray(np.round(np.asarray(quads) * 2**_FINE), np.int32)


def reading_of_part(frame: Frame, pixels: Pixels, cards: Sequence[SeenCard]) -> Reading:
    """What is read of a frame, which is a part of a picture whose pixels have noise: those cards that lie in it."""
    left, top = _corner(frame.pixels, pixels)
    found = []
    for one in cards:
        a, b, c, d = ((x - left, y - top) for x, y in one.quad)
        if all(0 <= x <= frame.width and 0 <= y <= frame.height for x, y in (a, b, c, d)):
            ends = [
                replace(end, box=(end.box[0] - left, end.box[1] - top, end.box[2] - left, end.box[3] - top))
                for end in one.corners
            ]
            found.append(replace(one, quad=(a, b, c, d), corners=tuple(ends)))
    return Reading(frame.width, frame.height, 0.1, tuple(found), (), ())


def _corner(part: Pixels, pixels: Pixels) -> tuple[int, int]:
    height, width = part.shape[:2]
    rows, columns = pixels.shape[0] - height + 1, pixels.shape[1] - width + 1
    like = (pixels[:rows, :columns] == part[0, 0]).all(2)
    for top, left in np.argwhere(like).tolist():
        if np.array_equal(pixels[top : top + height, left : left + width], part):
            return left, top
    raise AssertionError("what was read is no part of the picture")
