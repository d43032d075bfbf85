"""Cards in rows are found in photos, whether a reader knows their index or not."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.styles import Look
from scorer.faces import JOKER, Face
from tests.vision.teach.drawn import DECK, FACES, frame, overlap, photos, reading, seen, sees_nothing
from vision.arrays import floats
from vision.teach.photos import read_deck_photos, upside_down
from vision.teach.pictures import WIDTH

DARK = draw_deck("dark", 5002, look=Look(dark=True))


@pytest.mark.parametrize("seed", [2, 4, 5])
def test_cards_without_an_index_that_is_known_are_outlined_in_reading_order(seed: int) -> None:
    photo = photos(seed)[0]
    found = read_deck_photos([frame(photo.picture)], sees_nothing, FACES)
    assert len(found.cards) == len(photo.cards)
    for card, true in zip(found.cards, photo.cards, strict=True):
        assert overlap(floats(card.quad), true.quad) > 0.9, (card.row, card.place)


def test_dark_cards_are_outlined() -> None:
    photo = photos(6, deck=DARK)[0]
    found = read_deck_photos([frame(photo.picture)], sees_nothing, FACES)
    outlined = [max(overlap(floats(card.quad), true.quad) for true in photo.cards) for card in found.cards]
    assert len(outlined) == len(photo.cards)
    assert min(outlined) > 0.9


def test_pictures_are_of_one_size_in_the_cards_proportion_and_in_even_light() -> None:
    photo = photos(2)[0]
    pictures = [card.picture for card in read_deck_photos([frame(photo.picture)], sees_nothing, FACES).cards]
    assert {picture.shape for picture in pictures} == {(pictures[0].shape[0], WIDTH, 3)}
    assert pictures[0].shape[0] / WIDTH == pytest.approx(DECK.height / 240, rel=0.03)
    papers = [np.median(picture[60:-60, 10:20].reshape(-1, 3), axis=0) for picture in pictures]
    assert np.min(papers) > 225
    assert np.ptp(papers, axis=0).max() < 15


def test_what_the_reader_says_is_proposed_and_the_end_that_it_read_is_up() -> None:
    photo = photos(2)[0]
    true = photo.cards[3]
    turned = np.roll(true.quad, 2, axis=0)
    cards = [seen(Face("8", "H"), turned, ends=1)]
    found = read_deck_photos([frame(photo.picture)], lambda _frame: reading(cards), FACES)
    assert found.cards[3].proposals[0] == (Face("8", "H"), 0.999)
    assert np.abs(floats(found.cards[3].quad) - turned).max() < 10
    assert not found.cards[3].turn_unsure
    other_end = upside_down(found.cards[3])
    assert np.abs(floats(other_end.quad) - true.quad).max() < 10
    assert (other_end.picture[::-1, ::-1] == found.cards[3].picture).all()


def test_a_reader_that_is_wrong_about_a_cards_outline_does_not_move_it() -> None:
    photo = photos(2)[0]
    wrong = seen(JOKER, photo.cards[0].quad + floats([25, 30]), ends=1)
    found = read_deck_photos([frame(photo.picture)], lambda _frame: reading([wrong]), FACES)
    assert [overlap(floats(c.quad), t.quad) > 0.9 for c, t in zip(found.cards, photo.cards, strict=True)] == [True] * 12


def test_an_empty_table_has_no_cards() -> None:
    rng = np.random.default_rng(0)
    plain = rng.integers(90, 110, (900, 1200, 3)).astype(np.uint8)
    assert read_deck_photos([frame(plain)], sees_nothing, FACES).cards == ()
