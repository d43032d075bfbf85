"""The view that crop verifier and corner side classifier see: an index and its surroundings, upright on its card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats
from vision.crops.card_window import card_homographies
from vision.crops.pyramid import crop_squares
from vision.geometry import BOX_SHARE, card_widths
from vision.values import Pixels

ASPECT_LIMITS = (0.8, 2.0)
"""Limits of a card's height against its width as used here; an outline beyond them is wrong about the far corners."""


@dataclass(frozen=True, slots=True)
class IndexView:
    """A square crop around an index.

    Attributes:
        across: distance from the index's centre to the left and right edge, in card widths.
        above: distance to the upper edge, in card widths.
        size: width and height in pixels.
    """

    across: float
    above: float
    size: int

    def crop(self, levels: list[Pixels], quads: Floats, index_on_right: Flags) -> NDArray[np.uint8]:
        """The views (n, size, size, 3) BGR of the indices of cards ``quads`` (n, 4, 2) from a ``pyramid.pyramid``.

        The index is in the left upper corner, or in the right one where ``index_on_right`` (n,).
        """
        sides = np.hypot(*np.moveaxis(quads[:, [1, 3]] - quads[:, :1], -1, 0)).astype(np.float64)
        aspect = (sides[:, 1] / np.maximum(sides[:, 0], 1)).clip(*ASPECT_LIMITS)
        centre = np.where(index_on_right, 1 - BOX_SHARE[0] / 2, BOX_SHARE[0] / 2)
        step = 2 * self.across / self.size
        to_card = np.zeros((len(quads), 3, 3))
        to_card[:, 0, 0], to_card[:, 0, 2] = step, centre - self.across
        to_card[:, 1, 1], to_card[:, 1, 2] = step / aspect, BOX_SHARE[1] / 2 - self.above / aspect
        to_card[:, 2, 2] = 1
        return crop_squares(
            levels, card_homographies(quads) @ to_card, card_widths(quads) * np.float32(step), self.size
        )
