"""Card backs: plain ones for drawn decks, and patterned ones of many kinds for cards that lie face down."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, floats
from datasets.decks.deck_art import CARD_WIDTH
from datasets.decks.signs import fonts, glyph, stamp, star, suit_mask
from scorer.faces import SUITS

Colour = tuple[int, int, int]
_WORDS = ("CLUB", "CASINO", "POKER", "LUCKY", "HOTEL", "AIR", "No. 92", "ACE", "K & Q", "7 UP", "A")


def _colour(rng: np.random.Generator) -> Colour:
    b, g, r = (int(value) for value in rng.integers(10, 240, 3))
    return b, g, r


def _lattice(rng: np.random.Generator, picture: Picture, colour: Colour) -> None:
    """Crossing lines of random slope and width."""
    height, width = picture.shape[:2]
    step, thick, slope = int(rng.integers(5, 32)), int(rng.integers(1, 5)), float(rng.uniform(0.4, 2.0))
    for at in range(-2 * height, width + 2 * height, step):
        cv2.line(picture, (at, 0), (round(at + slope * height), height), colour, thick, cv2.LINE_AA)
        cv2.line(picture, (round(at + slope * height), 0), (at, height), colour, thick, cv2.LINE_AA)


def _filigree(rng: np.random.Generator, picture: Picture, colour: Colour) -> None:
    """Superposed waves cut at a level: looks like the leaf ornaments that many makers print."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    pattern = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(3, 9))):
        angle, length = rng.uniform(0, np.pi), rng.uniform(6, 60)
        pattern += np.cos((x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / length + rng.uniform(0, 6.3))
    if rng.random() < 0.7:
        pattern += pattern[:, ::-1]
    level, wide = np.quantile(pattern, rng.uniform(0.3, 0.7)), rng.uniform(0.15, 1.5)
    picture[np.abs(pattern - level) < wide if rng.random() < 0.5 else pattern > level] = colour


def _rings(rng: np.random.Generator, picture: Picture, colour: Colour) -> None:
    """A guilloche curve round the centre, often repeated smaller at the corners."""
    height, width = picture.shape[:2]
    turns, inner, reach = int(rng.integers(5, 40)), float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.25, 0.5)) * width
    angle = np.linspace(0, 2 * np.pi, 1500)
    radius = 1 - inner * np.abs(np.sin(angle * turns / 2)) ** float(rng.uniform(0.5, 2))
    curve = np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None]
    middles = [(width / 2, height / 2, 1.0)]
    if rng.random() < 0.6:
        at, small = float(rng.uniform(0.08, 0.2)) * width, float(rng.uniform(0.15, 0.4))
        middles += [(x, y, small) for x in (at, width - at) for y in (at, height - at)]
    for x, y, size in middles:
        points = (curve * reach * size + floats([x, y])).astype(np.int32)
        if rng.random() < 0.3:
            cv2.fillPoly(picture, [points], colour, cv2.LINE_AA)
        else:
            cv2.polylines(picture, [points], True, colour, int(rng.integers(1, 3)), cv2.LINE_AA)


def _repeated_shape(rng: np.random.Generator, picture: Picture, colour: Colour) -> None:
    """A repeated small shape: a suit or a star."""
    height, width = picture.shape[:2]
    size = float(rng.uniform(0.05, 0.22)) * width
    step = size * float(rng.uniform(1.1, 2.2))
    shapes = [suit_mask(str(rng.choice(SUITS)), rng), star(int(rng.integers(4, 9)), float(rng.uniform(0.3, 0.7)))]
    mask = shapes[int(rng.integers(2))]
    for row, y in enumerate(np.arange(step / 4, height - size, step)):
        for x in np.arange(step / 4 + (row % 2) * step / 2, width - size, step):
            stamp(picture, mask, (float(x), float(y), float(x + size), float(y + size)), colour)


