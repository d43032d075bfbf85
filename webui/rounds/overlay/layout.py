"""Places tags over a photo so that none covers a printed index or another tag.

Tags are placed one after the other, the most important first: each goes to the free place that costs least, near what
it names and off the cards; further away, a line leads to it. What must be shown and finds no place goes to a strip
below the photo. Nothing is left to chance: the same photo always gets the same tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.values import Point
from webui.rounds.overlay.ground import Floats, Ground
from webui.rounds.overlay.outlines import Box
from webui.rounds.overlay.text_size import TEXT, tag_size

_FINEST = 420
"""The greatest width, in CSS pixels, at which a cell of the grid is one pixel."""
_FINE, _COARSE = 2, 4
"""Every how many cells a place is tried, beside a card and further away."""
_INDEX_SQUARE, _CARD_SQUARE = 4, 10
"""The side, in cells, of the squares of which it is known what index, and what card, lies nearest."""
_MOST_TARGETS = 8
"""Of a group with more cards, so many are measured to."""
_BESIDE, _AROUND = 2.0, 7.0
"""How far from its index a name may lie, and where a group's tag is looked for at first, in sizes of the text."""
_BESIDE_LARGE = 0.75
"""How far from a large index a name may lie, by the size of the index."""
_TOUCHING = 0.6
"""A tag within so many sizes of its text needs no line."""
_SHARED = 1.5
"""What it costs to lie wholly over one card, in sizes of the text; to a group's tag four times as much."""
_AMBIGUOUS = 2.0
"""What it costs to lie nearer to another card, or wholly on a card of another group, in sizes of the text."""
_TRIED, _ON_LINE = 100, 64
"""Of the cheapest places, how many are tried for a line that crosses nothing; points of a line that are looked at."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tag to place.

    Attributes:
        key: the id of the card or group that it names.
        texts: what it says, the first that finds room.
        targets: boxes of what it names, in photo pixels; it is placed near one of them.
        ends: points, in photo pixels, where a line to it may end.
        strange: boxes of cards of other groups, on which a card's name would mislead.
        is_group: whether it names a group; such a tag may lie far away, and stays off all cards where it can.
        must: whether it is never left out.
    """

    key: str
    texts: tuple[str, ...]
    targets: tuple[Box, ...]
    ends: tuple[Point, ...]
    strange: tuple[Box, ...] = ()
    is_group: bool = False
    must: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies in a photo of ``width`` x ``height``, in its pixels.

    ``indices`` are never covered. ``cards`` and ``corners``, where an index may stand that was not read, are covered
    only where nothing else is free.
    """

    width: int
    height: int
    indices: tuple[Box, ...]
    cards: tuple[Box, ...]
    corners: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Tag:
    """A placed tag: its text, its box, and the line from the box to what it names, where it needs one."""

    key: str
    text: str
    box: Box
    line: tuple[Point, Point] | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Tags for a photo that is shown at least ``width`` CSS pixels wide; all places are in those pixels.

    ``scale`` is the number of photo pixels to one of them, ``strip`` the height of the strip below the photo, ``text``
    the size of the type.
    """

    width: int
    scale: float
    strip: float
    text: float
    tags: tuple[Tag, ...]


def lay_out(scene: Scene, wanted: Sequence[Wanted], width: int, text: float = TEXT) -> Layout:
    """Places tags, in the given order, for a photo shown ``width`` CSS pixels wide."""
    shown = _Shown(scene, width, text)
    placed = [shown.place(one) for one in wanted]
    return Layout(width, shown.scale, shown.strip, text, tuple(tag for tag in placed if tag is not None))


