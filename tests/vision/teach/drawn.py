"""Photographs of drawn cards in rows for the tests of teaching, and what a reader might say of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.teaching_photos import Bad, TeachingPhoto, deck_cards, draw_teaching_photos
from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.values import CornerReading, Frame, Pixels, Reading, SeenCard, as_quad

SIZE = (1600, 1200)
DECK = draw_deck("taught", 11)
FACES = tuple(dict.fromkeys(DECK.faces))


def photos(
    seed: int,
    count: int = 12,
    deck: DeckArt = DECK,
    bad: Bad | None = None,
    other: DeckArt | None = None,
    number: int = 1,
) -> list[TeachingPhoto]:
    rng = np.random.default_rng(seed)
    return draw_teaching_photos(rng, deck, number, SIZE, bad, other, deck_cards(deck)[:count])


def frame(pixels: Pixels) -> Frame:
    return Frame(pixels, datetime.now(UTC), "test")


def overlap(one: Floats, other: Floats) -> float:
    """Share of their union that two outlines have in common."""
    common = float(cv2.intersectConvexConvex(floats(one), floats(other))[0])
    return common / (cv2.contourArea(floats(one)) + cv2.contourArea(floats(other)) - common)


def seen(face: Face, quad: Floats, confidence: float = 0.999, ends: int = 2) -> SeenCard:
    corner = CornerReading(((face, confidence),), (0, 0, 1, 1), as_quad(quad), confidence)
    return SeenCard(face, confidence, (), as_quad(quad), None, (corner,) * ends)


def reading(cards: Sequence[SeenCard] = ()) -> Reading:
    return Reading(*SIZE, 0.0, tuple(cards), (), ())


def sees_nothing(_frame: Frame) -> Reading:
    """A reader that knows no index of the deck."""
    return reading()
