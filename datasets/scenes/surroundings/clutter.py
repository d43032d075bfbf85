"""Objects on a card table other than cards: cups, pens, printed paper, keyboards, hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Picture, doubles, floats
from datasets.decks.signs import fonts, glyph, stamp, suit_mask
from scorer.faces import SUITS

Owner = NDArray[np.int16]
"""(height, width): the number of the card that each pixel shows, or -1."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789?&%+abcdefghjkqr"
Thing = tuple[Picture, NDArray[np.uint8]]
"""A picture (height, width, 3) and its mask (height, width)."""
DrawThing = Callable[[np.random.Generator, int], Thing]
"""Draws a thing of about this size in pixels."""


def any_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    b, g, r = (int(value) for value in rng.integers(10, 245, 3))
    return b, g, r


def print_letters(rng: np.random.Generator, picture: Picture, size: float, lines: int) -> None:
    choice = fonts(held_out=False)
    font = choice[int(rng.integers(len(choice)))]
    height, width = picture.shape[:2]
    colour = any_colour(rng) if rng.random() < 0.4 else (30, 30, 30)
    for line in range(lines):
        x, y = size * 0.5, size * (0.5 + 1.5 * line)
        while x < width - size and y < height - size:
            mask = glyph(font, _LETTERS[int(rng.integers(len(_LETTERS)))])
            wide = size * mask.shape[1] / max(mask.shape[0], 1)
            stamp(picture, mask, (x, y, x + min(wide, size * 1.2), y + size), colour)
            x += min(wide, size * 1.2) + size * (1.2 if rng.random() < 0.15 else 0.2)


def draw_paper(rng: np.random.Generator, size: int) -> Thing:
    """Draws a sheet of paper, mostly with print on it; returns picture and mask."""
    picture = np.full((size, round(size * rng.uniform(0.6, 1.4)), 3), int(rng.integers(180, 256)), np.uint8)
    if rng.random() < 0.3:
        picture[:] = any_colour(rng)
    if rng.random() < 0.85:
        print_letters(rng, picture, size * rng.uniform(0.04, 0.2), int(rng.integers(1, 12)))
    if rng.random() < 0.25:  # suit symbols that are not on a card
        for _ in range(int(rng.integers(1, 6))):
            x, y, wide = rng.uniform(0, size * 0.8), rng.uniform(0, size * 0.8), size * rng.uniform(0.05, 0.2)
            stamp(picture, suit_mask(str(rng.choice(SUITS)), rng), (x, y, x + wide, y + wide), any_colour(rng))
    return picture, np.full(picture.shape[:2], 255, np.uint8)


def _keyboard(rng: np.random.Generator, size: int) -> Thing:
    key = size // 5
    picture = np.full((key * 5, key * 13, 3), int(rng.integers(20, 180)), np.uint8)
    shade = int(rng.integers(10, 245))
    ink_colour = (240, 240, 240) if shade < 120 else (30, 30, 30)
    choice = fonts(held_out=False)
    font = choice[int(rng.integers(len(choice)))]
    for row in range(5):
        for column in range(13):
            x, y = column * key + row % 2 * key // 3, row * key
            cv2.rectangle(picture, (x + 2, y + 2), (x + key - 3, y + key - 3), (shade,) * 3, -1)
            mask = glyph(font, _LETTERS[int(rng.integers(len(_LETTERS)))])
            stamp(picture, mask, (x + key * 0.25, y + key * 0.2, x + key * 0.5, y + key * 0.6), ink_colour)
    return picture, np.full(picture.shape[:2], 255, np.uint8)


def draw_cup(rng: np.random.Generator, size: int) -> Thing:
    """Draws a cup from above; returns picture and mask."""
    picture = np.zeros((size, size, 3), np.uint8)
    mask = np.zeros((size, size), np.uint8)
    middle = size // 2
    for share, colour in ((0.48, any_colour(rng)), (0.43, any_colour(rng)), (0.36, any_colour(rng))):
        cv2.circle(picture, (middle, middle), round(size * share), colour, -1, cv2.LINE_AA)
    cv2.circle(mask, (middle, middle), round(size * 0.48), 255, -1, cv2.LINE_AA)
    if rng.random() < 0.3:
        print_letters(rng, picture, size * 0.15, 3)
    return picture, mask


def draw_stick(rng: np.random.Generator, size: int) -> Thing:
    """Draws an elongated object, such as a pen, a phone or a ruler; returns picture and mask."""
    wide = max(round(size * rng.uniform(0.05, 0.5)), 4)
    picture = np.full((size, wide, 3), 0, np.uint8)
    picture[:] = any_colour(rng)
    if wide > 12:
        cv2.rectangle(picture, (wide // 8, wide // 6), (wide - wide // 8, size - wide // 6), any_colour(rng), -1)
    return picture, np.full((size, wide), 255, np.uint8)


def draw_fingers(rng: np.random.Generator, size: int) -> Thing:
    """Draws the fingers of a hand reaching in, in one skin colour, with shading; returns picture and mask."""
    mask = np.zeros((size, size), np.uint8)
    skin = floats([130, 160, 210]) * rng.uniform(0.35, 1.15)
    picture = np.zeros((size, size, 3), np.uint8)
    palm = (size // 2, round(size * 0.95))
    thick = round(size * rng.uniform(0.1, 0.17))
    for finger in range(int(rng.integers(1, 5))):
        tip = (round(size * (0.15 + 0.2 * finger)), round(size * rng.uniform(0.05, 0.4)))
        for width, shade in ((thick, 0.85), (round(thick * 0.6), 1.0)):
            cv2.line(picture, palm, tip, tuple(float(v) for v in np.clip(skin * shade, 0, 255)), width, cv2.LINE_AA)
        cv2.line(mask, palm, tip, 255, thick, cv2.LINE_AA)
        cv2.circle(picture, tip, thick // 4, tuple(float(v) for v in np.clip(skin * 1.15, 0, 255)), -1, cv2.LINE_AA)
    return picture, mask


_UNDER: tuple[DrawThing, ...] = (
    draw_paper,
    draw_paper,
    _keyboard,
    draw_cup,
    draw_stick,
)
_OVER: tuple[DrawThing, ...] = (draw_fingers, draw_fingers, draw_cup, draw_stick, draw_paper)


def scatter_objects(
    rng: np.random.Generator,
    picture: Picture,
    owner: Owner,
    card_pixels: float,
    over: bool,
    count: int,
    kinds: Sequence[DrawThing] = (),
) -> None:
    """Draws ``count`` objects into ``picture``, under the cards or ``over`` them, of certain ``kinds`` or the usual;
    clears ``owner`` where they lie."""
    height, width = picture.shape[:2]
    kinds = kinds or (_OVER if over else _UNDER)
    for _ in range(count):
        size = int(np.clip(card_pixels * rng.uniform(0.6, 3.0), 24, 480))
        item, mask = kinds[int(rng.integers(len(kinds)))](rng, size)
        spot = rng.uniform(0, 1, 2) * (width, height)
        turn = cv2.getRotationMatrix2D((item.shape[1] / 2, item.shape[0] / 2), float(rng.uniform(0, 360)), 1.0)
        turn[:, 2] = turn[:, 2] + spot - doubles([item.shape[1] / 2, item.shape[0] / 2])
        warped = cv2.warpAffine(item, turn, (width, height))
        cover = cv2.warpAffine(mask, turn, (width, height))
        where = cover > 127
        picture[where] = warped[where]
        owner[where] = -1
