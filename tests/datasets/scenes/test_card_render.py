"""One card drawn into a picture."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Picture, floats
from datasets.decks.deck_art import DeckArt
from datasets.scenes.camera import sample_camera
from datasets.scenes.card_render import lay_card
from datasets.scenes.layouts import SceneCard
from scorer.faces import Face


def _row(deck: DeckArt, step: float) -> list[SceneCard]:
    face = Face("8", "H")
    return [SceneCard(deck, face, deck.faces[face][0], step * i, 0.0, 0.0, 0, "meld") for i in range(4)]


def test_tone_changes_the_colours_of_one_card(deck: DeckArt) -> None:
    camera = sample_camera(np.random.default_rng(1), 400, 300, 100, 0.0).table

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
