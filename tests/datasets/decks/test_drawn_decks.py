"""Drawn decks and their new jokers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.decks import drawn_decks
from datasets.decks.deck_art import DeckArt, printed_mask
from datasets.decks.drawn_decks import (
    MIN_INK_LEFT,
    VARIED_JOKERS,
    _render_text,
    draw_deck,
    with_new_jokers,
)
from datasets.decks.signs import fonts, glyph
from datasets.decks.styles import random_style
from scorer.faces import JOKER, STANDARD_FACES, Face


def test_drawn_deck_has_every_face_and_is_reproducible(deck: DeckArt) -> None:
    assert set(deck.faces) == set(STANDARD_FACES)
    again = draw_deck("test", 5)
    assert all(np.array_equal(deck.faces[face][0], again.faces[face][0]) for face in STANDARD_FACES)
    other = draw_deck("test", 6)
    assert not np.array_equal(deck.faces[Face("8", "H")][0], other.faces[Face("8", "H")][0])


def test_every_face_looks_different(deck: DeckArt) -> None:
    corners = {pictures[0][:120, :80].tobytes() for face, pictures in deck.faces.items() if face != JOKER}
    assert len(corners) == 52


def test_rank_is_printed_in_the_rank_box(deck: DeckArt) -> None:
    x0, y0, x1, y1 = deck.rank_box
    for face, pictures in deck.faces.items():
        if face == JOKER:
            continue
        picture = pictures[0][:, :, :3].astype(int)
        height, width = picture.shape[:2]
        box = picture[round(y0 * height) : round(y1 * height), round(x0 * width) : round(x1 * width)]
        assert np.abs(box - np.median(picture[:9, 20:200], axis=(0, 1))).max() > 80, face


def test_thinning_keeps_a_minimum_of_ink() -> None:
    style = random_style(np.random.default_rng(2), held_out=False)
    for font in fonts(held_out=False):
        for letter in ("A", "8", "J"):
            thinned = _render_text(replace(style, font=font, stroke=-3, lean=0.0), letter)
            printed = (glyph(font, letter) > 127).mean()
            assert (thinned > 127).mean() >= min(printed, MIN_INK_LEFT)


@pytest.mark.parametrize(("odd", "makes"), [(0.0, 2), (1.0, VARIED_JOKERS)])
def test_new_jokers_keep_the_paper_and_all_other_faces(
    deck: DeckArt, odd: float, makes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn_decks, "VARIED_JOKER_SHARE", odd)
    marked = replace(deck, joker_box=(0.1, 0.1, 0.2, 0.2), four_corners=True, four_corner_jokers=True)
    one, again, other = (with_new_jokers(marked, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert len(one.faces[JOKER]) == makes
    for picture, same, another, was in zip(*(d.faces[JOKER] for d in (one, again, other, deck)), strict=False):
        assert picture.shape == was.shape
        assert (picture == same).all() and (picture != another).any() and (picture != was).any()
        rim = np.concatenate([picture[:2, 40:-40, :3], picture[-2:, 40:-40, :3]])
        assert (np.median(rim, axis=(0, 1)) == np.median(was[:, :, :3], axis=(0, 1))).all()
        assert (picture[:, :, 3] == was[:, :, 3]).all()
    assert one.joker_box is None and one.four_corners
    assert {face: art for face, art in one.faces.items() if face != JOKER} == {
        face: art for face, art in deck.faces.items() if face != JOKER
    }
    bare = replace(deck, faces={face: art for face, art in deck.faces.items() if face != JOKER})
    assert len(with_new_jokers(bare, np.random.default_rng(1)).faces[JOKER]) == makes


@pytest.mark.parametrize("four", [False, True])
def test_new_jokers_have_two_or_four_indices(deck: DeckArt, four: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_decks, "FOUR_CORNER_SHARE", float(four))
    monkeypatch.setattr(drawn_decks, "VARIED_JOKER_SHARE", 0.0)
    bare = 0
    for seed in range(12):
        given = with_new_jokers(deck, np.random.default_rng(seed))
        assert given.index_on_right(JOKER) == ((False, True) if four else (False,))
        for picture in given.faces[JOKER]:
            box = given.index_box(JOKER, picture, turned=False)
            assert box is not None
            x0, y0, x1, y1 = box
            tall, wide = picture.shape[:2]
            above, below = round(y0 * tall), round(y1 * tall)
            left = printed_mask(picture)[above:below, round(x0 * wide) : round(x1 * wide)].mean()
            right = printed_mask(picture)[above:below, round((1 - x1) * wide) : round((1 - x0) * wide)].mean()
            assert left > 0.08 and (not four or right == pytest.approx(left, abs=0.1)), seed
            bare += bool(right < left / 2)
    assert bare == 0 if four else bare > 12
