"""Photographs that teach a deck."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from datasets.decks.deck_art import DeckArt
from datasets.decks.unsuited.draw import hand_n_foot_deck
from datasets.scenes.teaching_photos import Bad, TeachingPhoto, deck_cards, draw_teaching_photos, rows_of
from vision.geometry import overlap_share
from vision.teach.pictures import rectified

SIZE = (800, 600)


@pytest.fixture(scope="module")
def small() -> DeckArt:
    return hand_n_foot_deck("toy", 4)


def _drawn(deck: DeckArt, seed: int, bad: Bad | None = None, photos: int = 1) -> list[TeachingPhoto]:
    other = hand_n_foot_deck("other", 9)
    return draw_teaching_photos(np.random.default_rng(seed), deck, photos, SIZE, bad, other)


@pytest.mark.parametrize("photos", [1, 2, 4])
def test_every_card_is_shown_once_whole_in_reading_order(small: DeckArt, photos: int) -> None:
    drawn = _drawn(small, photos, photos=photos)
    assert len(drawn) == photos
    shown = Counter((card.face, card.variant) for photo in drawn for card in photo.cards)
    assert shown == Counter((face, n + 1) for _, face, n in deck_cards(small))
    for photo in drawn:
        height, width = photo.picture.shape[:2]
        assert sorted((width, height)) == sorted(SIZE)
        for card in photo.cards:
            assert card.quad.min() > 0 and (card.quad.max(0) < (width, height)).all()
        tops = [float(card.quad.mean(0)[1]) for card in photo.cards]
        left = [float(card.quad.mean(0)[0]) for card in photo.cards]
        tall = float(np.ptp(photo.cards[0].quad[:, 1]))
        # the next card is further right, or in the next row
        for n in range(len(tops) - 1):
            assert left[n + 1] > left[n] or tops[n + 1] > tops[n] + 0.5 * tall


def test_the_truth_is_where_the_cards_are(small: DeckArt) -> None:
    photo = _drawn(small, 3)[0]
    for card in photo.cards[:8]:
        cut = rectified(photo.picture, card.quad, 120, 168).astype(np.float32)
        own = small.faces[card.face][card.variant - 1][:, :, :3]
        pictures = {face: one[0][:, :, :3] for face, one in small.faces.items()}
        alike = {
            face: float(np.corrcoef(cut.ravel(), cv2.resize(one, cut.shape[1::-1]).ravel())[0, 1])
            for face, one in pictures.items()
        }
        assert own.shape and alike[card.face] > 0.6
        assert max(alike, key=lambda face: alike[face]) == card.face


def test_cards_overlap_and_leave_the_picture_only_where_they_should(small: DeckArt) -> None:
    def covered(photo: TeachingPhoto) -> float:
        quads = [card.quad for card in photo.cards]
        return max(overlap_share(one, two) for n, one in enumerate(quads) for two in quads[:n])

    assert covered(_drawn(small, 5)[0]) < 0.06 < 0.12 < covered(_drawn(small, 5, "overlapping")[0])
    assert min(card.quad.min() for card in _drawn(small, 5, "cut off")[0].cards) < -10


def test_bad_photographs_are_bad(small: DeckArt) -> None:
    assert len(_drawn(small, 6, "three cards")[0].cards) == 3
    twice = Counter(card.face for card in _drawn(small, 6, "twice")[0].cards)
    assert sorted(twice.values())[-1] == 2 and len(twice) == len(small.faces) - 1
    assert {card.deck.name for card in _drawn(small, 6, "two decks")[0].cards} == {"toy", "other"}
    usual: tuple[Bad | None, ...] = (None, "blurred")
    sharp, blurred = (
        cv2.Laplacian(cv2.GaussianBlur(_drawn(small, 2, bad)[0].picture, (0, 0), 1.5), cv2.CV_32F).std()
        for bad in usual
    )
    assert sharp > 2 * blurred
    turned = _drawn(small, 6, "upside down")[0].cards
    assert np.mean([card.quad[0][1] > card.quad[2][1] for card in turned]) > 0.6
    assert turned[0].quad.mean() < turned[-1].quad.mean()
    with pytest.raises(ValueError, match="another deck"):
        draw_teaching_photos(np.random.default_rng(1), small, 1, SIZE, "two decks")


def test_rows_fill_the_picture() -> None:
    assert rows_of(54, 1.4, 4 / 3) == [11] * 4 + [10]
    assert rows_of(1, 1.4, 1.3) == [1]
    assert sum(rows_of(17, 1.6, 0.75)) == 17
