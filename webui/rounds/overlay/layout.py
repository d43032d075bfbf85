"""Places tags over a photo, each beside what it names and off the printed indices and the other tags.

Tags are placed one after the other, the most important first: each goes to the nearest free place beside its card,
or beside a card of its group. What finds none is left out, unless it must be shown.
Nothing is left to chance: the same photo always gets the same tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webui.rounds.overlay.outlines import Box
from webui.rounds.overlay.text_size import TEXT, tag_size

Floats = NDArray[np.float64]

_MISLEADING = 3
"""How much worse it is to lie on a card of another group than on one of its own."""
_NEAR, _FAR = range(1, 28, 3), range(1, 200, 3)
"""Pixels between a tag and what it names; those of one that must be shown."""
_ALONG = ((0, 0), (0.25, -0.25), (0.5, -0.5), (0.75, -0.75), (1, -1), (0, -0.7), (1, -0.3))
"""Where a tag stands along an edge: at a share of the edge, moved by a share of itself."""
_EDGES = ((1, 0, 1), (0, -1, -1))
"""The far edge and the near one: the share of the box, of the tag, and which way is away from it."""
_PLACES = np.array(
    [((at, share), (by, shift), (way, 0)) for at, by, way in _EDGES for share, shift in _ALONG]
    + [((share, at), (shift, by), (0, way)) for at, by, way in _EDGES for share, shift in _ALONG]
)
_SHARE, _SHIFT, _AWAY = _PLACES[:, 0], _PLACES[:, 1], _PLACES[:, 2]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tag to place.

    Attributes:
        key: the id of the card or group that it names.
        texts: what it says, the first that finds a free place.
        targets: boxes of what it names, in photo pixels; it is placed beside one of them.
        strange: boxes of cards of other groups, on which it would mislead.
        must: whether it is never left out.
    """

    key: str
    texts: tuple[str, ...]
    targets: tuple[Box, ...]
    strange: tuple[Box, ...] = ()
    must: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies in a photo of ``width`` x ``height``, in its pixels: printed indices, and cards."""

    width: int
    height: int
    indices: tuple[Box, ...]
    cards: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """A placed tag: its text and its box."""

    key: str
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Layout:
    """Tags for a photo that is shown at least ``width`` CSS pixels wide; all places are in those pixels.

    ``scale`` is the number of photo pixels to one of them, ``text`` the size of the type.
    """

    width: int
    scale: float
    text: float
    tags: tuple[Tag, ...]


def lay_out(scene: Scene, wanted: Sequence[Wanted], width: int, text: float = TEXT) -> Layout:
    """Places tags, in the given order, for a photo shown ``width`` CSS pixels wide."""
    shown = _Shown(scene, width)
    placed = [tag for one in wanted if (tag := shown.place(one, text)) is not None]
    return Layout(width, shown.scale, text, tuple(placed))


class _Shown:
    """The photo at one width, with the tags placed so far; boxes are in CSS pixels at that width."""

    def __init__(self, scene: Scene, width: int) -> None:
        self.scale = scene.width / width
        self._limits = np.array([width, scene.height / self.scale])
        self._indices, self._cards = self._boxes(scene.indices), self._boxes(scene.cards)
        self._taken = self._indices

    def place(self, wanted: Wanted, text: float) -> Tag | None:
        """The tag at its best place, None where it finds none and may be left out."""
        found = None
        for words in wanted.texts:
            found = self._nearest(wanted, np.array(tag_size(words, text)))
            if found is not None:
                break
        else:
            if wanted.must:
                found = _beside(self._boxes(wanted.targets), np.array(tag_size(words, text)), self._limits, 1)[0]
        if found is None:
            return None
        self._taken = np.concatenate([self._taken, found[None]])
        x0, y0, x1, y1 = map(float, found)
        return Tag(wanted.key, words, (x0, y0, x1, y1))

    def _nearest(self, wanted: Wanted, size: Floats) -> Floats | None:
        """The nearest place where a tag covers no index and no other tag; of those as near, where it covers least."""
        targets, strange = self._boxes(wanted.targets), self._boxes(wanted.strange)
        for gap in _FAR if wanted.must else _NEAR:
            places = _beside(targets, size, self._limits, gap)
            places = places[_shared(places, self._taken) == 0]
            if not wanted.must:
                places = places[_is_nearest(places, targets, self._indices)]
            if len(places):
                covers = _shared(places, self._cards) + _MISLEADING * _shared(places, strange)
                return np.asarray(places[covers.argmin()])
        return None

    def _boxes(self, boxes: Sequence[Box]) -> Floats:
        """Boxes in CSS pixels, (n, 4)."""
        return np.array(boxes, np.float64).reshape(-1, 4) / self.scale


def _beside(targets: Floats, size: Floats, limits: Floats, gap: float) -> Floats:
    """Places for a tag of a size at a distance from boxes, (n, 4), all of them inside the photo."""
    low, high = targets[:, None, :2], targets[:, None, 2:]
    upper = (low + _SHARE * (high - low) + _SHIFT * size + _AWAY * gap).reshape(-1, 2)
    upper = np.clip(upper, 0, np.maximum(limits - size, 0))
    return np.concatenate([upper, upper + size], 1)


def _is_nearest(places: Floats, targets: Floats, indices: Floats) -> NDArray[np.bool_]:
    """Whether no index is nearer to the middle of each place, (n, 4), than those of its own card."""
    own, nearest = (_distances(places, boxes) for boxes in (targets, indices))
    return np.asarray(own <= nearest + 0.01)


def _distances(places: Floats, boxes: Floats) -> Floats:
    """How far the nearest box is from the middle of each place, (n, 4)."""
    middles = ((places[:, :2] + places[:, 2:]) / 2)[:, None]
    outside = np.maximum(0, np.maximum(boxes[None, :, :2] - middles, middles - boxes[None, :, 2:]))
    return np.asarray(np.hypot(outside[..., 0], outside[..., 1]).min(1))


def _shared(places: Floats, boxes: Floats) -> Floats:
    """The area that each place, (n, 4), shares with boxes, those that overlap counted each."""
    left, top, right, bottom = places.T[:, :, None]
    width = np.minimum(right, boxes[:, 2]) - np.maximum(left, boxes[:, 0])
    height = np.minimum(bottom, boxes[:, 3]) - np.maximum(top, boxes[:, 1])
    return np.asarray((np.maximum(0, width) * np.maximum(0, height)).sum(1), np.float64)
