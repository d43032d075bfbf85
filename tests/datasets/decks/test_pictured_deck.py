"""Decks from rectified pictures, on drawn decks whose truth is known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.arrays import Cutout, Picture
from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.index_places import USUAL_BOX, find_index_places, overlap
from datasets.decks.pictured_deck import (
    PicturedDeckError,
    deck_of_pictures,
    read_pictures,
    with_contrast,
    with_faces_of,
    write_pictures,
)
from datasets.decks.unsuited.draw import draw_unsuited_deck, hand_n_foot_deck
from datasets.scenes.tables import draw_table
from datasets.scenes.teaching_photos import draw_teaching_photos
from scorer.faces import JOKER, Face
from vision.teach.pictures import rectified

LEAST_OVERLAP = 0.7


def _photographed(deck: DeckArt, seed: int) -> dict[Face, list[Picture]]:
    """The deck's faces cut out of a teaching photograph, with corners found half a percent off."""
    rng = np.random.default_rng(seed)
    cut: dict[Face, list[Picture]] = {}
    for photo in draw_teaching_photos(rng, deck, 1, (2048, 1536)):
        for card in sorted(photo.cards, key=lambda card: card.variant):
            wide = float(np.hypot(*(card.quad[1] - card.quad[0])))
            found = card.quad + rng.normal(0, 0.005 * wide, (4, 2)).astype(np.float32)
            tall = round(480 * card.deck.height / CARD_WIDTH)
            cut.setdefault(card.face, []).append(rectified(photo.picture, found, 480, tall))
    return cut


def _plain(deck: DeckArt) -> dict[Face, list[Picture]]:
    return {face: [one[:, :, :3] for one in pictures] for face, pictures in deck.faces.items()}


@pytest.mark.parametrize(
    "deck",
    [draw_deck("standard", 3), draw_deck("four", 11), hand_n_foot_deck("hands", 1), draw_unsuited_deck("none", 2)],
    ids=lambda deck: deck.name,
)
def test_indices_are_found_where_they_stand(deck: DeckArt) -> None:
    found = find_index_places(deck.faces)
    assert overlap(found.rank_box, deck.rank_box) > LEAST_OVERLAP
    assert (found.four_corners, found.one_ended) == (deck.four_corners, deck.one_ended)
    shares = [
        overlap(near, deck.index_box(face, deck.faces[face][0], turned=False))
        for face, ((near, far), *_) in found.marks.items()
        if len(face.rank) == 1 and near == far
    ]
    assert len(shares) > 8 and np.mean(shares) > LEAST_OVERLAP


def test_a_one_ended_deck_is_known_as_such(deck: DeckArt) -> None:
    half = {
        face: [np.concatenate([one[:200], np.broadcast_to(one[200, 120], one[200:].shape)]) for one in pictures]
        for face, pictures in deck.faces.items()
    }
    assert find_index_places(half).one_ended and not find_index_places(deck.faces).one_ended


