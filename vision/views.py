"""What lies round an index, cut from a picture as its card lies: what verifier and placer are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import BOX_SHARE, Floats, floats, width_of
from vision.settler import frame_of
from vision.values import Pixels

PORTRAIT = (0.8, 2.0)
"""A card is taken to be no less and no more times as tall as it is wide."""


@dataclass(frozen=True, slots=True)
class View:
    """A square as far to the left and right of an index's middle as ``across`` says and as far above it as ``above``,
    both in widths of its card, shown in ``size`` x ``size`` pixels."""

    across: float
    above: float
    size: int

    def cut(self, levels: list[Pixels], quad: Floats, right: bool) -> Pixels:
        """The view (size, size, 3) BGR round the index in the left corner of the card outlined by ``quad`` (4, 2), or
        in its ``right`` one, from a ``settler.pyramid``."""
        sides = np.hypot(*(quad[[1, 3]] - quad[0]).T)
        tall = float(np.clip(sides[1] / max(sides[0], 1), *PORTRAIT))
        middle = np.array([1 - BOX_SHARE[0] / 2 if right else BOX_SHARE[0] / 2, BOX_SHARE[1] / 2])
        step = np.array([1, 1 / tall]) * (2 * self.across / self.size)
        start = middle - np.array([self.across, self.above / tall])
        finest = width_of(quad) * step[0]
        level = levels[int(np.clip(np.floor(np.log2(max(finest, 1e-3)) + 0.3), 0, len(levels) - 1))]
        shrink = np.diag([level.shape[1] / levels[0].shape[1], level.shape[0] / levels[0].shape[0], 1.0])
        onto = np.array([[step[0], 0, start[0]], [0, step[1], start[1]], [0, 0, 1.0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back, size = shrink @ frame_of(quad) @ onto, (self.size, self.size)
        return np.asarray(cv2.warpPerspective(level, back, size, flags=flags, borderValue=(114, 114, 114)), np.uint8)


def as_input(views: Sequence[Pixels]) -> Floats:
    """Views (size, size, 3) BGR as a network takes them: (n, 3, size, size) RGB 0..1."""
    stacked = np.stack(views)[..., ::-1].transpose(0, 3, 1, 2)
    return floats(np.ascontiguousarray(stacked, np.float32) / np.float32(255))
