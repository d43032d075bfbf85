"""Whether the paper of a card ends where an outline says, and where near it the paper ends."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.geometry import flattened, with_sides_moved
from vision.values import Pixels

FLAT = (96, 136)
"""Width and height in pixels of the rectified card on which sides are looked at."""
MARGIN = 16
"""Pixels of its surroundings on each side."""
CORNER = 0.12
"""Share of a side at each end that is not looked at, since corners are rounded."""
SEGMENTS = 8
"""A side is looked at in so many pieces, so that noise and print average out along each."""
NEAR = 2
"""Pixels by which a piece of the edge may lie beside the line."""
STEP, NOISE = 1.2, 1.5
"""Grey levels from pixel to pixel that make an edge, and how many times the stronger ones beside it."""
CLEAR = 12.0
"""Clearer edges than this many grey levels count no more when a side is looked for."""
ONE_WAY, OTHER_WAY = 0.5, 0.4
"""Cards stand out one way where the mean of their steps is this share of the usual step; and the share for which edges
of the other way count, such as those of the next card across a gap."""
MAX_SLANT = 8
"""Pixels by which the ends of a side may move differently."""
FAR_COST = 0.12
"""Grey levels that a side must be clearer for each pixel that it lies further from where it is expected."""


def _bands(pixels: Pixels, quad: Floats) -> list[Floats]:
    """Four bands (2 * MARGIN, length, 3) round the card's sides from the upper one clockwise, each turned to the top:
    the steps in grey levels across the side, with sign."""
    flat = floats(cv2.GaussianBlur(flattened(pixels, quad, FLAT, MARGIN), (0, 0), 0.8))
    bands = []
    for turns in range(4):
        band = np.rot90(flat, turns)[: 2 * MARGIN]
        bands.append(floats(np.gradient(band, axis=0)))
    return bands


def evidence(pixels: Pixels, quad: Floats) -> Floats:
    """The share 0..1 of each side of the outline ``quad`` (4, 2), (4,), along which the picture has an edge.

    The first is the one from the first corner to the second, the others follow clockwise.
    """
    shares = []
    for band in _bands(pixels, quad):
        length = band.shape[1] - 2 * MARGIN
        first, last = MARGIN + round(CORNER * length), MARGIN + round((1 - CORNER) * length)
        pieces = np.array_split(band[:, first:last], SEGMENTS, axis=1)
        steps = np.stack([np.abs(piece.mean(1)).max(1) for piece in pieces], 1)
        edge = steps[MARGIN - NEAR : MARGIN + NEAR + 1].max(0)
        beside = np.percentile(np.concatenate([steps[2 : MARGIN - 3], steps[MARGIN + 3 : -2]]), 75, axis=0)
        shares.append(float((edge > np.maximum(STEP, NOISE * beside)).mean()))
    return floats(shares)


def paper_step(pixels: Pixels, quads: Sequence[Floats]) -> Floats | None:
    """How colours change at the edge of the cards ``quads`` (4, 2), from the table to the paper: a direction (3,) of
    length 1 in BGR; None where it differs from edge to edge."""
    steps = [
        band[MARGIN - 1 : MARGIN + 1, MARGIN:-MARGIN].mean((0, 1)) for quad in quads for band in _bands(pixels, quad)
    ]
    if not steps:
        return None
    mean, usual = np.mean(steps, axis=0), float(np.mean(np.linalg.norm(steps, axis=1)))
    length = float(np.linalg.norm(mean))
    return floats(mean / length) if length > ONE_WAY * max(usual, 1e-3) else None


def _clear(band: Floats, step: Floats | None) -> Floats:
    """How clear the edges of a band are, at each place; those of another ``step`` count less."""
    clear = np.abs(band).max(2)
    if step is not None:
        clear = np.maximum(OTHER_WAY * clear, band @ step)
    return floats(np.minimum(clear, CLEAR))


def snapped(pixels: Pixels, quad: Floats, reaches: Sequence[int] = (12, 4), step: Floats | None = None) -> Floats:
    """The outline (4, 2) with each side moved to the clearest straight edge near it.

    ``reaches`` say how near, in pixels of FLAT, first coarsely and then finely; ``step`` is the ``paper_step`` of other
    cards, where it is known.
    """
    for reach in reaches:
        ends = np.arange(-reach, reach + 1, 2 if reach > 6 else 1)
        offsets = np.stack(np.meshgrid(ends, ends), -1).reshape(-1, 2)
        offsets = offsets[np.abs(offsets[:, 0] - offsets[:, 1]) <= MAX_SLANT]
        moved = []
        for band in _bands(pixels, quad):
            length = band.shape[1] - 2 * MARGIN
            columns = np.linspace(MARGIN + CORNER * length, MARGIN + (1 - CORNER) * length, 24).astype(int)
            along = (columns - MARGIN) / length
            rows = np.rint(offsets[:, :1] + (offsets[:, 1:] - offsets[:, :1]) * along).astype(int) + MARGIN
            clear = _clear(band, step)[rows, columns].mean(1)
            moved.append(offsets[int((clear - FAR_COST * np.abs(offsets).mean(1)).argmax())])
        quad = with_sides_moved(quad, FLAT, moved)
    return quad
