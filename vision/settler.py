"""Settling the outlines that the finder predicts: a second, closer look at each card by itself.

The finder sees the whole table and guesses where the far corners of a card lie. Shown one card by itself, upright and
at one size, a small network sees how far that guess is off, and whether the index stands in the left or right corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder import Found
from vision.geometry import UNIT, beside, floats, sane, width_of
from vision.plane import aligned
from vision.values import Pixels

Floats = NDArray[np.float32]
WINDOW = (-1.0, -0.25, 1.1, 1.15)
"""What is shown, left, top, right, bottom, in widths and heights of the predicted card, its index in its left corner:
room enough for the card to lie on the other side of its index."""
WINDOW_SIZE = 96
"""Width and height of the window in pixels."""
BATCH = 16
SEEN = 128
"""So many numbers the last layer but one makes of a window."""
LOOKS = 2
FAR_OFF = 0.1
"""In widths and heights of the card: finds with a corner that far off get another look."""
LEAST_DEPTH = 0.4
"""Of the window's corners against the card's own corner, in perspective; steeper predictions are mistakes."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Finds with closer outlines, and for each how likely it is an index at all, ``real`` (n,) 0..1, what the network
    made of its window, ``seen`` (n, SEEN), and the log odds that it stands in the right-hand corner, ``leans`` (n,)."""

    found: Found
    real: Floats
    seen: Floats
    leans: Floats


def frame_of(quad: Floats) -> NDArray[np.float64]:
    """The homography (3, 3) from widths and heights of the card to pixels; ``quad`` (4, 2) is its outline."""
    onto = np.asarray(cv2.getPerspectiveTransform(UNIT, floats(quad)), np.float64)
    left, top, right, bottom = WINDOW
    depths = onto[2] @ np.array([[left, right, right, left], [top, top, bottom, bottom], [1.0, 1.0, 1.0, 1.0]])
    if depths.min() > LEAST_DEPTH:
        return onto
    along, down = quad[1] - quad[0], quad[3] - quad[0]
    return np.array([[along[0], down[0], quad[0, 0]], [along[1], down[1], quad[0, 1]], [0.0, 0.0, 1.0]])


def pyramid(pixels: Pixels) -> list[Pixels]:
    """The picture, its half, its quarter, its eighth."""
    levels = [pixels]
    while len(levels) < 4 and min(levels[-1].shape[:2]) >= 4:
        height, width = levels[-1].shape[:2]
        levels.append(np.asarray(cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)))
    return levels


def cut_window(levels: list[Pixels], quad: Floats) -> Pixels:
    """The window (WINDOW_SIZE, WINDOW_SIZE, 3) BGR on the card outlined by ``quad``, from a ``pyramid``."""
    left, top, right, bottom = WINDOW
    finest = width_of(quad) * (right - left) / WINDOW_SIZE
    level = levels[int(np.clip(np.floor(np.log2(max(finest, 1e-3)) + 0.3), 0, len(levels) - 1))]
    shrink = np.diag([level.shape[1] / levels[0].shape[1], level.shape[0] / levels[0].shape[0], 1.0])
    step = np.array([[(right - left) / WINDOW_SIZE, 0, left], [0, (bottom - top) / WINDOW_SIZE, top], [0.0, 0.0, 1.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = shrink @ frame_of(quad) @ step
    size = (WINDOW_SIZE, WINDOW_SIZE)
    return np.asarray(cv2.warpPerspective(level, back, size, flags=flags, borderValue=(114, 114, 114)), np.uint8)


def moved(quad: Floats, shift: Floats) -> Floats:
    """The outline with each corner moved by ``shift`` (4, 2), in widths and heights of the card."""
    return floats(cv2.perspectiveTransform((UNIT + shift)[None].astype(np.float64), frame_of(quad))[0])


def shift_to(quad: Floats, true: Floats) -> Floats:
    """The shift (4, 2) by which ``moved`` brings ``quad`` onto ``true``."""
    back = np.linalg.inv(frame_of(quad))
    return floats(cv2.perspectiveTransform(true[None].astype(np.float64), back)[0]) - UNIT


class OnnxSettler:
    """The settler on ONNX Runtime."""

    def __init__(self, session: Any) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``windows`` (n, 3, size, size) RGB 0..1 and outputs
        ``shift`` (n, 8), ``right`` (n, 1) and ``real`` (n, 1), these two before the logistic function, and ``seen``
        (n, SEEN)."""
        self._session = session

    def settle(self, pixels: Pixels, found: Found, least: float = 0.0) -> Settled:
        """Looks at each find of ``found`` in ``pixels`` (height, width, 3) BGR again, and once more at those that were
        far off: seen from nearer by they are seen better. What is real less likely than ``least`` gets no second look.
        All are kept to the size the table's cards have, before and after."""
        found = aligned(found, found.scores)
        quads = found.quads.copy()
        real, leans = np.zeros((2, len(found)), np.float32)
        seen = np.zeros((len(found), SEEN), np.float32)
        usable = [int(i) for i in np.flatnonzero(sane(found.quads))]
        lefts = {i: beside(quads[i]) if found.on_right(i) else quads[i] for i in usable}
        levels = pyramid(pixels)
        for _ in range(LOOKS):
            again = []
            for i, shift, leans[i], likely, seen[i] in self._look(levels, lefts, usable):
                left = moved(lefts[i], shift)
                quads[i], real[i] = beside(left, back=True) if leans[i] > 0 else left, likely
                if np.abs(shift).max() > FAR_OFF and likely >= least and sane(left[None])[0]:
                    lefts[i] = left
                    again.append(i)
            usable = again
        return Settled(aligned(Found(found.boxes, found.scores, quads), found.scores * real), real, seen, leans)

    def _look(
        self, levels: list[Pixels], lefts: dict[int, Floats], places: list[int]
    ) -> Iterator[tuple[int, Floats, float, float, Floats]]:
        """For each of ``places``: it, the shift (4, 2), the log odds that the index stands on the right, how likely it
        is real, and what is seen."""
        for start in range(0, len(places), BATCH):
            some = places[start : start + BATCH]
            windows = np.stack([cut_window(levels, lefts[i]) for i in some])[..., ::-1].transpose(0, 3, 1, 2)
            given = np.ascontiguousarray(windows, np.float32) / np.float32(255)
            answers = self._session.run(["shift", "right", "real", "seen"], {"windows": given})
            for i, shift, right, real, seen in zip(some, *answers, strict=True):
                yield i, shift.reshape(4, 2), float(right[0]), float(1 / (1 + np.exp(-real[0]))), seen
