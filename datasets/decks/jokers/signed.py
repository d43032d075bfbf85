"""Jokers with a sign of their own in the corner and no word: a mask, a bell, a spiral, a hat, letters of other games.

Every maker has another; what they share is that the sign is no rank of any deck. SIGNS_APART are kept for the sealed
tables: no training draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from datasets.arrays import Cutout, floats
from datasets.decks.deck_art import CARD_WIDTH
from datasets.decks.signs import Mask, fonts, glyph, stamp_both_ends, star

Colour = tuple[int, int, int]
SIZE = 96
BELOW_SHARE = 0.4
"""Share of jokers with a second, smaller sign below the first."""


def _blank() -> Mask:
    return np.zeros((SIZE, SIZE), np.uint8)


def _points(points: Sequence[tuple[float, float]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round(floats(points) * SIZE).astype(np.int32)


def _bell(rng: np.random.Generator) -> Mask:
    mask = _blank()
    cv2.ellipse(mask, (48, 46), (30, 38), 0, 180, 360, 255, -1, cv2.LINE_AA)
    cv2.fillPoly(mask, [_points([(0.19, 0.48), (0.81, 0.48), (0.95, 0.8), (0.05, 0.8)])], 255, cv2.LINE_AA)
    cv2.circle(mask, (48, 84), round(rng.uniform(7, 11)), 255, -1, cv2.LINE_AA)
    return mask


def _mask(rng: np.random.Generator) -> Mask:
    mask = _blank()
    cv2.ellipse(mask, (48, 44), (44, 42), 0, 0, 180, 255, -1, cv2.LINE_AA)
    cv2.rectangle(mask, (4, 8), (92, 46), 255, -1)
    for x in (28, 68):
        cv2.ellipse(mask, (x, 36), (12, round(rng.uniform(5, 10))), 0, 0, 360, 0, -1, cv2.LINE_AA)
    cv2.ellipse(mask, (48, 58), (20, 14), 0, 0, 180, 0, round(rng.uniform(4, 9)), cv2.LINE_AA)
    return mask


def _spiral(rng: np.random.Generator) -> Mask:
    mask, turns = _blank(), rng.uniform(2, 3.5)
    t = np.linspace(0, 1, 90)
    around = np.stack([np.cos(t * turns * 2 * np.pi), np.sin(t * turns * 2 * np.pi)], 1) * t[:, None] * 42 + 48
    cv2.polylines(mask, [np.round(around).astype(np.int32)], False, 255, round(rng.uniform(6, 11)), cv2.LINE_AA)
    return mask


def _hat(rng: np.random.Generator) -> Mask:
    mask = _blank()
    top = rng.uniform(0.05, 0.2)
    cv2.fillPoly(mask, [_points([(0.25, top), (0.75, top), (0.7, 0.75), (0.3, 0.75)])], 255, cv2.LINE_AA)
    cv2.ellipse(mask, (48, 76), (46, 14), 0, 0, 360, 255, -1, cv2.LINE_AA)
    return mask


def _diamonds(rng: np.random.Generator) -> Mask:
    """The lozenges of a harlequin's coat."""
    mask, count = _blank(), int(rng.integers(2, 4))
    step = 1 / count
    for row in range(count):
        for column in range(count):
            if (row + column) % 2 == 0:
                x, y = column * step, row * step
                corners = [(x + step / 2, y), (x + step, y + step / 2), (x + step / 2, y + step), (x, y + step / 2)]
                cv2.fillPoly(mask, [_points(corners)], 255, cv2.LINE_AA)
    return mask


def _sun(rng: np.random.Generator) -> Mask:
    mask = star(int(rng.integers(8, 17)), rng.uniform(0.55, 0.75))
    cv2.circle(mask, (48, 48), round(rng.uniform(8, 20)), 0, round(rng.uniform(3, 6)), cv2.LINE_AA)
    return mask


