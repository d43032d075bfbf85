"""What is wrong with photos of a deck's cards is said in one sentence, and nothing that was good is lost."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.scenes.teaching_photos import TeachingPhoto
from scorer.faces import JOKER, Face
from tests.vision.teach.drawn import DECK, FACES, frame, overlap, photos, reading, seen, sees_nothing
from vision.arrays import floats
from vision.teach.checks import count_note, missing_note
from vision.teach.photos import read_deck_photos
from vision.teach.taught import DeckPhotos
from vision.values import Frame, Reading


def knowing(photo: TeachingPhoto, ends: int = 2) -> Reading:
    return reading([seen(card.face, card.quad, ends=ends) for card in photo.cards])


def shown(photo: TeachingPhoto) -> DeckPhotos:
    return read_deck_photos([frame(photo.picture)], lambda _frame: knowing(photo), FACES)


def codes(found: DeckPhotos) -> list[str]:
    return [note.code for note in found.notes]


def test_nothing_is_said_of_a_good_photo() -> None:
    assert shown(photos(1)[0]).notes == ()


def test_a_blurred_photo_is_called_so_and_its_cards_are_kept() -> None:
    photo = photos(1, bad="blurred")[0]
    found = shown(photo)
    assert codes(found) == ["blurred"]
    assert found.notes[0].message == "The photo is blurred: hold the phone still and take it once more."
    assert len(found.cards) == len(photo.cards)


def test_a_blurred_photo_with_few_cards_is_told_once() -> None:
    photo = photos(2, bad="three cards")[0]
    blurred = np.asarray(cv2.GaussianBlur(photo.picture, (0, 0), 6), np.uint8)
    found = read_deck_photos([frame(blurred)], lambda _frame: knowing(photo), FACES)
    assert len(found.cards) == 3 and codes(found) == ["blurred"]


def test_a_photo_is_dark_where_its_light_is_and_not_where_its_cards_are_black() -> None:
    photo = photos(1)[0]
    dim = np.asarray(photo.picture * 0.2, np.uint8)
    assert "dark" in codes(read_deck_photos([frame(dim)], lambda _frame: knowing(photo), FACES))
    black = photo.picture.copy()
    cards = np.zeros(black.shape[:2], np.uint8)
    cv2.fillPoly(cards, [card.quad.astype(np.int32) for card in photo.cards], 255)
    black[cards > 0] //= 6
    black[:50] = 255  # something white that lies there
    assert "dark" not in codes(read_deck_photos([frame(black)], lambda _frame: knowing(photo), FACES))


def test_cards_at_the_edge_are_called_cut_off() -> None:
    photo = photos(3, bad="cut off")[0]
    found = shown(photo)
    assert codes(found) == ["cut-off"]
    assert "cut off at the edge of the photo" in found.notes[0].message
    whole = [card for card in photo.cards if (card.quad > 0).all()]
    assert len(found.cards) == len(whole) < len(photo.cards)


def test_a_covered_card_is_told_and_those_beside_it_are_kept() -> None:
    photo = photos(1, bad="overlapping")[0]
    found = shown(photo)
    assert "overlapping" in codes(found)
    outlined = [max(overlap(floats(card.quad), true.quad) for card in found.cards) for true in photo.cards]
    apart = [all(overlap(a.quad, b.quad) < 0.02 for b in photo.cards if b is not a) for a in photo.cards]
    assert all(share > 0.9 for share, alone in zip(outlined, apart, strict=True) if alone)


def test_the_same_card_twice_is_told_with_both_places() -> None:
    photo = photos(5, bad="twice")[0]
    found = shown(photo)
    faces = [card.face for card in photo.cards]
    twice = next(n for n, face in enumerate(faces) if faces.count(face) > 1)
    assert [note.code for note in found.notes] == ["same-twice"]
    assert twice in found.notes[0].cards
    assert f"row {found.cards[twice].row + 1}, card {found.cards[twice].place + 1}" in found.notes[0].message


def test_three_cards_are_too_few_for_a_deck_but_not_for_its_jokers() -> None:
    photo = photos(2, bad="three cards")[0]
    assert codes(shown(photo)) == ["too-few"]
    assert codes(read_deck_photos([frame(photo.picture)], sees_nothing, [JOKER])) == []


def test_a_photo_of_an_empty_table_says_what_to_do() -> None:
    plain = Frame(np.full((600, 800, 3), 120, np.uint8), frame(photos(1)[0].picture).taken_at, "plain")
    found = read_deck_photos([plain], sees_nothing, FACES)
    assert codes(found) == ["no-cards"]
    assert "lay them in rows" in found.notes[0].message


def test_cards_of_a_dark_pack_among_white_ones_are_told() -> None:
    photo = photos(1)[0]
    picture = photo.picture.copy()
    x0, y0 = photo.cards[4].quad.min(0).astype(int)
    x1, y1 = photo.cards[4].quad.max(0).astype(int)
    picture[y0:y1, x0:x1] = 255 - picture[y0:y1, x0:x1]
    found = read_deck_photos([frame(picture)], lambda _frame: knowing(photo), FACES)
    assert "mixed" in codes(found)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ((JOKER,), "Still missing is joker: add a photo of it, or go on without."),
        ((Face("2", "H"), JOKER), "Still missing are 2♥ and joker: add a photo of them, or go on without."),
    ],
)
def test_missing_cards_are_named(missing: tuple[Face, ...], message: str) -> None:
    note = missing_note(missing)
    assert note and note.message == message


def test_no_card_missing_needs_no_sentence() -> None:
    assert missing_note(()) is None


def test_another_number_of_cards_than_listed_is_told() -> None:
    assert count_note(1, 13, 14).message.startswith("Photo 2 shows 13 cards, but 14 are listed for it:")


def test_the_deck_of_these_tests_has_jokers() -> None:
    assert JOKER in DECK.faces
