"""What lies round an index, cut from a picture as its card lies: what verifier and placer are shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats
from vision.crops.card_window import card_homographies
from vision.crops.pyramid import cut_squares
from vision.geometry import BOX_SHARE, card_widths
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

    def cut(self, levels: list[Pixels], quads: Floats, rights: Flags) -> NDArray[np.uint8]:
        """The views (n, size, size, 3) BGR round the indices in the left corners of the cards outlined by ``quads``
        (n, 4, 2), or in the right ones where ``rights`` (n,), from a ``cutting.pyramid``."""
        sides = np.hypot(*np.moveaxis(quads[:, [1, 3]] - quads[:, :1], -1, 0)).astype(np.float64)
        tall = (sides[:, 1] / np.maximum(sides[:, 0], 1)).clip(*PORTRAIT)
        middle = np.where(rights, 1 - BOX_SHARE[0] / 2, BOX_SHARE[0] / 2)
        step = 2 * self.across / self.size
        onto = np.zeros((len(quads), 3, 3))
        onto[:, 0, 0], onto[:, 0, 2] = step, middle - self.across
        onto[:, 1, 1], onto[:, 1, 2] = step / tall, BOX_SHARE[1] / 2 - self.above / tall
        onto[:, 2, 2] = 1
        return cut_squares(levels, card_homographies(quads) @ onto, card_widths(quads) * np.float32(step), self.size)
