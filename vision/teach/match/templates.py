"""What is kept of a taught picture for finding it: the parts of the card that show where others lie on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.values import Pixels

CARD = 72
"""Width in pixels of the rectified card on which pictures are compared: about that of a small card on a table."""
SOFTEN = 0.9
"""Sigma in pixels of the blur of both, since a table's picture is less sharp than a taught one."""
SIZES = (0.94, 1.0, 1.06)
"""A card's outline may be wrong by this factor."""


class Part(NamedTuple):
    """A part of a card, in card widths and heights: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float


CORNER = (Part(0.015, 0.01, 0.27, 0.3), Part(0.73, 0.01, 0.985, 0.3))
"""The index, in the left upper corner and in the right one."""
SIDE = (Part(0.015, 0.24, 0.2, 0.97), Part(0.8, 0.24, 0.985, 0.97))
"""What shows of a card in a row beside its index."""
TOP = (Part(0.22, 0.01, 0.985, 0.2), Part(0.015, 0.01, 0.78, 0.2))
"""What shows of a card in a column beside its index."""
REST = (Part(0.2, 0.2, 0.9, 0.85), Part(0.1, 0.2, 0.8, 0.85))
"""The middle of the card."""
PARTS = (CORNER, SIDE, TOP, REST)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """One end of one taught picture.

    ``face`` is what it shows; ``proportion`` the card's height in widths; ``parts`` the pieces of PARTS in the order of
    SIZES, each (height, width) grey: ``parts[right][part][size]``; ``contrasts`` their standard deviations.
    """

    face: Face
    proportion: float
    parts: tuple[tuple[tuple[Floats, ...], ...], ...]
    contrasts: tuple[tuple[tuple[float, ...], ...], ...]


def softened(grey: Pixels | Floats) -> Floats:
    """A picture as it is compared, (height, width) grey."""
    return floats(cv2.GaussianBlur(floats(grey), (0, 0), SOFTEN))


def _template(face: Face, picture: Pixels) -> Template:
    proportion = picture.shape[0] / picture.shape[1]
    sized = []
    for size in SIZES:
        width, height = round(CARD * size), round(CARD * proportion * size)
        grey = cv2.cvtColor(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        sized.append(softened(np.asarray(grey, np.uint8)))
    sides = []
    for right in range(2):
        pieces = []
        for part in PARTS:
            own = part[right]
            pieces.append(
                tuple(
                    np.ascontiguousarray(
                        grey[
                            round(own.top * grey.shape[0]) : round(own.bottom * grey.shape[0]),
                            round(own.left * grey.shape[1]) : round(own.right * grey.shape[1]),
                        ]
                    )
                    for grey in sized
                )
            )
        sides.append(tuple(pieces))
    contrasts = tuple(tuple(tuple(float(piece.std()) for piece in part) for part in side) for side in sides)
    return Template(face, proportion, tuple(sides), contrasts)


def templates(taught: Mapping[Face, Sequence[Pixels]]) -> tuple[Template, ...]:
    """Both ends of every taught picture, (height, width, 3) BGR."""
    return tuple(_template(face, end) for face, end in both_ends(taught))


def both_ends(taught: Mapping[Face, Sequence[Pixels]]) -> Iterator[tuple[Face, Pixels]]:
    """Every taught picture, (height, width, 3) BGR, as it is and turned by half a turn."""
    for face, pictures in taught.items():
        for picture in pictures:
            yield face, picture
            yield face, np.ascontiguousarray(picture[::-1, ::-1])
