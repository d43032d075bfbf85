"""Decks cut out of photographs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="the extra train is not installed")

from datasets.arrays import Picture
from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.fonts import NoFontsError, fonts
from models.evaluate.photo_decks import HEIGHT, photographed_decks
from scorer.faces import JOKER, RANKS, Face
from vision.values import CornerReading, Reading, SeenCard

try:
    fonts(held_out=False)
except NoFontsError as error:
    pytest.skip(str(error), allow_module_level=True)

STEP, WIDE = (200, 260), CARD_WIDTH // 2
SHOWN = [Face(rank, suit) for suit in "SH" for rank in RANKS]


def seen(face: Face, x: float, y: float, tall: float) -> SeenCard:
    """A card of which both indices are read."""
    quad = ((x, y), (x + WIDE, y), (x + WIDE, y + tall), (x, y + tall))
    ends = ((x, y, x + 22, y + 48), (x + WIDE - 22, y + tall - 48, x + WIDE, y + tall))
    corners = tuple(CornerReading(((face, 1.0),), box, quad, 0.9) for box in ends)
    return SeenCard(face, 0.999, (), quad, None, corners)


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return next(one for one in (draw_deck(f"drawn-{seed}", seed) for seed in range(99)) if not one.four_corners)


def photo(deck: DeckArt, faces: Sequence[Face], light: float = 1.0) -> tuple[Picture, Reading]:
    """Cards side by side on a green cloth, seen in dimmer or brighter light."""
    tall = deck.height // 2
    picture = np.full((STEP[1] * 3, STEP[0] * 10, 3), (60, 90, 30), np.uint8)
    cards = []
    for place, face in enumerate(faces):
        x, y = 40 + STEP[0] * (place % 10), 30 + STEP[1] * (place // 10)
        small = cv2.resize(deck.faces[face][0][:, :, :3], (WIDE, tall), interpolation=cv2.INTER_AREA)
        picture[y : y + tall, x : x + WIDE] = small
        cards.append(seen(face, x, y, tall))
    dimmed = np.asarray((picture * light).astype(np.uint8))
    return dimmed, Reading(picture.shape[1], picture.shape[0], 0.1, tuple(cards), (), ())


def decks_of(folder: Path, photos: dict[str, tuple[Picture, Reading]], **labels: Sequence[str]) -> list[DeckArt]:
    """The decks of photos by their paths; ``labels`` are other cards than those that are read, by the stem."""
    truth: list[dict[str, Any]] = []
    for name, (picture, reading) in photos.items():
        (folder / name).parent.mkdir(exist_ok=True)
        cv2.imwrite(str(folder / name), picture)
        read = [str(card.face) for card in reading.cards]
        truth.append({"photo": name, "cards": labels.get(Path(name).stem, read)})
    return photographed_decks(folder, truth, {name: reading for name, (_, reading) in photos.items()})


def test_visible_cards_become_a_deck_on_white_paper(deck: DeckArt, tmp_path: Path) -> None:
    photos = {"table/a.png": photo(deck, SHOWN, 0.6), "few/b.png": photo(deck, [JOKER, SHOWN[0]])}
    (made,) = decks_of(tmp_path, photos)
    assert (made.name, made.four_corners, made.height, len(made.faces)) == ("table", False, HEIGHT, 53)
    assert np.abs(np.subtract(made.rank_box, deck.rank_box)).max() < 0.03
    eight = made.faces[Face("8", "S")][0]
    was = cv2.resize(deck.faces[Face("8", "S")][0], (CARD_WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    inner = np.s_[20:-20, 20:-20, :3]
    assert np.abs(eight[inner].astype(int) - was[inner]).mean() < 14
    assert np.median(eight[inner]) > 225
    # no club was seen: it looks like another of its rank
    assert any(made.faces[Face("8", "C")][0] is made.faces[Face("8", suit)][0] for suit in "SH")
    assert len(made.faces[JOKER]) == 1


@pytest.mark.parametrize("what", ["mislabelled", "unsure", "one index", "covered", "cut off"])
def test_unreliable_cards_are_left_out(deck: DeckArt, tmp_path: Path, what: str) -> None:
    picture, reading = photo(deck, SHOWN)
    eight = SHOWN.index(Face("8", "S"))
    cards, labels = [*reading.cards], [str(face) for face in SHOWN]
    card = cards[eight]
    if what == "mislabelled":
        labels.remove("8S")
    elif what == "unsure":
        cards[eight] = replace(card, confidence=0.95)
    elif what == "one index":
        cards[eight] = replace(card, corners=card.corners[:1])
    elif what == "covered":
        cards.append(seen(Face("K", "D"), card.quad[0][0] + 60, card.quad[0][1] + 70, 168))
    else:
        cards[eight] = replace(card, quad=((-9.0, 9.0), *card.quad[1:]))
    (made,) = decks_of(tmp_path, {"table/a.png": (picture, replace(reading, cards=tuple(cards)))}, a=labels)
    assert made.faces[Face("8", "S")][0] is made.faces[Face("8", "H")][0]


def test_covered_card_is_left_out(deck: DeckArt, tmp_path: Path) -> None:
    picture, reading = photo(deck, SHOWN)
    (x, y), *_ = reading.cards[SHOWN.index(Face("8", "S"))].quad
    cv2.circle(picture, (round(x), round(y) + 80), 30, (20, 20, 160), -1)
    (made,) = decks_of(tmp_path, {"table/a.png": (picture, reading)})
    assert made.faces[Face("8", "S")][0] is made.faces[Face("8", "H")][0]


def test_too_few_cards_give_one_sentence(deck: DeckArt, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="some subfolder shows every rank wholly in sight, got none"):
        decks_of(tmp_path, {"table/a.png": photo(deck, SHOWN[:12])})
