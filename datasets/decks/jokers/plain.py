"""Plain jokers, for drawn decks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.arrays import Picture, floats
from datasets.decks.deck_art import CARD_WIDTH
from datasets.decks.signs import Mask, crescent, glyph, stamp, stamp_both_ends, star

Colour = tuple[int, int, int]
KIND_SHARES = (0.17, 0.15, 0.27, 0.13, 0.13, 0.15)
"""Probability of each kind of index; see ``_print_index``."""


def _word_down(font: Path, word: str) -> Mask:
    """Renders the letters of ``word`` one below the other, upright."""
    letters = [glyph(font, letter) for letter in word]
    width = max(letter.shape[1] for letter in letters)
    rows = []
    for letter in letters:
        pad = width - letter.shape[1]
        rows.append(np.pad(letter, ((0, 14), (pad // 2, pad - pad // 2))))
    return np.concatenate(rows)


def _print_index(picture: Picture, rng: np.random.Generator, colour: Colour, font: Path, four_corners: bool) -> None:
    """Prints the index in two corners or in all four: the word downwards, along the edge or across; a star; both; or
    letters."""
    height, width = picture.shape[:2]

    def mark(mask: Mask, box: tuple[float, float, float, float]) -> None:
        stamp_both_ends(picture, mask, box, colour, four_corners)

    x, y = rng.uniform(0.03, 0.08) * width, rng.uniform(0.03, 0.08) * width
    word = str(rng.choice(["JOKER", "Joker", "JOKER"]))
    kind = int(rng.choice(6, p=KIND_SHARES))
    if kind == 0:
        mask, wide = _word_down(font, word), rng.uniform(0.07, 0.13) * width
        mark(mask, (x, y, x + wide, y + rng.uniform(0.22, 0.4) * height))
    elif kind == 1:  # along the edge, rotated to the left or to the right
        mask = np.rot90(glyph(font, word), 1 if rng.random() < 0.5 else 3)
        wide = rng.uniform(0.07, 0.13) * width
        box = (x, y, x + wide, y + rng.uniform(0.25, 0.4) * height)
        mark(np.ascontiguousarray(mask), box)
    elif kind == 2:
        _print_across(picture, rng, colour, glyph(font, word), (x, y), four_corners)
    elif kind == 3:
        size = rng.uniform(0.1, 0.2) * width
        shape = star(int(rng.integers(5, 9)), rng.uniform(0.3, 0.6))
        if rng.random() < 0.4:
            ring = np.zeros((96, 96), np.uint8)
            cv2.circle(ring, (48, 48), 46, 255, -1, cv2.LINE_AA)
            shape = np.asarray(cv2.subtract(ring, cv2.resize(np.pad(shape, 20), (96, 96))), np.uint8)
        mark(shape, (x, y, x + size, y + size))
    elif kind == 4:
        size = rng.uniform(0.09, 0.15) * width
        mark(star(5, 0.4), (x, y, x + size, y + size))
        mask = _word_down(font, word)
        top = y + size + 0.03 * width
        mark(mask, (x, top, x + size * 0.9, top + rng.uniform(0.2, 0.32) * height))
    else:
        tall = rng.uniform(0.13, 0.25) * width
        letters = "JK" if rng.random() < 0.3 else "" if rng.random() < 0.2 else "JOKER"
        # a drawn star: few fonts have one, the others print an empty box in its place
        mask = glyph(font, letters) if letters else star(5, 0.4)
        ratio = min(mask.shape[1] / mask.shape[0], 2.2)
        mark(mask, (x, y, x + tall * ratio * 0.7, y + tall * 0.8))


def _print_across(
    picture: Picture,
    rng: np.random.Generator,
    colour: Colour,
    word: Mask,
    corner: tuple[float, float],
    four_corners: bool,
) -> None:
    """Prints the word across the top, and mostly small stars and moons at its side."""
    width, (x, y) = picture.shape[1], corner
    wide = rng.uniform(0.3, 0.6) * width
    left = x + rng.uniform(0, 0.15) * width
    if four_corners:  # the word is centred between the marks
        wide = min(wide, 0.36 * width)
        left = (width - wide) / 2
    stamp_both_ends(picture, word, (left, y, left + wide, y + wide * rng.uniform(0.22, 0.36)), colour, False)
    if rng.random() < 0.6 or four_corners:
        gold = (30, int(rng.integers(110, 210)), 235) if rng.random() < 0.8 else colour
        for _ in range(int(rng.integers(1, 6))):
            small = rng.uniform(0.04, 0.09) * width
            sx, sy = x + rng.uniform(-0.02, 0.14) * width, y + rng.uniform(-0.02, 0.12) * width
            mask = star(5, 0.4) if rng.random() < 0.6 else crescent()
            stamp_both_ends(picture, mask, (sx, sy, sx + small, sy + small), gold, four_corners)


def _figure(picture: Picture, rng: np.random.Generator, colour: Colour) -> None:
    """Draws a jester: a head with a cap and bells over coloured shapes; or only a large star."""
    height, width = picture.shape[:2]
    cx, cy = width / 2 + rng.uniform(-10, 10), height * rng.uniform(0.4, 0.5)
    palette = [(40, 40, 220), (40, 180, 40), (230, 160, 40), (40, 200, 240), (160, 40, 160), colour, (20, 20, 20)]

    def shade() -> Colour:
        return palette[int(rng.integers(len(palette)))]

    if rng.random() < 0.2:
        size = rng.uniform(0.3, 0.5) * width
        stamp(picture, star(5, 0.4), (cx - size / 2, cy - size / 2, cx + size / 2, cy + size / 2), shade())
        return
    for _ in range(int(rng.integers(6, 16))):
        corners = floats([cx, cy + 0.18 * height]) + rng.normal(0, 1, (4, 2)) * floats([0.13, 0.1]) * height
        corners = np.clip(corners, [0.2 * width, 0.12 * height], [0.8 * width, 0.88 * height])
        cv2.fillPoly(picture, [cv2.convexHull(corners.astype(np.int32))], shade(), cv2.LINE_AA)
    for side in (-1, 0, 1):
        tip = (cx + side * rng.uniform(0.18, 0.26) * width, cy - rng.uniform(0.14, 0.24) * height)
        base = floats([[cx - 0.1 * width, cy - 0.03 * height], [cx + 0.1 * width, cy - 0.03 * height], tip])
        cv2.fillPoly(picture, [base.astype(np.int32)], shade(), cv2.LINE_AA)
        cv2.circle(picture, (round(tip[0]), round(tip[1])), 5, (40, 200, 240), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (round(cx), round(cy)), (24, 30), 0, 0, 360, (190, 205, 235), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (round(cx), round(cy)), (24, 30), 0, 0, 360, (20, 20, 20), 1, cv2.LINE_AA)
    cv2.ellipse(picture, (round(cx), round(cy + 10)), (12, 8), 0, 0, 180, (20, 20, 160), 2, cv2.LINE_AA)


def draw_joker(
    rng: np.random.Generator,
    height: int,
    paper: Colour,
    colour: Colour,
    font: Path,
    others: Sequence[Path],
    four_corners: bool = False,
) -> Picture:
    """Draws one joker, (height, CARD_WIDTH, 3) BGR.

    Its word is set in the deck's ``font`` or, as often, in one of ``others``; its index is in two corners, or in all
    ``four_corners``.
    """
    if rng.random() < 0.5:
        font = others[int(rng.integers(len(others)))]
    picture = np.full((height, CARD_WIDTH, 3), paper, np.uint8)
    _figure(picture, rng, colour)
    _print_index(picture, rng, colour, font, four_corners)
    return picture
