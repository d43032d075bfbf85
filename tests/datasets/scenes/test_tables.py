"""Drawn tables and their truth."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.arrays import Picture, floats
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.fonts import NoFontsError, fonts, is_held_out
from datasets.decks.svg_decks import GNOME_FOLDER, HELD_OUT, SVG_DECKS, load_svg_deck
from datasets.draw import draw, seeded_table
from datasets.scenes.camera import camera_over
from datasets.scenes.card_render import card_tones, lay_card
from datasets.scenes.labels import yolo_lines
from datasets.scenes.layouts import CARD_MM, SceneCard, lay_table, tight_group
from datasets.scenes.tables import draw_table
from models.samples.detector import labels, turned
from scorer.faces import JOKER, STANDARD_FACES, Face

try:
    fonts(held_out=False)
except NoFontsError as problem:
    pytest.skip(str(problem), allow_module_level=True)


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return draw_deck("test", 5)


def test_a_drawn_deck_has_every_face_and_the_same_seed_draws_it_again(deck: DeckArt) -> None:
    assert set(deck.faces) == set(STANDARD_FACES)
    again = draw_deck("test", 5)
    assert all(np.array_equal(deck.faces[face][0], again.faces[face][0]) for face in STANDARD_FACES)
    other = draw_deck("test", 6)
    assert not np.array_equal(deck.faces[Face("8", "H")][0], other.faces[Face("8", "H")][0])


def test_every_face_of_a_deck_looks_different(deck: DeckArt) -> None:
    corners = {pictures[0][:120, :80].tobytes() for face, pictures in deck.faces.items() if face != JOKER}
    assert len(corners) == 52


def test_the_index_is_where_the_deck_says(deck: DeckArt) -> None:
    x0, y0, x1, y1 = deck.rank_box
    for face, pictures in deck.faces.items():
        if face == JOKER:
            continue
        picture = pictures[0][:, :, :3].astype(int)
        height, width = picture.shape[:2]
        box = picture[round(y0 * height) : round(y1 * height), round(x0 * width) : round(x1 * width)]
        assert np.abs(box - np.median(picture[:9, 20:200], axis=(0, 1))).max() > 80, face


def test_a_table_is_the_same_for_the_same_seed(deck: DeckArt) -> None:
    one, two = (seeded_table([deck], 3, 4, (320, 320)) for _ in range(2))
    assert np.array_equal(one.picture, two.picture)
    assert one.cards[0].face == two.cards[0].face


def _row(deck: DeckArt, step: float) -> list[SceneCard]:
    face = Face("8", "H")
    return [SceneCard(deck, face, deck.faces[face][0], step * i, 0.0, 0.0, 0, "meld") for i in range(4)]


def test_identical_neighbours_each_have_their_index(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(1), [deck], (900, 500), 100, 0.0, clean=True, placed=_row(deck, 30))
    assert [str(card.face) for card in table.cards] == ["8H"] * 4
    assert table.hidden == 0
    # every card shows its left index; only the last one its far one
    assert Counter(index.card for index in table.indices) == {0: 1, 1: 1, 2: 1, 3: 2} or deck.four_corners


def test_hardly_more_than_its_rank_shows_of_cards_in_tight_groups(deck: DeckArt) -> None:
    x0, y0, x1, y1 = deck.rank_box
    tall = CARD_MM * deck.height / deck.back.shape[1]
    steps = {
        "_row": (0, (x1 - x0) * CARD_MM, (x1 + 0.05) * CARD_MM),
        "_column": (1, (y1 - y0) * tall, (y1 + 0.05) * tall),
    }
    seen = set()
    for seed in range(30):
        _, faces, offsets, layout = tight_group(np.random.default_rng(seed), deck)
        if len(faces) > 2 and layout.__name__ in steps:
            axis, least, most = steps[layout.__name__]
            step = (offsets[-1][axis] - offsets[0][axis]) / (len(faces) - 1)
            assert 0.8 * least < step < 1.05 * most
            seen.add(layout.__name__)
    assert seen == set(steps)


def test_cards_lie_closer_on_tight_tables(deck: DeckArt) -> None:
    def area(tight: bool) -> float:
        cards = lay_table(np.random.default_rng(2), [deck], (900, 600), loose_share=0, tight=tight)
        groups = [[card for card in cards if card.group == group] for group in {card.group for card in cards}]
        spans = [
            np.ptp([(c.x, c.y) for c in group], axis=0).max() / (len(group) - 1) for group in groups if len(group) > 2
        ]
        return float(np.median(spans))

    assert area(tight=True) < 0.7 * area(tight=False)


def test_a_covered_card_is_hidden_and_its_corners_are_said_to_be_covered(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(1), [deck], (600, 500), 100, 0.0, clean=True, placed=_row(deck, 0))
    assert (len(table.cards), table.hidden) == (1, 3)
    assert len(table.covered) >= 6


def test_the_outline_lies_on_the_card(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(2), [deck], (600, 500), 120, 0.4, clean=True, placed=_row(deck, 0)[:1])
    quad = table.cards[0].quad
    assert np.hypot(*(quad[1] - quad[0])) == pytest.approx(120, rel=0.25)
    mask = np.zeros(table.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, quad.astype(np.int32), 1)
    inside, outside = table.picture[mask == 1].mean(), table.picture[mask == 0].mean()
    assert abs(inside - outside) > 5


def test_on_an_uneven_table_each_card_has_its_own_light_and_even_ones_are_what_they_were(deck: DeckArt) -> None:
    one, again, uneven = (
        draw_table(np.random.default_rng(6), [deck], (320, 320), uneven=share) for share in (0.0, 0.0, 1.0)
    )
    plain = draw_table(np.random.default_rng(6), [deck], (320, 320))
    assert np.array_equal(one.picture, plain.picture) and np.array_equal(one.picture, again.picture)
    assert not np.array_equal(one.picture, uneven.picture)
    drawn = card_tones(np.random.default_rng(1), 500)
    assert drawn.shape == (500, 4) and 0.25 <= drawn[:, :3].min() < 0.5 < 1 < drawn[:, :3].max() <= 1.3


def test_a_card_in_its_own_tone_is_darker_or_paler_and_no_other(deck: DeckArt) -> None:
    camera = camera_over(np.random.default_rng(1), 400, 300, 100, 0.0)

    def laid(*tone: float) -> Picture:
        picture, owner = np.zeros((300, 400, 3), np.uint8), np.full((300, 400), -1, np.int16)
        lay_card(picture, owner, _row(deck, 0)[0], 0, camera, (0.0, 0.0, 0.0), floats(tone) if tone else None)
        inside = cv2.erode((owner == 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        assert 10_000 < inside.sum() < 18_000
        return np.asarray(picture[inside], np.uint8)

    plain = laid().astype(int)
    assert np.abs(laid(1, 1, 1, 0) - plain).max() == 0
    assert np.abs(laid(0.5, 0.5, 0.25, 0) - plain * [0.5, 0.5, 0.25]).max() <= 2
    assert np.abs(laid(1, 1, 1, 51) - (plain * 0.8 + 51)).max() <= 2


def test_labels_turn_with_the_picture(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(4), [deck], (640, 640), 100)
    boxes, quads = labels(table)
    picture = table.picture
    for _ in range(4):
        picture, quads, boxes = turned(picture, quads, boxes)
    expected_boxes, expected_quads = labels(table)
    assert np.array_equal(picture, table.picture)
    assert np.allclose(quads, expected_quads, atol=1e-2)
    assert np.allclose(boxes, expected_boxes, atol=1e-2)
    turned_boxes = turned(picture, quads, boxes)[2]
    assert (turned_boxes[:, 2:] > turned_boxes[:, :2]).all()


def test_training_and_test_fonts_are_apart() -> None:
    assert not any(is_held_out(font) for font in fonts(held_out=False))
    assert not set(fonts(held_out=True)) & set(fonts(held_out=False)) or len(fonts(held_out=False)) == 1


def test_a_data_set_is_in_yolo_layout_with_its_sources(tmp_path: Path) -> None:
    draw(tmp_path, tables=2, seed=9, size=(320, 320), held_out=False, workers=1, drawn=2)
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert [line["photo"] for line in lines] == ["images/000000.jpg", "images/000001.jpg"]
    picture = cv2.imread(str(tmp_path / lines[0]["photo"]))
    assert picture is not None
    assert picture.shape == (320, 320, 3)
    for number in range(2):
        for row in (tmp_path / "labels" / f"{number:06d}.txt").read_text().split("\n"):
            assert len(row.split()) in (0, 13)
    decks = json.loads((tmp_path / "manifest.json").read_text())["decks"]
    assert len(decks) >= 2
    assert all(one["source"] and one["licence"] for one in decks)


def test_yolo_boxes_lie_in_the_picture(deck: DeckArt) -> None:
    table = seeded_table([deck], 3, 4, (320, 320))
    for line in yolo_lines(table):
        x, y, width, height = (float(value) for value in line.split()[1:5])
        assert -1e-4 <= x - width / 2 <= x + width / 2 <= 1.0001
        assert -1e-4 <= y - height / 2 <= y + height / 2 <= 1.0001


@pytest.mark.skipif(not GNOME_FOLDER.is_dir(), reason="the package gnome-cards-data is not installed")
def test_an_installed_deck_is_rendered(tmp_path: Path) -> None:
    found = load_svg_deck("anglo_poker", tmp_path)
    assert len(found.faces) == 53
    assert found.held_out
    assert found.height / CARD_MM > 4
    assert 0.1 < found.rank_box[3] < 0.2
    assert set(SVG_DECKS) > HELD_OUT
