"""Counts the cards of a pile that is dealt through under the camera, and names each new top card once.

Motion between two cards, and not the card's name, says that there is a new one, so two equal cards in a row are two. A
hand that only passes leaves the pile as it was and counts nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import floats
from vision.doubts import Doubt
from vision.live.motion import CHANGED, light_invariant_diff, small
from vision.values import Pixels, Reading, SeenCard

SPOT = (0.3, 0.06, 0.7, 0.94)
"""The marked spot for the pile: left, top, right and bottom as shares of the picture."""
_STILL_FOR = 0.2
"""Seconds without motion after which a card lies; nobody deals two cards faster."""
_MOTION, _NEW_CARD = 0.004, 0.006
"""Shares of the spot that change between two frames while something moves, and at least by a new card."""
_MAX_GAP = 0.5
"""Seconds without a frame in which a card could have come and been covered by the next."""
_GREY = 114


@dataclass(frozen=True, slots=True)
class DealtCard:
    """One card of the pile: None where nothing could be read; with ``doubt`` a person should look."""

    card: SeenCard | None
    doubt: bool


def deal_spot(pixels: Pixels) -> Pixels:
    """The marked spot of a frame, as a view into it."""
    height, width = pixels.shape[:2]
    left, top, right, bottom = SPOT
    return pixels[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]


def mask_outside_spot(pixels: Pixels) -> Pixels:
    """The frame, grey outside the spot. A cut-out would show the cards larger than the detector has learnt them."""
    masked = np.full_like(pixels, _GREY)
    deal_spot(masked)[:] = deal_spot(pixels)
    return masked


class DealCounter:
    """Follows the spot and reports each new card on it.

    ``missed`` says of the last card that the camera gave no frames for a while before it, so that there may be one
    more.
    """

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._lying: Pixels | None = None
        self._moved_at = self._seen_at = 0.0
        self._motion_seen = self._gap = self.missed = False

    def see(self, pixels: Pixels, at: float) -> Pixels | None:
        """Takes the next frame, at the time ``at`` in seconds; returns it masked where a new card lies, else None."""
        spot = deal_spot(pixels)
        now, before = small(spot), self._before
        self._before, elapsed, self._seen_at = now, at - self._seen_at, at
        if before is None or before.shape != now.shape:
            self._lying, self._moved_at = now, at
            return None
        self._gap = self._gap or elapsed > _MAX_GAP
        if _changed_share(before, now) > _MOTION:
            self._moved_at, self._motion_seen = at, True
            return None
        if not self._motion_seen or at - self._moved_at < _STILL_FOR:
            return None
        self._motion_seen = False
        lying, self._lying = self._lying, now
        if lying is not None and _changed_share(lying, now) < _NEW_CARD:
            return None
        self.missed, self._gap = self._gap, False
        return mask_outside_spot(pixels)


def top_card(reading: Reading) -> DealtCard:
    """The top card of the pile in the reading of a masked frame: the card with most visible indices, and of these the
    one nearest to the centre.

    In doubt where it has any doubt but ``PERHAPS_ANOTHER`` (cards below it are expected), or fewer than two indices.
    """
    if not reading.cards:
        return DealtCard(None, True)
    centre = floats([reading.width / 2, reading.height / 2])

    def visibility(card: SeenCard) -> tuple[int, float]:
        distance = float(np.hypot(*(floats(card.quad).mean(0) - centre)))
        return len(card.corners), -distance

    best = max(reading.cards, key=visibility)
    return DealtCard(best, best.doubt not in (None, Doubt.PERHAPS_ANOTHER) or len(best.corners) < 2)


def _changed_share(before: Pixels, now: Pixels) -> float:
    """Share of changed pixels of two ``small`` frames."""
    return float((light_invariant_diff(before, now) > CHANGED).mean())
