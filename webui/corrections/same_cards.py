"""Cards that several photos of one side show: each counts once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vision.groups.merge_photos import merge
from vision.values import Reading
from webui.corrections.side_table import SidePhoto

CardAt = tuple[int, int]
"""A photo's id and a card's place in its reading."""


def find_duplicates(photos: Sequence[SidePhoto]) -> dict[CardAt, CardAt]:
    """For each card that an earlier photo of the same cards shows as well, where it was seen first."""
    again: dict[CardAt, CardAt] = {}
    for player in {photo.player for photo in photos}:
        same = [photo for photo in photos if photo.player == player]
        if len(same) > 1:
            found = _matches(tuple(photo.reading for photo in same))
            again |= {(same[a].id, i): (same[b].id, j) for (a, i), (b, j) in found}
    return again


@lru_cache(maxsize=64)  # a page that is shown again need not look for the same cards again
def _matches(readings: tuple[Reading, ...]) -> tuple[tuple[CardAt, CardAt], ...]:
    """Pairs of (reading, card) places: a later sight of a card, and the first."""
    merged = merge(readings)
    matched = []
    for places in merged.sources:
        first, *later = sorted(places)
        matched += [(place, first) for place in later]
    left = merged.apart
    if len(left) > 1:  # photos that show nothing of the first may show the same cards among themselves
        matched += [
            ((left[a], i), (left[b], j)) for (a, i), (b, j) in _matches(tuple(readings[place] for place in left))
        ]
    return tuple(matched)
