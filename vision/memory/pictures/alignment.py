"""How the cards that show of piles lie against how they lay: by their pictures, to a small part of a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.geometry import quad_width
from vision.memory.pictures.stills import LOOKS
from vision.values import Pixels

ALIKE = 0.95
"""Correlation from which two pictures show the same print with nothing over it; on drawn films a card that nobody
touched has 0.975 or more in 99 of 100 looks, one with a part covered 0.2 to 0.93."""
STAYED, STAYED_TURN = 0.004, 0.25
"""Card widths and degrees within which a card lies where it lay: one that nobody touched moves by 0.0004 and 0.05 in 95
of 100 looks. Who lays a card on its like seldom meets it so well."""
_STEPS, _PRECISION, _SMOOTH = 30, 1e-4, 3
_ALIKE = 0.3
"""The share of a shift or a turn by which that of another card may differ where both were pushed."""
_SEARCH = 0.12
"""Card widths around a card that are kept with its picture."""
_INNER = 0.92
"""The share of a card that is compared: at its edges the card beneath may show."""
_LEAST = 8


@dataclass(frozen=True, slots=True)
class Moved:
    """How a card lies against how it lay: across and down in card widths, its turn in degrees, and how much its picture
    is like the one before (0..1)."""

    x: float
    y: float
    turn: float
    likeness: float

    @property
    def far(self) -> float:
        """How far it moved, in card widths."""
        return float(np.hypot(self.x, self.y))

    def goes_with(self, other: Moved) -> bool:
        """Whether another card moved as this one did, so that both were pushed."""
        apart, turned = np.hypot(other.x - self.x, other.y - self.y), abs(other.turn - self.turn)
        return bool(apart < _ALIKE * self.far + STAYED and turned < _ALIKE * abs(self.turn) + STAYED_TURN)

    @property
    def stayed(self) -> bool:
        """Whether it is the same print in the same place."""
        return self.likeness >= ALIKE and self.far < STAYED and abs(self.turn) < STAYED_TURN


@dataclass(slots=True)
class _Kept:
    """A picture of a card: where its top left lies, its grey values, its outline and those of what covers it, and
    how many looks in a row were unlike it.

    ``mask`` is 0 where nothing is compared.
    """

    left: int
    top: int
    grey: NDArray[np.uint8]
    outline: Floats
    covering: tuple[Floats, ...]
    unlike: int = 0
    mask: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        self.mask, middle = np.zeros(self.grey.shape, np.uint8), self.outline.mean(0)
        inner = middle + (self.outline - middle) * _INNER - (self.left, self.top)
        cv2.fillConvexPoly(self.mask, np.round(inner).astype(np.int32), (255,))
        for other in self.covering:
            wider = other.mean(0) + (other - other.mean(0)) / _INNER - (self.left, self.top)
            cv2.fillConvexPoly(self.mask, np.round(wider).astype(np.int32), (0,))

    def mask_of(self, half: int) -> NDArray[np.uint8]:
        """The mask of the half of it that lies at a side of its outline, 0 to 3."""
        side = np.roll(self.outline, -half, 0) - (self.left, self.top)
        ends = (side[1] + side[2]) / 2, (side[0] + side[3]) / 2
        only = np.zeros_like(self.mask)
        cv2.fillConvexPoly(only, np.round(floats([side[0], side[1], *ends])).astype(np.int32), (255,))
        return np.asarray(cv2.bitwise_and(self.mask, only), np.uint8)


class CardPictures:
    """Small pictures of cards by their numbers."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._now: NDArray[np.uint8] | None = None

    def see(self, pixels: Pixels) -> None:
        """Takes the next still, (height, width, 3) BGR."""
        self._now = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)

    def forget(self, numbers: Sequence[int] | None = None) -> None:
        """Forgets cards, or all."""
        for number in [*self._kept] if numbers is None else numbers:
            self._kept.pop(number, None)

    def known(self) -> list[int]:
        """The numbers of the cards of which there is a picture."""
        return [*self._kept]

    def keep(self, number: int, outline: Floats, covering: Sequence[Floats] = ()) -> None:
        """Keeps how a card looks now, but for what others cover of it."""
        if self._now is None:
            return
        around = _SEARCH * quad_width(outline)
        height, width = self._now.shape
        left, top = np.clip(np.floor(outline.min(0) - around).astype(int), 0, (width, height)).tolist()
        right, bottom = np.clip(np.ceil(outline.max(0) + around).astype(int), 0, (width, height)).tolist()
        if min(right - left, bottom - top) < _LEAST:
            return
        grey = self._now[top:bottom, left:right].copy()
        self._kept[number] = _Kept(left, top, grey, floats(outline), tuple(map(floats, covering)))

    def moved(self, number: int, half: int | None = None) -> Moved | None:
        """How a card moved since its picture was kept; None if there is none, or nothing of it shows.

        ``half``: 0 to 3, the half of the card at that side of its outline, which alone is to be compared.
        """
        kept = self._kept.get(number)
        if kept is None or self._now is None:
            return None
        height, width = kept.grey.shape
        now = self._now[kept.top : kept.top + height, kept.left : kept.left + width]
        if now.shape != kept.grey.shape:
            return None
        criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _STEPS, _PRECISION)
        start, mask = np.eye(2, 3, dtype=np.float32), kept.mask if half is None else kept.mask_of(half)
        try:
            likeness, found = cv2.findTransformECC(kept.grey, now, start, cv2.MOTION_EUCLIDEAN, criteria, mask, _SMOOTH)
        except cv2.error:  # they have nothing in common
            return None
        matrix, middle = np.asarray(found, np.float64), kept.outline.mean(0) - (kept.left, kept.top)
        x, y = (matrix[:, :2] @ middle + matrix[:, 2] - middle) / quad_width(kept.outline)
        return Moved(float(x), float(y), float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0]))), float(likeness))

    def stayed(self, number: int) -> bool:
        """Whether a card is the same print in the same place as in its picture."""
        moved = self.moved(number)
        return moved is not None and moved.stayed

    def stayed_in_part(self, number: int) -> bool:
        """Whether a half of a card lies where it lay, so that only a thing or a shadow came over the other."""
        return any((part := self.moved(number, half)) is not None and part.stayed for half in range(4))

    def unlike_for(self, number: int) -> bool:
        """Notes one more look in which a card is unlike its picture; whether it has been so for long."""
        self._kept[number].unlike += 1
        return self._kept[number].unlike >= LOOKS - 1

    def outline(self, number: int) -> Floats:
        """The outline (4, 2) of a card when its picture was kept."""
        return self._kept[number].outline
