"""Reads of each still only the parts that changed, and keeps what was read of the others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Flags, Floats, floats
from vision.memory.joining import ON_ITSELF, SAME_PLACE, near_any, usual_width
from vision.memory.pictures.places import Places
from vision.memory.pictures.stills import LOOKS
from vision.memory.zones import Zone
from vision.values import Frame, Pixels, Reading, SeenCard

MARGIN = 1.2
"""Card widths around what changed and the cards that it touches: a new card shows all of itself, and its neighbours."""
MOST = 0.55
"""Share of the picture from which all of it is read at once: its parts are read at a larger scale, and cost more."""
WHOLE_EVERY = 30.0
"""Seconds after which all of it is read again, for what creeps so slowly that no two stills differ."""
SAME_INDEX = 0.2
"""Sizes of an index within which two readings of it lie, from different parts of the picture."""
_LEAST = 4
"""Changed pixels of the small copy that make a change; noise is seldom so many together."""
_JOIN = 9
"""Pixels of the small copy within which changes are one."""


Region = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the frame."""


class Read(Protocol):
    """Reads the cards in a picture."""

    def __call__(self, frame: Frame, /) -> Reading: ...


class PartReader:
    """Reads stills of one table one after another; each place ``LOOKS`` times after it changed.

    Args:
        read: reads a picture, of any size.
        places: of the stills, which another may see as well.
    """

    def __init__(self, read: Read, places: Places | None = None) -> None:
        self._read, self._places = read, places or Places()
        self._cards: tuple[SeenCard, ...] = ()
        self._read_at: list[float] = []
        self._whole_at = -np.inf

    def read(self, pixels: Pixels, second: float, zones: Sequence[Zone] = ()) -> tuple[Reading, tuple[Region, ...]]:
        """Reads a still, (height, width, 3) BGR.

        What changes outside the ``zones`` is not read; without zones all is.

        Returns:
            All cards that lie there, without groups and warnings, and the parts of the picture that were read for it;
            what lies ``inside`` none of them is as it was.
        """
        height, width = pixels.shape[:2]
        self._places.see(pixels, second)
        parts = self._changed_parts(pixels.shape, zones)
        if parts is None or second - self._whole_at >= WHOLE_EVERY:
            parts, self._whole_at = [(0, 0, width, height)], second
        self._read_at = [*self._read_at, second][-LOOKS:]
        seconds = 0.0
        for part in parts:
            seconds += self._read_part(pixels, part)
        return Reading(width, height, seconds, self._cards, (), ()), tuple(parts)

    def _changed_parts(self, shape: tuple[int, ...], zones: Sequence[Zone]) -> list[Region] | None:
        """The parts that changed since the look before the last ones; None where all of it is to be read."""
        if not self._cards:
            return None
        since = self._read_at[0] if len(self._read_at) == LOOKS else -np.inf
        changed = self._places.changed_since(since)
        if changed is None:
            return None
        scale, (height, width) = shape[1] / changed.shape[1], shape[:2]
        if zones:
            wanted = np.zeros(changed.shape, np.uint8)
            cv2.fillPoly(wanted, [np.round(floats(zone) / scale).astype(np.int32) for zone in zones], (1,))
            changed = changed & (wanted > 0)
        outlines = [floats(card.quad) for card in self._cards]
        margin = MARGIN * usual_width(outlines)
        parts = []
        for box in _regions(changed, scale):
            left, top, right, bottom = map(float, box)
            touched = [o for o in outlines if _overlap(box, _around(o))]
            for a, b, c, d in map(_around, touched):
                left, top, right, bottom = min(left, a), min(top, b), max(right, c), max(bottom, d)
            parts.append(
                (
                    max(int(left - margin), 0),
                    max(int(top - margin), 0),
                    min(int(right + margin), width),
                    min(int(bottom + margin), height),
                )
            )
        parts = _joined(parts)
        area = sum((right - left) * (bottom - top) for left, top, right, bottom in parts)
        return parts if area < MOST * height * width else None

    def _read_part(self, pixels: Pixels, part: Region) -> float:
        """Reads one part and puts what lies there in place of what was known; returns the seconds that it took."""
        left, top, right, bottom = part
        is_whole = (right - left, bottom - top) == (pixels.shape[1], pixels.shape[0])
        crop = pixels if is_whole else np.ascontiguousarray(pixels[top:bottom, left:right])
        reading = self._read(Frame(crop, datetime.now(UTC), "table"))
        if is_whole:
            self._cards = reading.cards
            return reading.seconds
        found = [card.moved(left, top) for card in reading.cards]
        is_in = [inside(floats(card.quad), [part], pixels.shape) for card in found]
        whole = [card for card, whole in zip(found, is_in, strict=True) if whole]
        cut = [card for card, whole in zip(found, is_in, strict=True) if not whole]
        kept = [
            card
            for card in self._cards
            if not inside(floats(card.quad), [part], pixels.shape) or (_same(card, cut) and not _lies_on(card, whole))
        ]
        cards = kept + [card for card in whole if not _lies_on(card, kept) and not _is_index_of(card, kept)]
        self._cards = tuple(sorted(cards, key=lambda card: (card.quad[0][1], card.quad[0][0])))
        return reading.seconds


