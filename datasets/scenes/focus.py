"""A lens of little depth: sharp at one distance, blurred nearer and further."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.scenes.camera import Camera

BLUR = (0.006, 0.022)
"""Range of the largest deviation of the blur, in widths of a card at the picture's centre."""
LEVELS = 4


@dataclass(frozen=True, slots=True)
class Focus:
    """The deviation of the blur, in pixels, where the table is seen: ``|slope . (x, y, 1)|``."""

    slope: Floats

    def blur(self, point: Floats) -> float:
        """The blur at a ``point`` (2,) of the picture."""
        return float(abs(self.slope[:2] @ point + self.slope[2]))


def sample_focus(rng: np.random.Generator, camera: Camera, size: tuple[int, int], card_pixels: float) -> Focus:
    """Samples which distance is sharp, for pictures of ``size`` (width, height).

    Blur is in proportion to the difference of the inverse distances, which changes evenly across the picture.
    """
    nearness = np.linalg.inv(camera.table)[2]  # the inverse distance of what lies on the table, up to a factor
    corners = doubles([[0, 0, 1], [size[0], 0, 1], [0, size[1], 1], [size[0], size[1], 1]])
    low, high = float((corners @ nearness).min()), float((corners @ nearness).max())
    slope = nearness - doubles([0, 0, low + rng.uniform(0.1, 0.9) * (high - low)])
    most = float(rng.uniform(*BLUR)) * card_pixels
    return Focus(floats(slope * most / max(np.abs(corners @ slope).max(), 1e-12)))


def blurred(picture: Picture, focus: Focus) -> Picture:
    """The picture, (height, width, 3), as that lens sees it."""
    height, width = picture.shape[:2]
    x, y = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    amount = np.abs(focus.slope[0] * x[None, :] + focus.slope[1] * y[:, None] + focus.slope[2])
    step = float(amount.max()) / (LEVELS - 1)
    if step < 0.1:
        return picture
    made, last = picture.astype(np.float32), picture
    for level in range(1, LEVELS):
        softer = np.asarray(cv2.GaussianBlur(picture, (0, 0), level * step), np.uint8)
        share = (amount / step - (level - 1)).clip(0, 1)[..., None]
        made += share * (softer.astype(np.float32) - last)
        last = softer
    return made.clip(0, 255).astype(np.uint8)
