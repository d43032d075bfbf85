"""Finds cards that several photos of one side show, so that each counts once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vision.groups.merge_photos import merge
from vision.values import Reading
from webui.corrections.side_table import SidePhoto

CardKey = tuple[int, int]
"""A photo's id and a card's index in its reading."""


def find_duplicates(photos: Sequence[SidePhoto]) -> dict[CardKey, CardKey]:
    """Maps each card that an earlier photo of the same area shows too to its first appearance."""
    duplicates: dict[CardKey, CardKey] = {}
    for player in {photo.player for photo in photos}:
        same_area = [photo for photo in photos if photo.player == player]
        if len(same_area) > 1:
            matches = _matches(tuple(photo.reading for photo in same_area))
            duplicates |= {(same_area[a].id, i): (same_area[b].id, j) for (a, i), (b, j) in matches}
    return duplicates


@lru_cache(maxsize=64)  # a page is often shown again with the same photos
def _matches(readings: tuple[Reading, ...]) -> tuple[tuple[CardKey, CardKey], ...]:
    """Pairs of (reading index, card index): a later appearance of a card, and the first."""
    merged = merge(readings)
    matches = []
    for appearances in merged.sources:
        first, *later = sorted(appearances)
        matches += [(appearance, first) for appearance in later]
    left = merged.apart
    if len(left) > 1:  # photos that share nothing with the first may share cards with each other
        matches += [
            ((left[a], i), (left[b], j)) for (a, i), (b, j) in _matches(tuple(readings[index] for index in left))
        ]
    return tuple(matches)
