"""Where a deck says its indices are printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.decks.deck_art import DeckArt, printed_mask
from scorer.faces import JOKER, Face


def _joker(deck: DeckArt, *marks: tuple[int, int, int, int]) -> DeckArt:
    """The deck with one joker: paper, with black ``marks`` (x0, y0, x1, y1 in pixels)."""
    picture = np.full((deck.height, deck.back.shape[1], 4), 255, np.uint8)
    for x0, y0, x1, y1 in marks:
        picture[y0:y1, x0:x1, :3] = 0
    return replace(deck, faces={**deck.faces, JOKER: (picture,)}, _level_cache={}, _joker_box_cache={})


def test_finds_a_joker_index_in_its_corner(deck: DeckArt) -> None:
    marked = _joker(deck, (20, 16, 44, 48), (90, 120, 150, 200))
    picture = marked.faces[JOKER][0]
    tall, wide = picture.shape[:2]
    assert marked.index_box(JOKER, picture, turned=False) == pytest.approx((20 / wide, 16 / tall, 44 / wide, 48 / tall))
    assert marked.index_box(JOKER, picture, turned=True) is None
    assert marked.index_box(Face("8", "H"), marked.faces[Face("8", "H")][0], turned=True) == deck.rank_box


def test_given_joker_box_applies_to_both_ends(deck: DeckArt) -> None:
    known = replace(_joker(deck, (90, 120, 150, 200)), joker_box=(0.1, 0.05, 0.2, 0.12))
    picture = known.faces[JOKER][0]
    assert {known.index_box(JOKER, picture, turned) for turned in (False, True)} == {known.joker_box}
    assert known.index_box(Face("8", "H"), known.faces[Face("8", "H")][0], turned=False) == deck.rank_box


def test_printed_mask_compares_with_the_median_inside_the_rounded_corners() -> None:
    rng = np.random.default_rng(2)
    for width in (7, 8):  # an odd and an even number of pixels
        picture = rng.integers(0, 256, (5, width, 4)).astype(np.uint8)
        opaque = picture[:, :, 3] > 200
        paper = np.median(picture[opaque][:, :3], axis=0)
        printed = (np.abs(picture[:, :, :3] - paper).max(2) > 60) & opaque
        assert printed.any() and np.array_equal(printed_mask(picture), printed)