def _letter(choice: str) -> Callable[[np.random.Generator], Mask]:
    def draw(rng: np.random.Generator) -> Mask:
        usable = fonts(held_out=False)
        mask = glyph(usable[int(rng.integers(len(usable)))], choice[int(rng.integers(len(choice)))])
        side = max(mask.shape)
        high, wide = side - mask.shape[0], side - mask.shape[1]
        padded = np.pad(mask, ((high // 2, high - high // 2), (wide // 2, wide - wide // 2)))
        return np.asarray(cv2.resize(padded, (SIZE, SIZE), interpolation=cv2.INTER_AREA), np.uint8)

    return draw


def _face(rng: np.random.Generator) -> Mask:
    mask = _blank()
    cv2.circle(mask, (48, 48), 44, 255, round(rng.uniform(6, 10)), cv2.LINE_AA)
    for x in (34, 62):
        cv2.circle(mask, (x, 38), 6, 255, -1, cv2.LINE_AA)
    cv2.ellipse(mask, (48, 52), (24, 22), 0, 15, 165, 255, 6, cv2.LINE_AA)
    return mask


def _wheel(rng: np.random.Generator) -> Mask:
    mask, spokes = _blank(), int(rng.integers(4, 9))
    cv2.circle(mask, (48, 48), 40, 255, 9, cv2.LINE_AA)
    for angle in np.arange(spokes) * 2 * np.pi / spokes:
        end = (round(48 + 40 * np.cos(angle)), round(48 + 40 * np.sin(angle)))
        cv2.line(mask, (48, 48), end, 255, 6, cv2.LINE_AA)
    return mask


SIGNS: tuple[Callable[[np.random.Generator], Mask], ...] = (_bell, _mask, _spiral, _hat, _diamonds, _letter("*?W!&"))
SIGNS_APART: tuple[Callable[[np.random.Generator], Mask], ...] = (_face, _wheel, _sun, _letter("X#$@"))


def _colour(rng: np.random.Generator, paper: Colour) -> Colour:
    """Samples a colour that stands out from the paper (BGR)."""
    while True:
        b, g, r = (int(value) for value in rng.integers(0, 256, 3))
        if abs(min(b, g, r) - min(paper)) > 90:
            return b, g, r


def draw_signed_joker(
    rng: np.random.Generator,
    alpha: Mask,
    paper: Colour,
    courts: Sequence[Cutout],
    four_corners: bool,
    apart: bool = False,
) -> Cutout:
    """Draws one joker, (height, CARD_WIDTH, 4) BGRA.

    ``alpha`` is its size and rounded corners, ``paper`` its colour (BGR), ``courts`` are pictures whose middle may fill
    it; the sign is in two corners or in all ``four_corners``; ``apart`` takes the signs that no training draws.
    """
    height, signs = alpha.shape[0], SIGNS_APART if apart else SIGNS
    picture = np.full((height, CARD_WIDTH, 3), paper, np.uint8)
    sign, colour = signs[int(rng.integers(len(signs)))](rng), _colour(rng, paper)
    if courts and rng.random() < 0.5:
        court = courts[int(rng.integers(len(courts)))][:, :, :3]
        y0, x0 = round(0.2 * height), round(0.3 * CARD_WIDTH)
        inner = picture[y0 : height - y0, x0 : CARD_WIDTH - x0]
        part = court[round(0.2 * court.shape[0]) : round(0.8 * court.shape[0]), round(0.3 * CARD_WIDTH) : -x0]
        inner[:] = cv2.resize(part[::-1], inner.shape[1::-1], interpolation=cv2.INTER_AREA)
    else:
        size = rng.uniform(0.3, 0.55) * CARD_WIDTH
        x, y = (CARD_WIDTH - size) / 2, (height - size) / 2
        stamp_both_ends(picture, signs[int(rng.integers(len(signs)))](rng), (x, y, x + size, y + size), colour, False)
    x, y = rng.uniform(0.03, 0.09, 2) * CARD_WIDTH
    size = rng.uniform(0.1, 0.22) * CARD_WIDTH
    stamp_both_ends(picture, sign, (x, y, x + size, y + size), colour, four_corners)
    if rng.random() < BELOW_SHARE:
        top, small = y + 1.1 * size, 0.7 * size
        second = signs[int(rng.integers(len(signs)))](rng)
        stamp_both_ends(picture, second, (x, top, x + small, top + small), _colour(rng, paper), four_corners)
    return np.dstack([picture, alpha])
