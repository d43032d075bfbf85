"""Whether a camera hangs high, sharp and bright enough, in sentences that say what to do."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import floats
from vision.checks.photo_checks import DARK, SMALL_CARD
from vision.geometry import width_of
from vision.images.sharpness import sharpness
from vision.live.table_markers import TablePlane
from vision.values import Pixels, Reading

CARD_MM = 63.0
INDEX_SHARE = 0.18
"""Height of a printed index against the width of its card, as poker cards are printed; jumbo indices are larger."""
_SMALL, _FINE = SMALL_CARD * INDEX_SHARE, 12.0
_SHARP, _SOFT = 0.5, 0.42
_CARD_AT = 115.0
"""Pixels across a card where sharpness is measured: what is blurred more finely than that does not harm."""
_BRIGHT, _BURNT = 85.0, 0.03
_ENOUGH_CARDS = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing looked at: ``well`` is ``fine``, ``fair`` or ``bad``; ``sentence`` says what was seen, what to do."""

    what: str
    well: str
    sentence: str


def verdicts(pixels: Pixels, reading: Reading, plane: TablePlane | None) -> tuple[Verdict, ...]:
    """What can be said of a camera by one picture (height, width, 3) BGR of the table with some cards on it.

    Args:
        pixels: the picture.
        reading: the cards read in it.
        plane: the table's plane where its marks were found; without it sizes come from the cards alone.
    """
    return (_height(reading, plane), _sharpness(pixels, reading), _light(pixels, reading), _cover(reading, plane))


def _height(reading: Reading, plane: TablePlane | None) -> Verdict:
    wide = None
    if len(reading.cards) >= _ENOUGH_CARDS:
        wide = float(np.median([width_of(floats(card.quad)) for card in reading.cards]))
    elif plane is not None:
        wide = CARD_MM / plane.mm_per_pixel
    if wide is None:
        return Verdict(
            "Height", "fair", "Lay three or more cards face up, or the printed marks, on the table and check again."
        )
    index = wide * INDEX_SHARE
    seen = f"Indices are {index:.0f} px high"
    if index >= _FINE:
        return Verdict("Height", "fine", f"{seen}: fine.")
    if index >= _SMALL:
        return Verdict("Height", "fair", f"{seen}: enough, but {_FINE:.0f} px read better; hang the camera lower.")
    return Verdict(
        "Height",
        "bad",
        f"{seen}, and at least {_SMALL:.0f} are needed: hang the camera about {_SMALL / index:.1f} times nearer.",
    )


def _sharpness(pixels: Pixels, reading: Reading) -> Verdict:
    if not reading.cards:
        return Verdict("Sharpness", "fair", "Lay a few cards face up on the table and check again.")
    quads = [floats(card.quad) for card in reading.cards]
    corners, wide = np.concatenate(quads), float(np.median([width_of(quad) for quad in quads]))
    beyond = 0.4 * wide  # a picture cut off right at a blurred edge would have a sharp one there
    low = np.floor(corners.min(0) - beyond).astype(int).clip(0)
    high = np.ceil(corners.max(0) + beyond).astype(int).clip(low + 8)
    shrink = min(_CARD_AT / max(wide, 1.0), 1.0)
    part = pixels[low[1] : high[1], low[0] : high[0]]
    fine = sharpness(np.asarray(cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8))
    if fine >= _SHARP:
        return Verdict("Sharpness", "fine", "The picture is sharp: fine.")
    if fine >= _SOFT:
        return Verdict("Sharpness", "fair", "The picture is a little soft: wipe the lens, and set the focus below.")
    return Verdict(
        "Sharpness", "bad", "The picture is blurred: wipe the lens, set the focus below, and see that nothing shakes."
    )


def _light(pixels: Pixels, reading: Reading) -> Verdict:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    if reading.cards:
        mask = np.zeros(grey.shape, np.uint8)
        for card in reading.cards:
            cv2.fillConvexPoly(mask, np.round(floats(card.quad)).astype(np.int32), 1)
        grey = grey[mask > 0] if mask.any() else grey
    paper = float(np.percentile(grey, 85))
    burnt = float((grey >= 254).mean())
    if paper < DARK:
        return Verdict("Light", "bad", "It is far too dark: switch on a lamp over the table.")
    if paper < _BRIGHT:
        return Verdict("Light", "fair", "It is rather dark: one lamp more would help.")
    if burnt > _BURNT and reading.cards:
        return Verdict("Light", "fair", f"{burnt:.0%} of the cards is burnt out white: turn the lamp aside.")
    return Verdict("Light", "fine", "The light is fine.")


def _cover(reading: Reading, plane: TablePlane | None) -> Verdict:
    if plane is None:
        return Verdict(
            "Table",
            "fair",
            "The four printed marks are not all in the picture; without them it stays as it is.",
        )
    if not plane.lies_flat:
        return Verdict("Table", "bad", "The marks do not lie flat on the table: lay them anew.")
    if not plane.frames_a_table:
        return Verdict("Table", "fair", "The marks lie close together: cut the sheet and lay one at each corner.")
    across, down = (side / 10 for side in plane.size)
    size = f"{across:.0f} x {down:.0f} cm are covered, {plane.mm_per_pixel:.2f} mm a pixel"
    return Verdict("Table", "fine", f"{size}: fine. Pictures are straightened.")