def inside(outline: Floats, parts: Sequence[Region], shape: tuple[int, ...]) -> bool:
    """Whether an outline (4, 2) lies in one of the ``parts`` of a picture; they end not where the picture ends."""
    low, high = outline.min(0), outline.max(0)
    return any(
        (low[0] >= left or left <= 0)
        and (low[1] >= top or top <= 0)
        and (high[0] <= right or right >= shape[1])
        and (high[1] <= bottom or bottom >= shape[0])
        for left, top, right, bottom in parts
    )


def _same(card: SeenCard, others: Sequence[SeenCard]) -> bool:
    """Whether a card lies at the place of one of the others that has its face."""
    like = [floats(other.quad) for other in others if other.face == card.face]
    return near_any(floats(card.quad), like, SAME_PLACE)


def _lies_on(card: SeenCard, others: Sequence[SeenCard]) -> bool:
    """Whether a card is one of the others, whose suit may be read otherwise."""
    like = [floats(other.quad) for other in others if other.face.rank == card.face.rank]
    return _same(card, others) or near_any(floats(card.quad), like, ON_ITSELF)


def _is_index_of(card: SeenCard, others: Sequence[SeenCard]) -> bool:
    """Whether a card was made of an index of one of the others, which reaches out of the part that was read."""
    like = [one.box for other in others if other.face.rank == card.face.rank for one in other.corners]
    return bool(card.corners) and all(any(_same_box(one.box, box) for box in like) for one in card.corners)


def _same_box(a: Sequence[float], b: Sequence[float]) -> bool:
    apart = max(abs(a[0] + a[2] - b[0] - b[2]), abs(a[1] + a[3] - b[1] - b[3])) / 2
    return apart <= SAME_INDEX * max(a[2] - a[0], a[3] - a[1])


def _around(outline: Floats) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = outline.min(0), outline.max(0)
    return float(left), float(top), float(right), float(bottom)


def _overlap(a: Sequence[float], b: Sequence[float]) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _joined(parts: Sequence[Region]) -> list[Region]:
    """Parts of which none overlap; those that do are one."""
    made = list[Region]()
    for part in parts:
        while near := [other for other in made if _overlap(part, other)]:
            made = [other for other in made if other not in near]
            lefts, tops, rights, bottoms = zip(part, *near, strict=True)
            part = (min(lefts), min(tops), max(rights), max(bottoms))
        made.append(part)
    return made


def _regions(changed: Flags, scale: float) -> list[Region]:
    """The regions of what ``changed`` in a small copy, (height, width), in pixels of one ``scale`` times as large."""
    mask = changed.astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask, np.ones((_JOIN, _JOIN), np.uint8)))
    inside = np.bincount(labels[mask > 0], minlength=count)
    return [
        (round(x * scale), round(y * scale), round((x + w) * scale), round((y + h) * scale))
        for (x, y, w, h, _), pixels in zip(stats[1:], inside[1:], strict=True)
        if pixels >= _LEAST
    ]
