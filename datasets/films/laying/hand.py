"""A hand that reaches into a film: fingers, palm, and an arm with a sleeve."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles
from datasets.scenes.surroundings.clutter import draw_fingers

_REACH = 5.0
"""Length of hand and arm as a multiple of the hand's size."""


class Hand:
    """A hand with its arm; ``size`` is the hand's size in pixels."""

    def __init__(self, rng: np.random.Generator, size: int) -> None:
        hand, mask = draw_fingers(rng, size)
        skin = hand[round(size * 0.92), size // 2].astype(int)
        tall, half = round(size * _REACH), round(size * rng.uniform(0.17, 0.24))
        self._picture = np.zeros((tall, size, 3), np.uint8)
        self._mask = np.zeros((tall, size), np.uint8)
        sleeve = tuple(int(value) for value in rng.integers(20, 230, 3))
        cuff = round(size * rng.uniform(1.2, 2.2))
        for top, bottom, colour in ((round(size * 0.8), cuff, tuple(int(v) for v in skin)), (cuff, tall, sleeve)):
            box = (size // 2 - half, top), (size // 2 + half, bottom)
            cv2.rectangle(self._picture, *box, colour, -1)
            cv2.rectangle(self._mask, *box, 255, -1)
        where = mask > 127
        self._picture[:size][where] = hand[where]
        self._mask[:size][where] = 255
        self._tip = doubles([size / 2, size * 0.3])

    def draw(self, picture: Picture, tip: Floats, angle: float) -> bool:
        """Draws the hand, fingers at ``tip`` (x, y) and arm towards ``angle`` (radians); returns whether any shows."""
        height, width = picture.shape[:2]
        cos, sin = np.cos(angle - np.pi / 2), np.sin(angle - np.pi / 2)
        turn = doubles([[cos, -sin], [sin, cos]])
        onto = np.column_stack([turn, np.asarray(tip, np.float64) - turn @ self._tip])
        cover = cv2.warpAffine(self._mask, onto, (width, height)) > 127
        if not cover.any():
            return False
        picture[cover] = cv2.warpAffine(self._picture, onto, (width, height))[cover]
        return True
