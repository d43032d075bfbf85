"""What a person can do about a picture that reads badly."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import width_of
from vision.values import Notice, Pixels, SeenCard

SMALL_CARD = 55.0
"""Below this width in pixels a card's index is under about 10 px high and names become guesses."""
DARK = 45.0
"""Mean brightness (0..255) of the cards below which a picture is too dark."""


def notices(pixels: Pixels, cards: Sequence[SeenCard]) -> tuple[Notice, ...]:
    """Warnings for a picture (height, width, 3) BGR and the cards read on it."""
    if not cards:
        return (Notice("no-cards", "No cards were seen in this photo: hold the camera above the cards and try again."),)
    found: list[Notice] = []
    quads = [np.asarray(card.quad, np.float32) for card in cards]
    wide = float(np.median([width_of(quad) for quad in quads]))
    if wide < SMALL_CARD:
        closer = SMALL_CARD / wide
        found.append(
            Notice("index-too-small", f"The cards are only {wide:.0f} px wide: go about {closer:.1f} times closer.")
        )
    height, width = pixels.shape[:2]
    corners = np.concatenate(quads)
    inside = (corners >= 0).all(1) & (corners[:, 0] < width) & (corners[:, 1] < height)
    step = max(1, max(height, width) // 640)
    low = np.clip(corners.min(0), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(corners.max(0), low + 1, (width, height)).astype(int)
    cards_area = pixels[low[1] : high[1] : step, low[0] : high[0] : step]
    if float(np.percentile(cv2.cvtColor(cards_area, cv2.COLOR_BGR2GRAY), 85)) < DARK:
        found.append(Notice("too-dark", "The photo is very dark: switch on a lamp or move the cards into the light."))
    margin = 0.02 * max(height, width)
    cut = [quad for quad in quads if not _within(quad, width, height, margin)]
    if cut and not inside.all():
        found.append(
            Notice("cut-off", f"{len(cut)} of the cards reach beyond the edge of the photo: move back a little.")
        )
    return tuple(found)


def _within(quad: np.ndarray[tuple[int, ...], np.dtype[np.float32]], width: int, height: int, margin: float) -> bool:
    return bool((quad > -margin).all() and (quad[:, 0] < width + margin).all() and (quad[:, 1] < height + margin).all())
