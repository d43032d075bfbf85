"""Pictures for people: outlines and names drawn over a photo, and one card cut out upright."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats
from vision.values import Pixels, Quad, Reading

# Colours are BGR. Cards in doubt are amber, others have the colour of their group.
_AMBER = (0, 170, 255)
_GROUP_COLOURS = ((80, 200, 60), (230, 150, 40), (220, 90, 200), (200, 200, 40), (90, 120, 255), (150, 220, 220))
_CROP_MARGIN = 0.12
"""Margin around a cut-out card, as a share of its width and height."""


_SURROUNDINGS = 1.7
"""The side of a cut-out with marked cards, by their longer extent."""
_LEAST_SIDE = 120
_AROUND_INDEX, _LEAST_CLOSE = 2.6, 32
"""The side of a cut-out of an index, by its longer extent, and its least in pixels."""
_DIMMED = 0.62
"""The brightness of what is not marked."""


def annotate(pixels: Pixels, reading: Reading) -> Pixels:
    """Draws the outline and name of every card on a copy of the photo, cards in doubt in amber.

    Args:
        pixels: the photo, (height, width, 3) uint8 BGR.
        reading: what was read in it.

    Returns:
        A picture of the same shape.
    """
    drawn = pixels.copy()
    group_of = {card: number for number, group in enumerate(reading.groups) for card in group.cards}
    line = max(2, round(max(reading.width, reading.height) / 640))
    for index, card in enumerate(reading.cards):
        colour = _AMBER if card.doubt else _GROUP_COLOURS[group_of.get(index, 0) % len(_GROUP_COLOURS)]
        outline = np.round(np.array(card.quad)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, colour, line, cv2.LINE_AA)
    for card in reading.cards:  # names last, so that no outline crosses them
        _write(drawn, f"{card.face}?" if card.doubt else str(card.face), card.quad, line)
    return drawn


def _write(drawn: Pixels, text: str, quad: Quad, line: int) -> None:
    """Writes a name just outside the card's first corner, but inside the picture."""
    corners = np.array(quad)
    card_width = float(np.linalg.norm(corners[1] - corners[0]))
    scale = max(0.5, card_width / 170)
    thick = max(1, round(line * 0.8))
    (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    outward = corners[0] - corners.mean(axis=0)
    outward /= max(float(np.linalg.norm(outward)), 1e-6)
    centre = corners[0] + outward * height
    left = int(np.clip(centre[0] - width / 2, 0, max(0, drawn.shape[1] - width)))
    bottom = int(np.clip(centre[1] + height / 2, height, max(height, drawn.shape[0] - base)))
    cv2.rectangle(drawn, (left - 2, bottom - height - 3), (left + width + 2, bottom + base), (0, 0, 0), -1)
    cv2.putText(drawn, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), thick, cv2.LINE_AA)


def cut_out(pixels: Pixels, quad: Quad, width: int = 360) -> Pixels:
    """Rectifies one card, with a margin of its surroundings.

    Args:
        pixels: the photo, (height, width, 3) uint8 BGR.
        quad: the card's outline in that photo; what lies outside the photo comes out black.
        width: of the result, in pixels; its height is 1.4 times that, about the proportion of a card.

    Returns:
        (round(1.4 * width), width, 3) uint8 BGR.
    """
    height = round(width * 1.4)
    left, top = width * _CROP_MARGIN, height * _CROP_MARGIN
    target = np.array(
        [[left, top], [width - left, top], [width - left, height - top], [left, height - top]], dtype=np.float32
    )
    matrix = cv2.getPerspectiveTransform(np.array(quad, dtype=np.float32), target)
    return np.asarray(cv2.warpPerspective(pixels, matrix, (width, height), flags=cv2.INTER_CUBIC), dtype=np.uint8)


def cut_around(pixels: Pixels, x: float, y: float, side: int) -> Pixels:
    """The square of ``side`` pixels around (x, y), moved inside the photo where it would reach beyond."""
    side = min(side, pixels.shape[0], pixels.shape[1])
    left, top = _cut_origin(pixels, x, y, side)
    return pixels[top : top + side, left : left + side]


def cut_marked(
    pixels: Pixels,
    quads: Sequence[Quad],
    width: int = 360,
    index: tuple[float, float, float, float] | None = None,
) -> Pixels:
    """The surroundings of some cards, which are outlined and brighter than the rest.

    The outlines lie outside of the cards, so that they hide nothing of them.

    Args:
        pixels: the photo, (height, width, 3) uint8 BGR.
        quads: the outlines of the cards in that photo, one at least.
        width: of the result, in pixels.
        index: left, top, right and bottom of the index to look at; None for the whole cards.

    Returns:
        (width, width, 3) uint8 BGR.
    """
    corners = np.array(quads, dtype=np.float32)
    low, high = corners.min((0, 1)), corners.max((0, 1))
    centre = (low + high) / 2
    side = round(max(_LEAST_SIDE, _SURROUNDINGS * float((high - low).max())))
    if index is not None:
        low, high = np.array(index[:2], np.float32), np.array(index[2:], np.float32)
        centre, side = (low + high) / 2, max(_LEAST_CLOSE, round(_AROUND_INDEX * float((high - low).max())))
    return _marked_around(pixels, float(centre[0]), float(centre[1]), side, corners, width)


def mark_place(pixels: Pixels, x: float, y: float, side: int) -> Pixels:
    """Like ``cut_around``, with a ring around the place."""
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([x + np.cos(turns) * side * 0.2, y + np.sin(turns) * side * 0.2], 1)
    return _marked_around(pixels, x, y, side, ring[None].astype(np.float32), side, 1.0)


def _marked_around(
    pixels: Pixels, x: float, y: float, side: int, outlines: Floats, width: int, dimmed: float = _DIMMED
) -> Pixels:
    side = min(side, pixels.shape[0], pixels.shape[1])
    cut = cut_around(pixels, x, y, side)
    left, top = _cut_origin(pixels, x, y, side)
    scale = width / cut.shape[1]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    shown = np.asarray(cv2.resize(cut, (width, width), interpolation=method), dtype=np.uint8)
    mask = np.zeros(shown.shape[:2], np.uint8)
    line = max(2, round(width / 90))
    for outline in outlines:
        cv2.fillPoly(mask, [np.round((outline - (left, top)) * scale).astype(np.int32)], 255)
    around = cv2.dilate(mask, np.ones((2 * line + 1, 2 * line + 1), np.uint8))
    casing = cv2.dilate(around, np.ones((3, 3), np.uint8))
    marked: Pixels = np.where(mask[..., None] > 0, shown, (shown * dimmed).astype(np.uint8))
    marked[(casing > 0) & (mask == 0)] = (0, 0, 0)
    marked[(around > 0) & (mask == 0)] = _AMBER
    return marked


def _cut_origin(pixels: Pixels, x: float, y: float, side: int) -> tuple[int, int]:
    """The left and upper edge of the square of ``side`` pixels around (x, y), moved inside the photo."""
    left = int(np.clip(x - side / 2, 0, pixels.shape[1] - side))
    top = int(np.clip(y - side / 2, 0, pixels.shape[0] - side))
    return left, top
