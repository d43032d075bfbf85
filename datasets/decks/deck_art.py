"""A deck as pictures: every face at one size, and where its indices are printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Cutout
from datasets.decks.play import STANDARD_PLAY, Play
from scorer.faces import JOKER, STANDARD_FACES, Face

CARD_WIDTH = 240
"""Width of every card picture in pixels; tables show cards up to about this width."""

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1 in fractions of the card's width and height."""

Marks = tuple[Rect | None, Rect | None]
"""Where a picture's index stands at its own end and at the far end, the card then rotated; None: no index there."""

PLAIN_FACES = tuple(face for face in STANDARD_FACES if face != JOKER)


@dataclass(frozen=True)
class DeckArt:
    """The pictures of one deck.

    Attributes:
        faces: one or more pictures of each face (a deck has several jokers), (height, CARD_WIDTH, 4) BGRA.
        back: the back, (height, CARD_WIDTH, 4) BGRA.
        rank_box: where the rank of the top left index is printed.
        four_corners: the top right and bottom left corners carry an index too.
        one_ended: there is no index at the far end.
        joker_box: where a joker's index is printed; None to search each joker's corner for it.
        four_corner_jokers: like ``four_corners``, for the jokers.
        play: which of its faces lie together.
        marks: where the index of each picture of a face stands; a face that is not named has it where the fields above
            say.
        second_box: where the rank of a smaller second index in the upper right corner is printed, mirrored to the
            left; None if there is none.
        any_paper: its print may be lighter than its paper, or differ from it in hue alone.
    """

    name: str
    faces: dict[Face, tuple[Cutout, ...]]
    back: Cutout
    rank_box: Rect
    four_corners: bool
    one_ended: bool = False
    joker_box: Rect | None = None
    four_corner_jokers: bool = False
    play: Play = STANDARD_PLAY
    marks: Mapping[Face, tuple[Marks, ...]] = field(default_factory=dict)
    second_box: Rect | None = None
    any_paper: bool = False
    _level_cache: dict[int, tuple[Cutout, ...]] = field(default_factory=dict, repr=False, compare=False)
    _joker_box_cache: dict[tuple[int, bool], Rect | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def height(self) -> int:
        return int(self.back.shape[0])

    def with_back(self, back: Cutout) -> DeckArt:
        """Returns the deck with another back, (height, CARD_WIDTH, 4) BGRA."""
        return replace(self, back=back, _level_cache={}, _joker_box_cache={})

    def levels(self, picture: Cutout) -> tuple[Cutout, ...]:
        """Returns the picture at full, half, quarter and eighth size (mipmaps), to avoid aliasing of small cards."""
        cached = self._level_cache.get(id(picture))
        if cached is None:
            made = [picture]
            for _ in range(3):
                last = made[-1]
                size = (max(last.shape[1] // 2, 8), max(last.shape[0] // 2, 8))
                made.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
            cached = tuple(made)
            self._level_cache[id(picture)] = cached
        return cached

    def index_on_right(self, face: Face) -> tuple[bool, ...]:
        """Lists the upper corners in which ``face`` has an index: False for the left one, True for the right one."""
        both = self.four_corner_jokers if face == JOKER else self.four_corners or self.second_box is not None
        return (False, True) if both else (False,)

    def index_box(self, face: Face, picture: Cutout, turned: bool) -> Rect | None:
        """Returns where the rank of ``face`` is printed in the top left corner of ``picture``, after rotating the card
        by 180 degrees if ``turned``; None if that corner has no index, as on some jokers."""
        if face in self.marks:
            number = next(n for n, one in enumerate(self.faces[face]) if one is picture)
            return self.marks[face][number][int(turned)]
        if face != JOKER:
            return None if turned and self.one_ended else self.rank_box
        if self.joker_box is not None:
            return self.joker_box
        key = (id(picture), turned)
        if key not in self._joker_box_cache:
            self._joker_box_cache[key] = corner_mark(np.ascontiguousarray(picture[::-1, ::-1]) if turned else picture)
        return self._joker_box_cache[key]


def printed_mask(picture: Cutout) -> NDArray[np.uint8]:
    """Returns a (height, width) mask: 1 where something is printed, 0 on paper and outside the rounded corners."""
    opaque = np.asarray(picture[:, :, 3] > 200, np.uint8)
    differs = np.zeros(opaque.shape, bool)
    for channel in range(3):
        colour = np.ascontiguousarray(picture[:, :, channel])
        differs |= np.abs(colour.astype(np.float32) - _median(colour, opaque)) > 60
    return np.asarray(differs & (opaque > 0), np.uint8)


def _median(values: NDArray[np.uint8], where: NDArray[np.uint8]) -> float:
    """Returns the median of ``values`` (height, width) where ``where`` is not 0.

    From a histogram, which is much faster than sorting.
    """
    below = np.cumsum(cv2.calcHist([values], [0], where, [256], [0, 256]))
    low, high = np.searchsorted(below, [(below[-1] + 1) // 2, below[-1] // 2 + 1])
    return float(low + high) / 2


def corner_mark(joker: Cutout) -> Rect | None:
    """Finds the index in a joker's top left corner: first letters of a word, or a star; None for an empty corner."""
    height, width = joker.shape[:2]
    corner = printed_mask(joker)[: round(0.3 * height), : round(0.27 * width)]
    stats = cv2.connectedComponentsWithStats(corner)[2][1:]
    # skip lines along the edge, specks, and a figure that reaches in from the middle
    marks = np.asarray(
        [
            (x, y, x + w, y + h)
            for x, y, w, h, area in stats
            if min(w, h) > 0.025 * width and x < 0.24 * width and y < 0.22 * height and h < 0.28 * height
        ],
        np.float64,
    )
    if not len(marks):
        return None
    x0, y0 = marks[:, :2].min(0)
    near = marks[(marks[:, 0] < x0 + 0.16 * width) & (marks[:, 1] < y0 + 0.16 * height)]
    x1, y1 = np.minimum(near[:, 2:].max(0), (x0 + 0.2 * width, y0 + 0.18 * height))
    return float(x0 / width), float(y0 / height), float(x1 / width), float(y1 / height)


def rounded_alpha(height: int, width: int, radius: float) -> NDArray[np.uint8]:
    """Returns an opaque (height, width) mask with rounded corners of ``radius`` pixels."""
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    r = max(round(radius * scale), 1)
    h, w = mask.shape
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
