"""The decks that tables are drawn from."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from datasets.decks import drawn_decks, jokers, varied_jokers
from datasets.decks import fonts as lettering
from datasets.decks.deck_art import CARD_WIDTH, DeckArt, printed_mask
from datasets.decks.drawn_decks import MIN_INK_LEFT, VARIED_JOKERS, _lettered, _style, draw_deck, with_new_jokers
from datasets.decks.fonts import NoFontsError, fonts, glyph
from datasets.decks.shapes import Mask
from datasets.decks.splits import NEW_SHARE, default_cache, sample_deck
from datasets.decks.svg_decks import SVG_DECKS, DeckSourceError, load_svg_deck
from datasets.scenes.layouts import SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import JOKER, Face

try:
    fonts(held_out=False)
except NoFontsError as problem:
    pytest.skip(str(problem), allow_module_level=True)


def _joker(deck: DeckArt, *marks: tuple[int, int, int, int]) -> DeckArt:
    """The deck with one joker: paper, with black ``marks`` (x0, y0, x1, y1 in pixels)."""
    picture = np.full((deck.height, deck.back.shape[1], 4), 255, np.uint8)
    for x0, y0, x1, y1 in marks:
        picture[y0:y1, x0:x1, :3] = 0
    return replace(deck, faces={**deck.faces, JOKER: (picture,)}, _level_cache={}, _joker_box_cache={})


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return draw_deck("drawn-5", 5)


def test_a_jokers_index_is_where_its_corner_is_marked(deck: DeckArt) -> None:
    marked = _joker(deck, (20, 16, 44, 48), (90, 120, 150, 200))
    picture = marked.faces[JOKER][0]
    tall, wide = picture.shape[:2]
    assert marked.index_box(JOKER, picture, turned=False) == pytest.approx((20 / wide, 16 / tall, 44 / wide, 48 / tall))
    assert marked.index_box(JOKER, picture, turned=True) is None
    assert marked.index_box(Face("8", "H"), marked.faces[Face("8", "H")][0], turned=True) == deck.rank_box


@pytest.mark.parametrize(("marks", "readable"), [([(20, 16, 44, 48)], 1), ([(90, 120, 150, 200)], 0)])
def test_a_joker_without_a_marked_corner_may_be_guessed_and_need_not_be_read(
    deck: DeckArt, marks: list[tuple[int, int, int, int]], readable: int
) -> None:
    shown = _joker(deck, *marks)
    lying = SceneCard(shown, JOKER, shown.faces[JOKER][0], 0.0, 0.0, 0.0, 0, "single")
    table = draw_table(
        np.random.default_rng(1), [shown], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, placed=[lying]
    )
    assert len(table.indices) == len(table.cards) == readable
    assert len(table.partial) == 1 - readable


@pytest.mark.parametrize("jokers", [False, True])
def test_jokers_have_as_many_indices_as_are_marked_whatever_other_cards_have(deck: DeckArt, jokers: bool) -> None:
    marks = [(20, 16, 44, 48), (CARD_WIDTH - 44, 16, CARD_WIDTH - 20, 48)][: 1 + jokers]
    shown = replace(_joker(deck, *marks), four_corners=not jokers, four_corner_jokers=jokers)
    jack = Face("J", "D")
    for face, indices in ((JOKER, 1 + jokers), (jack, 2 if jokers else 4)):
        lying = SceneCard(shown, face, shown.faces[face][0], 0.0, 0.0, 0.0, 0, "single")
        table = draw_table(
            np.random.default_rng(1), [shown], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, placed=[lying]
        )
        known = [*table.indices, *table.doubtful, *table.covered]
        assert len(table.indices) == len(known) == indices, face


def test_a_joker_whose_mark_is_known_has_it_at_both_ends(deck: DeckArt) -> None:
    known = replace(_joker(deck, (90, 120, 150, 200)), joker_box=(0.1, 0.05, 0.2, 0.12))
    picture = known.faces[JOKER][0]
    assert {known.index_box(JOKER, picture, turned) for turned in (False, True)} == {known.joker_box}
    assert known.index_box(Face("8", "H"), known.faces[Face("8", "H")][0], turned=False) == deck.rank_box


@pytest.mark.parametrize(("grey", "readable"), [(60, 1), (250, 0)])
def test_an_index_is_as_readable_as_its_own_contrast_whatever_lies_beside_it(
    deck: DeckArt, grey: int, readable: int
) -> None:
    """Turned, a box round the mark holds much of what is printed beside it."""
    shown = _joker(deck, (46, 10, 80, 54))
    picture = shown.faces[JOKER][0]
    picture[16:48, 20:44, :3] = grey
    tall, wide = picture.shape[:2]
    shown = replace(shown, joker_box=(20 / wide, 16 / tall, 44 / wide, 48 / tall))
    # its other end lies outside the picture
    lying = SceneCard(shown, JOKER, picture, 35.0, 70.0, np.pi / 4, 0, "single")
    table = draw_table(
        np.random.default_rng(1), [shown], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, placed=[lying]
    )
    assert len(table.indices) == readable
    assert [index.face for index in table.doubtful] == [JOKER] * (1 - readable)


def test_jokers_are_lettered_with_letters_alone_which_every_font_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()

    def noted(font: Path, text: str) -> Mask:
        asked.add(text)
        return glyph(font, text)

    monkeypatch.setattr(jokers, "glyph", noted)
    monkeypatch.setattr(varied_jokers, "glyph", noted)
    font, alpha = fonts(held_out=False)[0], np.full((336, CARD_WIDTH), 255, np.uint8)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        jokers.draw_joker(rng, 336, (255, 255, 255), (0, 0, 0), font, [font])
        varied_jokers.draw_varied_joker(rng, alpha, (255, 255, 255), [font], [], four_corners=False)
    assert {"JOKER", "JK", "J", "O", "K", "E", "R"} <= asked
    assert "".join(asked).isalpha() and "".join(asked).isascii()


@pytest.mark.parametrize(("odd", "makes"), [(0.0, 2), (1.0, VARIED_JOKERS)])
def test_a_deck_gets_other_jokers_on_its_own_paper_and_keeps_all_else(
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
def test_some_new_jokers_are_marked_in_all_four_corners(
    deck: DeckArt, four: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn_decks, "FOUR_CORNER_SHARE", float(four))
    monkeypatch.setattr(drawn_decks, "VARIED_JOKER_SHARE", 0.0)
    bare = 0
    for seed in range(12):
        given = with_new_jokers(deck, np.random.default_rng(seed))
        assert given.rights(JOKER) == ((False, True) if four else (False,))
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


@pytest.mark.parametrize("four", [False, True])
def test_odd_jokers_are_marked_alike_at_both_ends_and_no_two_are_alike(deck: DeckArt, four: bool) -> None:
    alpha, font, courts = deck.back[:, :, 3], fonts(held_out=False)[0], [deck.faces[Face("K", "S")][0]]
    drawn = [
        varied_jokers.draw_varied_joker(np.random.default_rng(seed), alpha, (250, 250, 250), [font], courts, four)
        for seed in range(40)
    ]
    assert all((one != other).any() for one, other in pairwise(drawn))
    marked = beside_too = 0
    for picture in drawn:
        assert picture.shape == (deck.height, CARD_WIDTH, 4) and (picture[:, :, 3] == alpha).all()
        corner = printed_mask(picture)[: deck.height // 8, : CARD_WIDTH // 6]
        far = printed_mask(picture)[-(deck.height // 8) :, -(CARD_WIDTH // 6) :][::-1, ::-1]
        beside = printed_mask(picture)[: deck.height // 8, -(CARD_WIDTH // 6) :]
        assert corner.mean() == pytest.approx(far.mean(), abs=0.06)
        if corner.mean() > 0.03:  # not printed too pale to tell
            marked += 1
            beside_too += beside.mean() > 0.7 * corner.mean()
    assert marked > 28
    assert beside_too > 0.9 * marked if four else beside_too < 0.4 * marked


def test_most_decks_to_train_on_were_never_seen_before(deck: DeckArt) -> None:
    given = [sample_deck([deck], np.random.default_rng(seed)) for seed in range(24)]
    own = [one for one in given if one.faces[Face("8", "S")] is deck.faces[Face("8", "S")]]
    assert 0 < len(own) < 24 * (1.5 - NEW_SHARE)
    assert len({one.name for one in given}) == 24 - len(own) + 1
    assert sum(one is not deck for one in own) > 0
    assert sample_deck([], np.random.default_rng(2)).name != deck.name


def test_no_letter_is_thinned_until_it_vanishes() -> None:
    style = _style(np.random.default_rng(2), held_out=False, height=400)
    for font in fonts(held_out=False):
        for letter in ("A", "8", "J"):
            thinned = _lettered(replace(style, font=font, stroke=-3, lean=0.0), letter)
            printed = (glyph(font, letter) > 127).mean()
            assert (thinned > 127).mean() >= min(printed, MIN_INK_LEFT)


def test_a_deck_with_an_index_at_one_end_has_none_at_the_other(deck: DeckArt) -> None:
    one_ended = replace(deck, one_ended=True, four_corners=False, _level_cache={}, _joker_box_cache={})
    seven = Face("7", "C")
    picture = one_ended.faces[seven][0]
    assert one_ended.index_box(seven, picture, turned=True) is None
    lying = SceneCard(one_ended, seven, picture, 0.0, 0.0, 0.0, 0, "single")
    table = draw_table(
        np.random.default_rng(1), [one_ended], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, placed=[lying]
    )
    assert len(table.cards) == len(table.indices) == 1


@pytest.mark.parametrize("name", SVG_DECKS)
def test_every_card_of_the_packages_fills_its_picture(name: str) -> None:
    try:
        deck = load_svg_deck(name, default_cache())
    except DeckSourceError as problem:
        pytest.skip(str(problem))
    for face, pictures in deck.faces.items():
        for picture in pictures:
            assert (picture[:, :, 3] > 127).mean() > 0.9, face


def test_odd_lettering_is_for_jokers_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, deck: DeckArt) -> None:
    plain = fonts(held_out=False)[0]
    odd = tmp_path / "aenigma" / plain.name
    odd.parent.mkdir()
    odd.write_bytes(plain.read_bytes())
    monkeypatch.setattr(lettering, "FONT_FOLDERS", (tmp_path,))
    assert lettering.fancy_fonts.__wrapped__() == (odd,)
    with pytest.raises(NoFontsError):
        lettering._all_fonts.__wrapped__()
    asked = []

    def noted(font: Path, text: str) -> Mask:
        asked.append((font, text))
        return glyph(font, text)

    monkeypatch.setattr(jokers, "glyph", noted)
    monkeypatch.setattr(drawn_decks, "fancy_fonts", lambda: (odd,))
    for share, font in ((1.0, odd), (0.0, plain)):
        asked.clear()
        monkeypatch.setattr(drawn_decks, "FANCY_FONT_SHARE", share)
        for seed in range(6):
            with_new_jokers(deck, np.random.default_rng(seed))
        assert asked and all((one == odd) is (font == odd) for one, _ in asked)


def test_what_is_printed_differs_from_the_median_of_the_paper_inside_the_round_corners() -> None:
    rng = np.random.default_rng(2)
    for width in (7, 8):  # an odd and an even number of pixels
        picture = rng.integers(0, 256, (5, width, 4)).astype(np.uint8)
        opaque = picture[:, :, 3] > 200
        paper = np.median(picture[opaque][:, :3], axis=0)
        printed = (np.abs(picture[:, :, :3] - paper).max(2) > 60) & opaque
        assert printed.any() and np.array_equal(printed_mask(picture), printed)
