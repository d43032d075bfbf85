"""Finds cards that several photos of one side show, so that each counts once, and those on whose face they disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from vision.doubts import is_sure_of_face
from vision.groups.merge_photos import combined, merge
from vision.values import Reading, SeenCard
from webui.corrections.side_table import SidePhoto

CardKey = tuple[int, int]
"""A photo's id and a card's index in its reading."""


@dataclass(frozen=True, slots=True)
class SameCards:
    """Cards that several photos of the same area show.

    ``duplicates`` maps each card that an earlier photo shows too to its first appearance; ``disputed`` the first
    appearance of a card whose photos disagree on its face to the card as all of them show it, in doubt.
    """

    duplicates: Mapping[CardKey, CardKey]
    disputed: Mapping[CardKey, SeenCard]


def find_same_cards(photos: Sequence[SidePhoto]) -> SameCards:
    """Compares the photos of each area of a side, which are in the order in which they were taken."""
    duplicates: dict[CardKey, CardKey] = {}
    for player in {photo.player for photo in photos}:
        same_area = [photo for photo in photos if photo.player == player]
        if len(same_area) > 1:
            matches = _matches(tuple(photo.reading for photo in same_area))
            duplicates |= {(same_area[a].id, i): (same_area[b].id, j) for (a, i), (b, j) in matches}
    cards = {(photo.id, index): card for photo in photos for index, card in enumerate(photo.reading.cards)}
    looks: dict[CardKey, list[SeenCard]] = defaultdict(list)
    for later, first in duplicates.items():
        looks[first].append(cards[later])
    disputed = {
        first: _as_all_show_it(cards[first], later)
        for first, later in looks.items()
        if any(card.face != cards[first].face for card in later)
    }
    return SameCards(duplicates, disputed)


def _as_all_show_it(first: SeenCard, later: Sequence[SeenCard]) -> SeenCard:
    """A card that photos disagree about: with the first one's face if that was sure, or else the likeliest."""
    card = combined([first, *later])
    if card.face == first.face or not is_sure_of_face(first.doubt):
        return card
    others = ((card.face, card.confidence), *(other for other in card.others if other[0] != first.face))
    return replace(card, face=first.face, others=others)


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
