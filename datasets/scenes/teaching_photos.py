"""Photographs of a deck's cards laid out in rows in plain sight, as a household takes them to show its cards, with
truth; and bad ones, as it takes them too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.scenes.camera import Matrix, card_outline, distort_picture, distort_points, sample_camera
from datasets.scenes.card_render import card_tones, lay_card
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.light import photograph
from datasets.scenes.surroundings.backgrounds import draw_background
from datasets.scenes.surroundings.clutter import Owner
from scorer.faces import Face

Bad = Literal["blurred", "cut off", "twice", "overlapping", "two decks", "three cards", "upside down"]
"""What may be wrong with the photographs: nothing can be made out; a row runs out of the picture; one card lies there
in place of another, and so twice; cards of a row cover each other; some cards are another deck's; three cards are all
there are; the camera was held the other way round."""
SIZES = ((4032, 3024), (4000, 3000), (2048, 1536), (2304, 1728))
"""Sizes of the photographs, (width, height): 12 and 3 to 4 megapixels."""
FILLED = (0.8, 0.93)
"""Share of the picture's width or height that the rows take."""
TOUCHING_SHARE, GAPS = 0.3, (1.5, 12.0)
"""Share of photographs whose cards touch, and the gaps between the others' in mm."""
TURNED_SHARE, UNEVEN_SHARE, SORTED_SHARE, TALL_SHARE = 0.12, 0.2, 0.6, 0.2
"""Shares of cards that lie upside down, of photographs with a tone of its own for each card, of decks laid in order
and of photographs that are higher than wide."""
MAX_TILT, TURN = 0.35, 0.04
"""Steepest angle of the camera from the vertical, and standard deviation of its rotation, in radians."""
MARGIN = 0.012
"""Smallest distance of a card from the picture's edge, as a share of its width."""


@dataclass(frozen=True)
class ShownCard:
    """One card of a teaching photograph.

    Attributes:
        deck: its deck.
        face: its face.
        variant: number of its picture among those of its face, from 1.
        quad: its corners in pixels, (4, 2), clockwise from its own top left.
    """

    deck: DeckArt
    face: Face
    variant: int
    quad: Floats


@dataclass(frozen=True)
class TeachingPhoto:
    """A photograph of cards in rows: ``picture`` (height, width, 3) BGR, and its ``cards`` in reading order: row by row
    from the left, as the picture is seen."""

    picture: Picture
    cards: tuple[ShownCard, ...]


Laid = tuple[DeckArt, Face, int]
"""Deck, face and number of the picture, from 0."""


def deck_cards(deck: DeckArt) -> list[Laid]:
    """Every picture of every face of a deck, once."""
    return [(deck, face, n) for face, pictures in deck.faces.items() for n in range(len(pictures))]


