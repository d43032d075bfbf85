"""One card drawn into a picture: perspective, shadow and tone."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.scenes import bent
from datasets.scenes.camera import Camera, Matrix, card_outline
from datasets.scenes.layouts import SceneCard
from datasets.scenes.surroundings.clutter import Owner

UNIT = floats([[0, 0], [1, 0], [1, 1], [0, 1]])
"""Corners of a card in fractions of its width and height."""


def card_tones(rng: np.random.Generator, count: int) -> Floats:
    """Samples a tone for each of ``count`` cards: gains for BGR and added white, (count, 4).

    Cards tilt differently to the light, are worn, or come from packs with other paper.
    """
    spread = rng.uniform(0.05, 0.45)
    gains = np.exp(rng.normal(-0.6 * spread, spread, (count, 1)) + rng.normal(0, 0.04, (count, 3)))
    pale = np.where(rng.random((count, 1)) < 0.2, rng.uniform(0, 70, (count, 1)), 0.0)
    return floats(np.hstack([gains.clip(0.25, 1.3), pale]))


def _apply_tone(laid: Picture, tone: Floats) -> Picture:
    """Applies a ``tone`` (4,) to the colours of a card, (height, width, 3) BGR."""
    return np.asarray((laid * (tone[:3] * (1 - tone[3] / 255)) + tone[3]).clip(0, 255), np.uint8)


def lay_card(
    picture: Picture,
    owner: Owner,
    card: SceneCard,
    number: int,
    camera: Matrix,
    shadow: tuple[float, float, float],
    tone: Floats | None = None,
    whole: Camera | None = None,
) -> Floats:
    """Draws a card into ``picture`` and marks its pixels with ``number`` in ``owner``; returns its corners, (4, 2).

    ``shadow`` is its offset (x, y) in card widths and its depth 0..1. A bent card needs the ``whole`` camera.
    """
    height, width = picture.shape[:2]
    quad, onto = card_outline(card, camera)
    across = float(np.hypot(*(quad[1] - quad[0])))
    corners, curved = quad, whole if card.bend else None
    if curved:
        corners, quad = bent.card_points(card, curved, UNIT), bent.outline(card, curved)
    levels = card.deck.levels(card.picture)
    level = levels[int(np.clip(np.floor(np.log2(levels[0].shape[1] / max(across, 1))), 0, len(levels) - 1))]
    reach = max(0.06 * across, 2) if shadow[2] else 1
    low = np.floor(quad.min(0) - reach).astype(int).clip(0)
    high = np.minimum(np.ceil(quad.max(0) + reach).astype(int) + 1, (width, height))
    if (high <= low).any():
        return corners
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shift = doubles([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    shrink = np.diag([1 / level.shape[1], 1 / level.shape[0], 1.0])
    edge = np.zeros((size[1], size[0]), np.uint8)
    if curved:
        laid = bent.warped(level, card, curved, floats(low), size)
        cv2.fillPoly(edge, [np.round((quad - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    else:
        flat = cv2.warpPerspective(level, shift @ onto @ shrink, size, borderMode=cv2.BORDER_REPLICATE)
        laid = np.asarray(flat, np.uint8)
        cv2.fillConvexPoly(edge, np.round((quad - low) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    alpha = np.minimum(laid[:, :, 3], edge)
    part = picture[low[1] : high[1], low[0] : high[0]]
    if shadow[2]:
        dark = np.zeros_like(edge)
        offset = quad - low + floats(shadow[:2]) * across
        cv2.fillConvexPoly(dark, np.round(offset * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        spread = int(max(0.04 * across, 1)) * 2 + 1
        dark = np.asarray(cv2.blur(dark, (spread, spread)), np.uint8)
        part[:] = (part * (1 - shadow[2] / 255 * dark.astype(np.float32)[..., None])).astype(np.uint8)
    weight = alpha.astype(np.uint16)[..., None]
    colours = np.asarray(laid[:, :, :3], np.uint8)
    if tone is not None:
        colours = _apply_tone(colours, tone)
    part[:] = ((colours * weight + part * (255 - weight)) // 255).astype(np.uint8)
    owner[low[1] : high[1], low[0] : high[0]][alpha > 127] = number
    return corners
