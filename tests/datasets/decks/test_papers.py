"""Decks on other paper: faces and places of indices stay, paper and ink change and contrast."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks import papers
from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.papers import CONTRAST, FAINT, printed_anew
from datasets.decks.splits import sample_deck
from datasets.decks.styles import Look
from datasets.scenes.visibility import is_legible
from scorer.faces import JOKER, Face

EIGHT = Face("8", "S")


@pytest.fixture(scope="module")
def anew(deck: DeckArt) -> list[DeckArt]:
    return [printed_anew(deck, np.random.default_rng(seed)) for seed in range(8)]


def rank_of(deck: DeckArt, face: Face) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The corner of a card round its rank."""
    x0, y0, x1, y1 = deck.rank_box
    rows = slice(round(y0 * deck.height), round(y1 * deck.height))
    return deck.faces[face][0][rows, round(x0 * CARD_WIDTH) : round(x1 * CARD_WIDTH), :3]


def test_every_rank_differs_from_its_paper_where_it_was_printed_before(deck: DeckArt, anew: list[DeckArt]) -> None:
    before = rank_of(deck, EIGHT).min(2) < 128
    for one in anew:
        rank = rank_of(one, EIGHT).astype(float)
        ink, paper = np.median(rank[before], axis=0), np.median(rank[~before], axis=0)
        assert np.abs(ink - paper).max() > 0.6 * FAINT * 255, one.name
        pixels = np.stack(np.nonzero(np.ones(rank.shape[:2])))
        assert is_legible(rank_of(one, EIGHT), pixels, any_paper=True)


def test_papers_are_dark_and_light_and_inks_lighter_or_darker(anew: list[DeckArt]) -> None:
    papers_seen = [float(np.median(one.faces[EIGHT][0][:, :, :3])) for one in anew]
    assert min(papers_seen) < 60 < 150 < max(papers_seen)


def test_indices_stay_where_they_were(deck: DeckArt, anew: list[DeckArt]) -> None:
    for one in anew:
        assert one.any_paper and one.rank_box == deck.rank_box and set(one.faces) == set(deck.faces)
        for before, after in zip(deck.faces[JOKER], one.faces[JOKER], strict=True):
            for turned in (False, True):
                assert one.index_box(JOKER, after, turned) == deck.index_box(JOKER, before, turned)
            assert np.array_equal(before[:, :, 3], after[:, :, 3])


def test_the_same_source_prints_the_same_deck(deck: DeckArt, anew: list[DeckArt]) -> None:
    again = printed_anew(deck, np.random.default_rng(3))
    assert np.array_equal(again.faces[EIGHT][0], anew[3].faces[EIGHT][0])
    assert not np.array_equal(again.faces[EIGHT][0], anew[4].faces[EIGHT][0])


def test_colours_of_paper_and_ink_contrast() -> None:
    faint = 0
    for seed in range(200):
        paper, black, red = papers._colours(np.random.default_rng(seed))
        least = min(np.abs(paper - black).max(), np.abs(paper - red).max())
        assert least >= FAINT
        faint += least < CONTRAST
    assert 0 < faint < 60


def test_red_print_on_black_paper_is_legible_by_any_channel_alone() -> None:
    picture = np.full((20, 20, 3), 12, np.uint8)
    picture[5:15, 5:15] = (12, 12, 120)
    pixels = np.stack(np.nonzero(np.ones((20, 20))))
    assert is_legible(picture, pixels, any_paper=True) and not is_legible(picture, pixels)
    assert not is_legible(np.full((20, 20, 3), 12, np.uint8), pixels, any_paper=True)


def test_a_look_prints_any_deck_anew(deck: DeckArt) -> None:
    sampled = [sample_deck([deck], np.random.default_rng(seed), Look(any_paper=True)) for seed in range(6)]
    assert all(one.any_paper for one in sampled)


def test_indices_of_rank_alone_and_a_second_smaller_index() -> None:
    usual, alone = draw_deck("toy", 6), draw_deck("toy", 6, look=Look(rank_alone=True))
    x0, _, x1, y1 = usual.rank_box
    below = (slice(round(y1 * usual.height) + 4, round((y1 + 0.1) * usual.height)), slice(0, round(x1 * CARD_WIDTH)))
    spread = [int(np.ptp(one.faces[EIGHT][0][below][:, round(x0 * CARD_WIDTH) :, 0])) for one in (usual, alone)]
    assert spread[0] > 100 > spread[1] and alone.index_on_right(EIGHT) == usual.index_on_right(EIGHT)
    second = draw_deck("toy", 6, look=Look(second_index=True))
    assert second.second_box and second.index_on_right(EIGHT) == (False, True)
    x0, y0, x1, y1 = second.second_box
    assert (y1 - y0) < 0.7 * (second.rank_box[3] - second.rank_box[1])
    corner = second.faces[EIGHT][0][round(y0 * second.height) : round(y1 * second.height)]
    print_there = corner[:, round((1 - x1) * CARD_WIDTH) : round((1 - x0) * CARD_WIDTH), :3]
    assert np.ptp(print_there) > 100
    assert draw_deck("toy", 6).second_box is None