def draw_teaching_photos(
    rng: np.random.Generator,
    deck: DeckArt,
    photos: int = 2,
    size: tuple[int, int] | None = None,
    bad: Bad | None = None,
    other: DeckArt | None = None,
    cards: Sequence[Laid] | None = None,
) -> list[TeachingPhoto]:
    """Draws the photographs that teach ``deck``; the same generator state gives the same pictures.

    Args:
        rng: source of everything random.
        deck: the deck.
        photos: on how many photographs its cards are.
        size: (width, height) in pixels; by default one of SIZES, for all of them.
        bad: what is wrong with them; the last one is blurred, cut off, overlapping or upside down.
        other: the deck that is mixed in if ``bad`` is "two decks".
        cards: what is shown; by default every picture of every face.

    Raises:
        ValueError: "two decks" without another deck.
    """
    shown = deck_cards(deck) if cards is None else list(cards)
    size = size or SIZES[int(rng.integers(len(SIZES)))]
    if rng.random() > SORTED_SHARE:
        shown = [shown[i] for i in rng.permutation(len(shown))]
    if bad == "three cards":
        shown, photos = shown[:3], 1
    elif bad == "twice":
        one, two = rng.choice(len(shown), 2, replace=False)
        shown[int(one)] = shown[int(two)]
    elif bad == "two decks":
        if other is None:
            raise ValueError("expected another deck to mix in")
        foreign = deck_cards(other)
        for i in rng.choice(len(shown), max(len(shown) // 6, 2), replace=False):
            shown[int(i)] = foreign[int(rng.integers(len(foreign)))]
    bounds = np.linspace(0, len(shown), photos + 1).round().astype(int)
    made = []
    for n in range(photos):
        part = shown[bounds[n] : bounds[n + 1]]
        made.append(_photo(rng, part, size, bad if n == photos - 1 else None))
    return made


def rows_of(count: int, proportion: float, aspect: float) -> list[int]:
    """Numbers of cards in each row, so that ``count`` cards of a ``proportion`` (height over width) fill a picture of
    an ``aspect`` (width over height); the last row may be shorter."""

    def card_width(columns: int) -> float:
        """Of a card, in widths of the picture, where a row has so many."""
        rows = -(-count // columns)
        return min(1 / columns, 1 / (aspect * rows * proportion))

    columns = max(range(1, count + 1), key=card_width)
    return [columns] * (count // columns) + ([count % columns] if count % columns else [])


def _lay(rng: np.random.Generator, cards: Sequence[Laid], size: tuple[int, int], overlapping: bool) -> list[SceneCard]:
    """Lays the cards in rows about the origin, in mm."""
    tall = max(CARD_MM * deck.height / CARD_WIDTH for deck, _, _ in cards)
    touching = rng.random() < TOUCHING_SHARE
    across, down = (0.4, 0.4) if touching else rng.uniform(*GAPS, 2)
    loose = 0.004 if touching else float(rng.uniform(0.005, 0.035))
    rows = rows_of(len(cards), (tall + down) / (CARD_MM + across), size[0] / size[1])
    covered = int(rng.integers(len(rows))) if overlapping else -1
    width = float(max(rows) * (CARD_MM + across))
    placed: list[SceneCard] = []
    for row, count in enumerate(rows):
        slant, left = float(rng.normal(0, 0.006)), float(rng.normal(0, 0.0 if touching else 2.0))
        step = (CARD_MM + across) * (float(rng.uniform(0.55, 0.8)) if row == covered else 1.0)
        y0 = (row - (len(rows) - 1) / 2) * (tall + down)
        for column in range(count):
            deck, face, n = cards[len(placed)]
            x = left + (column + 0.5) * step - width / 2
            y = y0 + slant * x + float(rng.normal(0, 0.2 if touching else 1.2))
            turn = float(rng.normal(0, loose)) + slant + (np.pi if rng.random() < TURNED_SHARE else 0.0)
            placed.append(SceneCard(deck, face, deck.faces[face][n], x, y, turn, row, "single"))
    return placed


def _camera(
    rng: np.random.Generator, cards: Sequence[SceneCard], size: tuple[int, int], upside_down: bool
) -> tuple[Matrix, float]:
    """A camera that sees all the cards, and the width of a card in pixels at the picture's centre."""
    width, height = size
    spots = doubles([(card.x, card.y) for card in cards])
    tall = CARD_MM * cards[0].deck.height / CARD_WIDTH
    reach = np.abs(spots).max(0) * 2 + (CARD_MM, tall)
    across = float(rng.uniform(*FILLED) * min(width / reach[0], height / reach[1]) * CARD_MM)
    across = min(across, 0.3 * min(size))
    while True:
        turn = float(rng.normal(0, TURN)) + (np.pi if upside_down else 0.0)
        camera = sample_camera(rng, width, height, across, MAX_TILT, turn=turn).table
        quads = np.concatenate([card_outline(card, camera)[0] for card in cards])
        edge = MARGIN * width
        if quads.min() > edge and (quads.max(0) < np.subtract(size, edge)).all():
            return camera, across
        across *= 0.97


def _photo(rng: np.random.Generator, laid: Sequence[Laid], size: tuple[int, int], bad: Bad | None) -> TeachingPhoto:
    if rng.random() < TALL_SHARE:
        size = size[::-1]
    width, height = size
    cards = _lay(rng, laid, size, bad == "overlapping")
    camera, across = _camera(rng, cards, size, bad == "upside down")
    if bad == "cut off":  # the whole scene is moved until a row runs out of the picture
        top = min(float(card_outline(card, camera)[0].min(0)[1]) for card in cards)
        shift = top + float(rng.uniform(0.4, 0.9)) * across
        camera = doubles([[1.0, 0.0, 0.0], [0.0, 1.0, -shift], [0.0, 0.0, 1.0]]) @ camera
    # a background is drawn at half size: its finest grain would take longer than all else
    picture = draw_background(rng, height // 2, width // 2)
    picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    owner: Owner = np.full((height, width), -1, np.int16)
    angle, depth = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.1, 0.5)) if rng.random() < 0.8 else 0.0
    shadow = (float(np.cos(angle)) * 0.015, float(np.sin(angle)) * 0.015, depth)
    tones: Sequence[Floats | None] = [None] * len(cards)
    if rng.random() < UNEVEN_SHARE:
        # the same paper all over, a little lighter or darker: such rows are laid under one lamp
        tones = [floats([*(1 + 0.25 * (tone[:3] - 1)), 0.0]) for tone in card_tones(rng, len(cards))]
    quads = [
        lay_card(picture, owner, card, n, camera, shadow, tone)
        for n, (card, tone) in enumerate(zip(cards, tones, strict=True))
    ]
    if rng.random() < 0.3:
        strength = float(rng.uniform(-0.04, 0.04))
        picture, owner = distort_picture(picture, owner, strength)
        quads = [distort_points(quad, strength, width, height) for quad in quads]
    if bad == "blurred":
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.06 * across), np.uint8)
    shown = [ShownCard(deck, face, n + 1, quad) for (deck, face, n), quad in zip(laid, quads, strict=True)]
    if bad == "upside down":
        shown = shown[::-1]
    return TeachingPhoto(photograph(rng, picture, across), tuple(shown))
