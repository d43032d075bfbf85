"""Dealing a squared pile through under the camera: each new top card is read once, and counted.

Between two cards something moves: that, and not the card's name, tells that there is a new one, so two equal cards in a
row are two. A hand that only passes leaves the pile as it was, and counts nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import floats
from vision.doubts import Doubt
from vision.live.motion import light_invariant_diff, small
from vision.values import Pixels, Reading, SeenCard

SPOT = (0.3, 0.06, 0.7, 0.94)
"""Where to deal: left, top, right and bottom of the marked spot, in shares of the picture."""
_SETTLED = 0.2
"""Seconds without movement after which a card lies; the next one comes sooner than a person can deal two."""
_MOVES, _NEW = 0.004, 0.006
"""Shares of the spot that change between two pictures while something moves, and at least when a card is laid on."""
_CHANGED = 0.16
_GAP = 0.5
"""Seconds without a picture in which a card could have come and been covered by the next."""


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card of the pile: its face as read, or None where nothing could be read; ``doubt`` says that a person should
    look, and the picture (height, width, 3) BGR with the spot alone shows what was seen."""

    card: SeenCard | None
    doubt: bool
    picture: Pixels


def deal_spot(pixels: Pixels) -> Pixels:
    """The marked spot of a picture."""
    height, width = pixels.shape[:2]
    left, top, right, bottom = SPOT
    return pixels[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]


def mask_outside_spot(pixels: Pixels) -> Pixels:
    """The picture with all but the spot blanked; cut out, its cards would fill it, and cards so large are not known."""
    blank = np.full_like(pixels, 114)
    deal_spot(blank)[:] = deal_spot(pixels)
    return blank


class DealCounter:
    """Follows the spot; gives its picture each time a new card has come to lie on it.

    ``missed`` says that the camera gave no pictures for a while before the last card, so that there may be one more.
    """

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._lying: Pixels | None = None
        self._moved = self._seen = 0.0
        self._waits = self._gap = self.missed = False

    def see(self, pixels: Pixels, at: float) -> Pixels | None:
        """The next picture of the camera, ``at`` seconds; it with the spot alone where a new card lies, else None."""
        spot = deal_spot(pixels)
        now, before = small(spot), self._before
        self._before, rested, self._seen = now, at - self._seen, at
        if before is None or before.shape != now.shape:
            self._lying, self._moved = now, at
            return None
        self._gap = self._gap or rested > _GAP
        if _share(before, now) > _MOVES:
            self._moved, self._waits = at, True
            return None
        if not self._waits or at - self._moved < _SETTLED:
            return None
        self._waits = False
        lying, self._lying = self._lying, now
        if lying is not None and _share(lying, now) < _NEW:
            return None
        self.missed, self._gap = self._gap, False
        return mask_outside_spot(pixels)


def top_card(reading: Reading, picture: Pixels) -> DealtCard:
    """The card on top of the pile in a picture of the spot alone: seen by most indices, and nearest to the middle."""
    if not reading.cards:
        return DealtCard(None, True, picture)
    middle = floats([picture.shape[1] / 2, picture.shape[0] / 2])

    def rank(card: SeenCard) -> tuple[int, float]:
        away = float(np.hypot(*(floats(card.quad).mean(0) - middle)))
        return len(card.corners), -away

    best = max(reading.cards, key=rank)
    return DealtCard(best, best.doubt not in (None, Doubt.PERHAPS_ANOTHER) or len(best.corners) < 2, picture)


def _share(before: Pixels, now: Pixels) -> float:
    return float((light_invariant_diff(before, now) > _CHANGED).mean())