@pytest.mark.parametrize("made", [draw_deck("standard", 3), hand_n_foot_deck("hands", 0)], ids=lambda deck: deck.name)
def test_photographed_faces_make_a_deck_of_even_white(made: DeckArt, tmp_path: Path) -> None:
    write_pictures(tmp_path / "faces", _photographed(made, 5))
    found = deck_of_pictures(read_pictures(tmp_path / "faces"), made.play, name="own")
    assert {face: len(one) for face, one in found.faces.items()} == {face: len(one) for face, one in made.faces.items()}
    assert found.back.shape == (found.height, CARD_WIDTH, 4) and abs(found.height - made.height) <= 2
    assert overlap(found.rank_box, made.rank_box) > 0.6
    papers = [np.median(pictures[0][:, :, :3].reshape(-1, 3), axis=0) for pictures in found.faces.values()]
    assert np.median(papers) > 215 and np.median(np.std(papers, axis=0)) < 25
    for pictures in found.faces.values():
        assert pictures[0][0, 0, 3] == 0 and pictures[0][found.height // 2, 0, 3] == 255
    table = draw_table(np.random.default_rng(1), [found], (640, 480), 90)
    assert {index.face for index in table.indices} <= set(made.faces)


def test_a_deck_on_dark_paper_keeps_its_colours() -> None:
    dark = hand_n_foot_deck("dark", 1)
    found = deck_of_pictures(_plain(dark), dark.play, name="dark")
    for face, (picture,) in found.faces.items():
        inner = (slice(40, 260), slice(40, 200), slice(0, 3))
        assert np.abs(picture[inner].astype(int) - dark.faces[face][0][inner]).mean() < 3


def test_dim_pictures_of_dark_cards_have_a_variant_with_contrast() -> None:
    dark = hand_n_foot_deck("dark", 1)
    dim = {face: [one // 4 + 10 for one in pictures] for face, pictures in _plain(dark).items()}
    deck = deck_of_pictures(dim, dark.play, name="dark")
    found = with_contrast(deck)
    for face, (usual, more) in found.faces.items():
        assert usual is deck.faces[face][0] and np.array_equal(more[:, :, 3], usual[:, :, 3])
        assert np.ptp(more[:, :, :3]) > 2 * np.ptp(usual[:, :, :3])
        # the same print stands at the same place
        assert found.index_box(face, more, turned=False) == deck.index_box(face, usual, turned=False)


def test_jokers_alone_go_into_any_deck(deck: DeckArt) -> None:
    own = draw_deck("own", 8)
    jokers = deck_of_pictures({JOKER: _plain(own)[JOKER]}, name="jokers")
    assert jokers.rank_box == USUAL_BOX and set(jokers.faces) == {JOKER}
    both = with_faces_of(deck, jokers)
    assert len(both.faces[JOKER]) == len(own.faces[JOKER]) and both.faces[Face("8", "S")] is deck.faces[Face("8", "S")]
    for number, picture in enumerate(both.faces[JOKER]):
        assert picture.shape == deck.back.shape
        true = own.index_box(JOKER, own.faces[JOKER][number], turned=False)
        assert overlap(both.index_box(JOKER, picture, turned=False), true) > 0.4


def test_what_is_no_deck_is_told(tmp_path: Path) -> None:
    with pytest.raises(PicturedDeckError, match=r"8H-1.webp in .*, got none"):
        read_pictures(tmp_path)
    (tmp_path / "eight.webp").write_bytes(b"")
    with pytest.raises(PicturedDeckError, match=r"got eight.webp"):
        read_pictures(tmp_path)
    (tmp_path / "eight.webp").rename(tmp_path / "8H-1.webp")
    with pytest.raises(PicturedDeckError, match="cannot be read"):
        read_pictures(tmp_path)
    cv2.imwrite(str(tmp_path / "8H-1.webp"), np.full((300, 200, 3), 255, np.uint8))
    assert deck_of_pictures(read_pictures(tmp_path), name="own").height == 360


def test_a_shadow_across_some_of_the_cards_is_no_index(deck: DeckArt) -> None:
    shaded = {}
    for number, (face, pictures) in enumerate(deck.faces.items()):
        shaded[face] = [one.copy() for one in pictures]
        for one in shaded[face][: number % 3]:
            edge = np.array([[0, 0], [110, 0], [0, 60]], np.int32)
            shade = cv2.fillPoly(np.ones(one.shape[:2], np.float32), [edge], 0.5)
            one[:, :, :3] = (one[:, :, :3] * shade[..., None]).astype(np.uint8)
    assert overlap(find_index_places(shaded).rank_box, deck.rank_box) > LEAST_OVERLAP


def test_a_rank_beside_the_frame_of_the_card_is_found() -> None:
    rank = (0.04, 0.045, 0.17, 0.16)
    faces: dict[Face, list[Cutout]] = {}
    for number, sign in enumerate("456789"):
        card = np.full((440, CARD_WIDTH, 4), 255, np.uint8)
        x0, y0, x1, y1 = (round(share * size) for share, size in zip(rank, (CARD_WIDTH, 440) * 2, strict=True))
        cv2.putText(card, sign, (x0, y1), cv2.FONT_HERSHEY_DUPLEX, (y1 - y0) / 21, (0, 0, 0, 255), 3, cv2.LINE_AA)
        aside = number % 3 // 2  # not all are cut out at quite the same place
        cv2.rectangle(card, (x1 + 1 + aside, 27), (CARD_WIDTH - 30, 410), (0, 0, 0, 255), 5)
        cv2.circle(card, ((x0 + x1) // 2 + aside, y1 + 18), 7, (0, 0, 0, 255), -1)
        faces[Face.parse(sign)] = [card]
    assert overlap(find_index_places(faces).rank_box, rank) > 0.8