def _name_pattern(rng: np.random.Generator, picture: Picture, colour: Colour) -> None:
    """A maker's or club's name, in the middle or in the corners."""
    height, width = picture.shape[:2]
    letters = fonts(held_out=False)
    mask = glyph(letters[int(rng.integers(len(letters)))], str(rng.choice(_WORDS)))
    tall = float(rng.uniform(0.07, 0.25)) * width
    wide = min(tall * mask.shape[1] / mask.shape[0], 0.8 * width)
    x, y = (float(rng.uniform(0.03, 0.12)) * width,) * 2
    if rng.random() < 0.5:
        x, y = (width - wide) / 2, (height - tall) * float(rng.uniform(0.1, 0.5))
    stamp(picture, mask, (x, y, x + wide, y + tall), colour)


def _clouds(rng: np.random.Generator, picture: Picture, colour: Colour) -> None:
    """Soft blots of two colours, like a photograph seen from afar."""
    height, width = picture.shape[:2]
    cells = int(rng.integers(3, 14))
    share = cv2.resize(rng.random((cells, cells)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    mixed: Floats = picture * (1 - share[..., None]) + floats(colour) * share[..., None]
    picture[:] = np.clip(mixed, 0, 255).astype(np.uint8)


_PATTERNS: tuple[Callable[[np.random.Generator, Picture, Colour], None], ...] = (
    *(_lattice, _lattice, _filigree, _filigree, _filigree, _rings, _rings, _repeated_shape, _name_pattern, _clouds),
)


def patterned_back(rng: np.random.Generator, height: int) -> Picture:
    """Draws a back, (height, CARD_WIDTH, 3) BGR: up to three patterns over each other, with or without a white border;
    most have 180-degree symmetry."""
    ground, rim = _colour(rng), int(rng.integers(0, 26)) if rng.random() < 0.75 else 0
    if rng.random() < 0.5:  # most packs come in red and in blue
        deep, rest = int(rng.integers(110, 220)), int(rng.integers(10, 70))
        ground = (deep, rest + 20, rest) if rng.random() < 0.5 else (rest, rest, deep)
    picture = np.full((height, CARD_WIDTH, 3), int(rng.integers(225, 256)), np.uint8)
    if rng.random() < 0.15:
        picture[:] = _colour(rng)
    inner = np.full((height - 2 * rim, CARD_WIDTH - 2 * rim, 3), ground, np.uint8)
    for _ in range(int(rng.integers(4)) or 1):
        colour = (245, 245, 245) if rng.random() < 0.4 else _colour(rng)
        _PATTERNS[int(rng.integers(len(_PATTERNS)))](rng, inner, colour)
    if rng.random() < 0.4:
        at, colour = int(rng.integers(2, 24)), (240, 240, 240) if rng.random() < 0.5 else _colour(rng)
        corner = (inner.shape[1] - 1 - at, inner.shape[0] - 1 - at)
        cv2.rectangle(inner, (at, at), corner, colour, int(rng.integers(1, 4)))
    if rng.random() < 0.9:
        half = inner.shape[0] // 2
        inner[inner.shape[0] - half :] = inner[:half][::-1, ::-1]
    picture[rim : height - rim, rim : CARD_WIDTH - rim] = inner
    return picture


def plain_back(rng: np.random.Generator, height: int) -> Picture:
    """Draws a simple back, (height, CARD_WIDTH, 3) BGR: lines, lozenges or rings in one colour with a white border."""
    colour = tuple(int(value) for value in rng.integers(20, 200, 3))
    picture = np.full((height, CARD_WIDTH, 3), 245, np.uint8)
    rim = int(rng.integers(0, 22))
    inner = picture[rim : height - rim, rim : CARD_WIDTH - rim]
    inner[:] = colour
    step = int(rng.integers(8, 30))
    light = tuple(min(value + 90, 255) for value in colour)
    kind = int(rng.integers(3))
    for at in range(-height, CARD_WIDTH + height, step):
        if kind < 2:
            cv2.line(inner, (at, 0), (at + height, height), light, 1 + kind, cv2.LINE_AA)
            cv2.line(inner, (at + height, 0), (at, height), light, 1 + kind, cv2.LINE_AA)
    if kind == 2:
        for y in range(0, height, step):
            for x in range(0, CARD_WIDTH, step):
                cv2.circle(inner, (x, y), step // 2, light, 1, cv2.LINE_AA)
    return picture
