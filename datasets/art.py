"""A deck as pictures: every face at one size, and where its indices stand."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.faces import JOKER, STANDARD_FACES, Face

Picture = NDArray[np.uint8]
"""(height, width, 3) uint8 BGR."""
Cutout = NDArray[np.uint8]
"""(height, width, 4) uint8 BGRA, alpha not premultiplied."""
Floats = NDArray[np.float32]


def floats(values: ArrayLike) -> Floats:
    """Single-precision numbers, as pixels and corners are kept."""
    return np.asarray(values, np.float32)


def doubles(values: ArrayLike) -> NDArray[np.float64]:
    """Double-precision numbers, as homographies are computed in."""
    return np.asarray(values, np.float64)


CARD_WIDTH = 240
"""Pixels across a card in a deck's pictures; tables show cards up to about this wide."""

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1 in fractions of the card's width and height."""

PLAIN_FACES = tuple(face for face in STANDARD_FACES if face != JOKER)


@dataclass(frozen=True)
class DeckArt:
    """The pictures of one deck.

    ``faces`` gives for each face one or more pictures (jokers come in several), ``back`` the back, all
    (height, CARD_WIDTH, 4) BGRA. ``rank_box`` is where the rank of the top left index is printed;
    ``four_corners`` says that the top right and bottom left corners carry upright and turned indices too.
    """

    name: str
    faces: dict[Face, tuple[Cutout, ...]]
    back: Cutout
    rank_box: Rect
    four_corners: bool
    source: str
    licence: str
    held_out: bool = False
    _smaller: dict[int, tuple[Cutout, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def height(self) -> int:
        return int(self.back.shape[0])

    def levels(self, picture: Cutout) -> tuple[Cutout, ...]:
        """The picture at full, half, quarter and eighth size, so that a shrunk card is never sampled coarsely."""
        found = self._smaller.get(id(picture))
        if found is None:
            made = [picture]
            for _ in range(3):
                last = made[-1]
                size = (max(last.shape[1] // 2, 8), max(last.shape[0] // 2, 8))
                made.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
            found = tuple(made)
            self._smaller[id(picture)] = found
        return found


def rounded_alpha(height: int, width: int, radius: float) -> NDArray[np.uint8]:
    """An opaque (height, width) mask with round corners of ``radius`` pixels."""
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    r = max(round(radius * scale), 1)
    h, w = mask.shape
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