class _Shown:
    """The photo at one width, with the tags placed so far; what is called shown is in CSS pixels at that width."""

    def __init__(self, scene: Scene, width: int, text: float) -> None:
        self.scale, self._text = scene.width / width, text
        self._width, self._height = float(width), scene.height / self.scale
        self._ground = Ground(self._width, self._height, max(1.0, width / _FINEST))
        self._ground.burden(self._boxes(scene.cards), 1)
        self._ground.burden(self._boxes(scene.corners), 2)
        for row in self._boxes(scene.indices):
            self._ground.take(_box(row))
        self._of_indices = self._territory(scene.indices, _INDEX_SQUARE)
        self._of_cards = self._territory(scene.cards, _CARD_SQUARE)
        self.strip = self._strip_end = 0.0

    def place(self, wanted: Wanted) -> Tag | None:
        """The tag at its best place, None where it finds none and may be left out."""
        every = -(-len(wanted.targets) // _MOST_TARGETS)
        targets = self._boxes(wanted.targets[::every])
        ends = np.array(wanted.ends, np.float64).reshape(-1, 2) / self.scale
        for text in wanted.texts:
            found = self._search(wanted, targets, ends, tag_size(text, self._text))
            if found is not None:
                box, line = found
                self._ground.take(box)
                if line is not None:
                    self._ground.take_line(*line)
                return Tag(wanted.key, text, box, line)
        return self._in_strip(wanted, ends) if wanted.must else None

    def _search(
        self, wanted: Wanted, targets: Floats, ends: Floats, size: Point
    ) -> tuple[Box, tuple[Point, Point] | None] | None:
        """The best box for a tag of a size, with its line."""
        is_free = wanted.must or wanted.is_group
        reach = _AROUND * self._text if wanted.is_group else self._beside(targets)
        left, top = targets[:, 0].min() - size[0] - reach, targets[:, 1].min() - size[1] - reach
        near = (left, top, targets[:, 2].max() + reach, targets[:, 3].max() + reach)
        found = self._best(wanted, targets, ends, size, near, _COARSE if wanted.is_group else _FINE)
        if found is None and is_free:
            found = self._best(wanted, targets, ends, size, (0.0, 0.0, self._width, self._height), _COARSE)
        return found

    def _best(
        self, wanted: Wanted, targets: Floats, ends: Floats, size: Point, window: Box, step: int
    ) -> tuple[Box, tuple[Point, Point] | None] | None:
        left, top, under = self._ground.places(size, window, step)
        is_own = (self._of_cards if wanted.is_group else self._of_indices).is_nearest(
            left + size[0] / 2, top + size[1] / 2, wanted.targets
        )
        if not (wanted.must or wanted.is_group):
            left, top, under, is_own = left[is_own], top[is_own], under[is_own], is_own[is_own]
        if not left.size:
            return None
        gap, middles = _gaps(left, top, size, targets)
        cost = gap + 0.1 * middles + under * _SHARED * self._text * (4 if wanted.is_group else 1)
        cost += np.where(is_own, 0, _AMBIGUOUS * self._text)
        order = np.argsort(cost, kind="stable")[:_TRIED]
        if wanted.strange:
            shares = _shares(left[order], top[order], size, self._boxes(wanted.strange))
            order = order[np.argsort(cost[order] + shares * _AMBIGUOUS * self._text, kind="stable")]
        chosen, line = order[0], None
        if not (wanted.must or wanted.is_group):
            is_beside = gap[chosen] <= self._beside(targets)
            return (_placed(left[chosen], top[chosen], size), None) if is_beside else None
        if not is_own[chosen] or gap[chosen] > _TOUCHING * self._text:
            starts, aims = _lines(left[order], top[order], size, ends)
            best = int(np.argmin(self._crossed(starts, aims)))
            chosen, line = order[best], (_point(starts[best]), _point(aims[best]))
        return _placed(left[chosen], top[chosen], size), line

    def _beside(self, targets: Floats) -> float:
        """How far from one of these indices a name may lie."""
        return max(_BESIDE * self._text, _BESIDE_LARGE * float((targets[:, 3] - targets[:, 1]).max()))

    def _territory(self, boxes: Sequence[Box], side: int) -> _Territory:
        return _Territory(boxes, self._boxes(boxes), self._width, self._height, side * self._ground.cell)

    def _crossed(self, starts: Floats, aims: Floats) -> Floats:
        """How many points of each line lie on an index or a tag; its last bit may touch what it leads to."""
        lengths = np.hypot(*(aims - starts).T)
        whole = (1 - np.minimum(1, 2 * self._ground.cell / np.maximum(lengths, 1e-6)))[:, None, None]
        points = starts[:, None] + (aims - starts)[:, None] * np.linspace(0, 1, _ON_LINE)[None, :, None] * whole
        return np.asarray(self._ground.is_taken(points[..., 0], points[..., 1]).sum(1), np.float64)

    def _in_strip(self, wanted: Wanted, ends: Floats) -> Tag:
        """A place in the strip below the photo, which grows by a line where its last one is full."""
        text = wanted.texts[-1]
        wide, high = tag_size(text, self._text)
        if not self.strip or self._strip_end + wide > self._width:
            self.strip, self._strip_end = self.strip + high + 2, 0.0
        x, y = self._strip_end, self._height + self.strip - high
        self._strip_end = x + wide + 2
        starts, aims = _lines(np.array([x]), np.array([y]), (wide, high), ends)
        return Tag(wanted.key, text, (x, y, x + wide, y + high), (_point(starts[0]), _point(aims[0])))

    def _boxes(self, boxes: Sequence[Box]) -> Floats:
        """Boxes in CSS pixels, (n, 4)."""
        return np.array(boxes, np.float64).reshape(-1, 4) / self.scale


class _Territory:
    """Which of some boxes is nearest to a place, by squares of the picture."""

    def __init__(self, boxes: Sequence[Box], shown: Floats, width: float, height: float, side: float) -> None:
        self._side, self._number = side, {box: number for number, box in reversed(list(enumerate(boxes)))}
        columns, rows = np.arange(side / 2, width + side, side), np.arange(side / 2, height + side, side)
        if not len(shown):
            self._nearest = np.full((len(rows), len(columns)), -1)
            return
        x0, y0, x1, y1 = shown.astype(np.float32).T[:, :, None]
        across = np.maximum(0, np.maximum(x0 - columns, columns - x1)) ** 2
        down = np.maximum(0, np.maximum(y0 - rows, rows - y1)) ** 2
        self._nearest = (down[:, :, None] + across[:, None]).argmin(0)

    def is_nearest(self, x: Floats, y: Floats, boxes: Sequence[Box]) -> NDArray[np.bool_]:
        """Whether one of these boxes is the nearest to each point."""
        nearest = self._nearest[(y / self._side).astype(np.intp), (x / self._side).astype(np.intp)]
        own = np.zeros(len(self._number) + 1, np.bool_) if not self._number else self._mine(boxes)
        return np.asarray(own[nearest])

    def _mine(self, boxes: Sequence[Box]) -> NDArray[np.bool_]:
        mine = np.zeros(max(self._number.values()) + 1, np.bool_)
        mine[[self._number[box] for box in boxes if box in self._number]] = True
        return mine


def _gaps(left: Floats, top: Floats, size: Point, boxes: Floats) -> tuple[Floats, Floats]:
    """The distance of each place, (n,), to the nearest of some boxes, and that to the nearest middle of one."""
    if not len(boxes):
        return np.full(left.shape, np.inf), np.zeros(left.shape)
    x0, y0, x1, y1 = boxes.T[:, :, None]
    across = np.maximum(0, np.maximum(x0 - (left + size[0]), left - x1))
    down = np.maximum(0, np.maximum(y0 - (top + size[1]), top - y1))
    middles = np.hypot((x0 + x1) / 2 - (left + size[0] / 2), (y0 + y1) / 2 - (top + size[1] / 2))
    return np.hypot(across, down).min(0), middles.min(0)


def _shares(left: Floats, top: Floats, size: Point, boxes: Floats) -> Floats:
    """For each place, (n,), the share of the tag that lies on boxes; more than one where these overlap."""
    around = (boxes[:, :2] < [left.max() + size[0], top.max() + size[1]]) & (boxes[:, 2:] > [left.min(), top.min()])
    x0, y0, x1, y1 = boxes[around.all(1)].T[:, :, None]
    across = np.minimum(x1, left + size[0]) - np.maximum(x0, left)
    down = np.minimum(y1, top + size[1]) - np.maximum(y0, top)
    shared: Floats = (np.maximum(0, across) * np.maximum(0, down)).sum(0) / (size[0] * size[1])
    return shared


def _lines(left: Floats, top: Floats, size: Point, ends: Floats) -> tuple[Floats, Floats]:
    """For each place, (n,), the shortest line from the tag's edge to an end: where it starts, where it ends, (n, 2)."""
    upper = np.stack([left, top], 1)[:, None]
    starts = np.clip(ends[None], upper, upper + np.array(size))
    nearest = np.hypot(*np.moveaxis(starts - ends[None], 2, 0)).argmin(1)
    return starts[np.arange(len(left)), nearest], ends[nearest]


def _placed(left: float, top: float, size: Point) -> Box:
    return float(left), float(top), float(left) + size[0], float(top) + size[1]


def _box(row: Floats) -> Box:
    return float(row[0]), float(row[1]), float(row[2]), float(row[3])


def _point(row: Floats) -> Point:
    return float(row[0]), float(row[1])
