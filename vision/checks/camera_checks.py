"""Checks by one photo whether a camera is low, sharp and bright enough, in sentences that say what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.arrays import floats
from vision.checks.photo_checks import DARK, SMALL_CARD
from vision.geometry import quad_width
from vision.images.sharpness import sharpness
from vision.live.table_markers import TablePlane
from vision.values import Pixels, Reading

MM_PER_INCH = 25.4
CARD_MM = 63.0
"""Width of a poker card."""
INDEX_SHARE = 0.18
"""Height of a printed index as a share of its card's width, for poker cards; jumbo indices are larger."""
_MIN_INDEX, _GOOD_INDEX = SMALL_CARD * INDEX_SHARE, 12.0
"""Index heights in pixels: below the first names become guesses, from the second on reading is best."""
_SHARP, _SOFT = 0.5, 0.42
"""Values of ``sharpness``: from the first on fine, below the second too blurred to read."""
_MEASURED_WIDTH = 115.0
"""Sharpness is measured at the scale at which cards are this many pixels wide; finer blur does no harm."""
_BRIGHT, _BURNT = 85.0, 0.03
"""Brightness of the cards (0..255) that is enough, and the share of burnt-out pixels that is too much."""
_MIN_CARDS = 3
"""Card sizes are taken from at least this many cards."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for one ``aspect`` of the camera; ``sentence`` says what was measured and what to do."""

    aspect: str
    grade: Literal["fine", "fair", "bad"]
    sentence: str


def check_camera(pixels: Pixels, reading: Reading, plane: TablePlane | None) -> tuple[Verdict, ...]:
    """Judges a camera by one photo of the table with some cards on it.

    Args:
        pixels: the photo, (height, width, 3) BGR.
        reading: the cards read in it.
        plane: the plane of the table where its markers were found; without it sizes come from the cards alone.

    Returns:
        One verdict each on height, sharpness, light and the table's markers.
    """
    return (_height(reading, plane), _sharpness(pixels, reading), _light(pixels, reading), _table(plane))


def _height(reading: Reading, plane: TablePlane | None) -> Verdict:
    card_width = None
    if len(reading.cards) >= _MIN_CARDS:
        card_width = float(np.median([quad_width(floats(card.quad)) for card in reading.cards]))
    elif plane is not None:
        card_width = CARD_MM / plane.mm_per_pixel
    if card_width is None:
        return Verdict(
            "Height", "fair", "Lay three or more cards face up on the table, or the printed marks, and test again."
        )
    index = card_width * INDEX_SHARE
    measured = f"The numbers in the card corners are {index:.0f} pixels tall"
    if index >= _GOOD_INDEX:
        return Verdict("Height", "fine", f"{measured}. Good.")
    if index >= _MIN_INDEX:
        return Verdict("Height", "fair", f"{measured}. That works, but {_GOOD_INDEX:.0f} is better. Lower the camera.")
    return Verdict(
        "Height",
        "bad",
        f"{measured}, but need at least {_MIN_INDEX:.0f}. Move the camera about {_MIN_INDEX / index:.1f} times closer.",
    )


def _sharpness(pixels: Pixels, reading: Reading) -> Verdict:
    if not reading.cards:
        return Verdict("Sharpness", "fair", "Lay a few cards face up on the table and test again.")
    quads = [floats(card.quad) for card in reading.cards]
    corners, card_width = np.concatenate(quads), float(np.median([quad_width(quad) for quad in quads]))
    margin = 0.4 * card_width  # cutting right at a blurred edge would make it a sharp one
    low = np.floor(corners.min(0) - margin).astype(int).clip(0)
    high = np.ceil(corners.max(0) + margin).astype(int).clip(low + 8)
    scale = min(_MEASURED_WIDTH / max(card_width, 1.0), 1.0)
    part = pixels[low[1] : high[1], low[0] : high[0]]
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    measured = sharpness(small)
    if measured >= _SHARP:
        return Verdict("Sharpness", "fine", "The picture is sharp. Good.")
    if measured >= _SOFT:
        return Verdict("Sharpness", "fair", "The picture is a little soft. Wipe the lens and set the focus below.")
    return Verdict(
        "Sharpness", "bad", "The picture is blurry. Wipe the lens, set the focus below, and make sure nothing shakes."
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
        return Verdict("Light", "bad", "It is far too dark. Turn on a lamp over the table.")
    if paper < _BRIGHT:
        return Verdict("Light", "fair", "It is a bit dark. One more lamp would help.")
    if burnt > _BURNT and reading.cards:
        return Verdict(
            "Light", "fair", f"{burnt:.0%} of the cards is washed out by the light. Turn the lamp away a little."
        )
    return Verdict("Light", "fine", "The light is good.")


def _table(plane: TablePlane | None) -> Verdict:
    if plane is None:
        return Verdict(
            "Table",
            "fair",
            "Not all four printed marks are in the picture, so it is not straightened. That is fine.",
        )
    if not plane.lies_flat:
        return Verdict("Table", "bad", "The marks are not flat on the table. Lay them down again.")
    if not plane.frames_a_table:
        return Verdict("Table", "fair", "The marks are close together. Cut the sheet apart and lay one at each corner.")
    width, height = (side / MM_PER_INCH for side in plane.size)
    covered = f"The marks enclose {width:.0f} by {height:.0f} inches"
    return Verdict("Table", "fine", f"{covered}. Good. Pictures are straightened.")
