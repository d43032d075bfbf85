"""Printed things that are no cards and are often taken for some: newspapers, games' boxes, wallets, score sheets,
adverts, bank cards, photographs, and cloth with a pattern."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Picture, floats
from datasets.decks.signs import Mask, crescent, fonts, glyph, stamp, star, suit_mask
from datasets.scenes.surroundings.clutter import DrawThing, Thing, any_colour, print_letters
from scorer.faces import SUITS

_WORDS = (
    "THE FAMILY GAME OF THE YEAR BEST PRICE SALE NEWS 2 4 PLAYERS AGE 8 99 10 POINTS ROUND TOTAL RUMMY CLUB BANK VISA"
)


def _rounded(height: int, width: int, radius: float) -> Mask:
    mask, r = np.zeros((height, width), np.uint8), max(round(radius), 1)
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _word(rng: np.random.Generator, picture: Picture, x: float, y: float, tall: float) -> float:
    """Prints a word or a number at (x, y), ``tall`` pixels high; returns its width."""
    choice, words = fonts(held_out=False), _WORDS.split()
    mask = glyph(choice[int(rng.integers(len(choice)))], words[int(rng.integers(len(words)))])
    wide = float(tall * mask.shape[1] / max(mask.shape[0], 1))
    stamp(picture, mask, (x, y, x + wide, y + tall), any_colour(rng))
    return wide


def _art(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A picture of coloured shapes, as on a photograph or a box."""
    picture = np.full((height, width, 3), any_colour(rng), np.uint8)
    for _ in range(int(rng.integers(4, 25))):
        corners = rng.uniform(-0.1, 1.1, (int(rng.integers(3, 7)), 2)) * (width, height)
        cv2.fillPoly(picture, [cv2.convexHull(corners.astype(np.int32))], any_colour(rng), cv2.LINE_AA)
    if rng.random() < 0.6:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 0.05 * width + 1))), np.uint8)
    return picture


def draw_newspaper(rng: np.random.Generator, size: int) -> Thing:
    """Draws a page in columns, with headlines and pictures; returns picture and mask."""
    width = round(size * rng.uniform(0.7, 1.3))
    picture = np.full((size, width, 3), int(rng.integers(175, 250)), np.uint8)
    columns = int(rng.integers(2, 5))
    for column in range(columns):
        x0, x1 = round(width * (column + 0.06) / columns), round(width * (column + 0.94) / columns)
        y = round(0.04 * size)
        while y < size - 12:
            tall = round(size * rng.uniform(0.08, 0.35))
            block = picture[y : min(y + tall, size), x0:x1]
            pick = rng.random()
            if pick < 0.25:
                block[:] = _art(rng, *block.shape[:2])
            elif pick < 0.5:
                print_letters(rng, block, size * rng.uniform(0.04, 0.12), 2)
            else:
                print_letters(rng, block, max(size * rng.uniform(0.012, 0.035), 3), 12)
            y += tall + 4
    return picture, np.full((size, width), 255, np.uint8)


def draw_box(rng: np.random.Generator, size: int) -> Thing:
    """Draws the lid of a game: a picture, large words, a number or a sign in a corner; returns picture and mask."""
    height = round(size * rng.uniform(0.6, 1.5))
    picture = _art(rng, height, size)
    for _ in range(int(rng.integers(1, 4))):
        tall = float(rng.uniform(0.06, 0.25)) * size
        _word(rng, picture, float(rng.uniform(0, 0.5)) * size, float(rng.uniform(0, 0.85)) * height, tall)
    if rng.random() < 0.6:
        tall = float(rng.uniform(0.05, 0.15)) * size
        _word(rng, picture, 0.04 * size, 0.04 * size, tall)
        stamp(
            picture,
            _sign(rng),
            (0.04 * size, 0.06 * size + tall, 0.04 * size + tall, 0.06 * size + 2 * tall),
            any_colour(rng),
        )
    return picture, np.full(picture.shape[:2], 255, np.uint8)


def _sign(rng: np.random.Generator) -> Mask:
    pick = rng.random()
    return (
        star(int(rng.integers(4, 9)), 0.5)
        if pick < 0.3
        else crescent()
        if pick < 0.4
        else suit_mask(str(rng.choice(SUITS)), rng)
    )


def draw_wallet(rng: np.random.Generator, size: int) -> Thing:
    """Draws a wallet or a leather case with a seam, pressed letters and cards that look out; returns picture and
    mask."""
    height = round(size * rng.uniform(0.55, 1.2))
    colour = floats([40, 60, 90]) * float(rng.uniform(0.2, 1.6)) if rng.random() < 0.6 else floats(any_colour(rng))
    grain = rng.normal(1, 0.06, (height, size, 1))
    picture = (colour * grain).clip(0, 255).astype(np.uint8)
    seam = tuple(float(value) for value in (colour * 1.5 + 20).clip(0, 255))
    off = max(round(0.04 * size), 2)
    for x in range(off, size - off, max(round(0.03 * size), 3)):
        for y in (off, height - off):
            cv2.line(picture, (x, y), (x + max(off // 3, 1), y), seam, 1)
    for _ in range(int(rng.integers(0, 4))):
        tall = float(rng.uniform(0.05, 0.16)) * size
        _word(rng, picture, float(rng.uniform(0.05, 0.6)) * size, float(rng.uniform(0.05, 0.8)) * height, tall)
    for n in range(int(rng.integers(0, 4))):  # the edges of cards in it
        top = round(height * (0.1 + 0.12 * n))
        cv2.rectangle(picture, (off * 2, top), (size - off * 2, top + round(0.09 * height)), any_colour(rng), -1)
    return picture, _rounded(height, size, 0.05 * size)


def draw_score_sheet(rng: np.random.Generator, size: int) -> Thing:
    """Draws a ruled sheet with numbers in columns; returns picture and mask."""
    width = round(size * rng.uniform(0.6, 1.0))
    picture = np.full((size, width, 3), int(rng.integers(215, 256)), np.uint8)
    step, columns = max(round(size * rng.uniform(0.05, 0.1)), 8), int(rng.integers(2, 6))
    ruled = tuple(int(value) for value in rng.integers(120, 215, 3))
    ink = (int(rng.integers(60, 190)), 40, 30) if rng.random() < 0.5 else (40, 40, 40)
    for y in range(step, size, step):
        cv2.line(picture, (0, y), (width, y), ruled, 1)
    for column in range(columns):
        x = round(width * column / columns)
        cv2.line(picture, (x, 0), (x, size), ruled, 1)
        for y in range(2 * step, size - step, step):
            if rng.random() < 0.7:
                number = str(int(rng.integers(0, 2000)))
                place = (x + 4, y - max(step // 6, 1))
                cv2.putText(picture, number, place, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, step / 34, ink, 1, cv2.LINE_AA)
    return picture, np.full((size, width), 255, np.uint8)


def draw_other_card(rng: np.random.Generator, size: int) -> Thing:
    """Draws a card that is no playing card: of a bank or a club, an advert, a photograph with a white edge, a card of
    another game with a picture alone; returns picture and mask."""
    height = round(size * rng.uniform(0.58, 1.6))
    edge = round(size * rng.uniform(0.03, 0.12))
    white = rng.random() < 0.6
    picture = np.full((height, size, 3), int(rng.integers(215, 256)), np.uint8) if white else _art(rng, height, size)
    pick = rng.random()
    if pick < 0.5 and white:
        inside = picture[edge : height - edge, edge : size - edge]
        inside[:] = _art(rng, *inside.shape[:2])
    elif pick < 0.85:
        for n in range(int(rng.integers(1, 6))):
            tall = float(rng.uniform(0.04, 0.11)) * size
            _word(rng, picture, float(rng.uniform(0.05, 0.4)) * size, (0.1 + 0.15 * n) * height, tall)
    return picture, _rounded(height, size, float(rng.uniform(0.01, 0.07)) * size)


PRINTS: tuple[DrawThing, ...] = (
    draw_newspaper,
    draw_box,
    draw_wallet,
    draw_score_sheet,
    draw_other_card,
    draw_other_card,
)


def draw_cloth(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Draws a table cloth with a motif that comes again: flowers, stars, suits, letters; (height, width, 3)."""
    cell = int(rng.integers(24, 130))
    tile = np.full((cell, cell, 3), any_colour(rng), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        wide = cell * float(rng.uniform(0.15, 0.6))
        x, y = rng.uniform(0, max(cell - wide, 1), 2).tolist()
        choice = fonts(held_out=False)
        letter = glyph(choice[int(rng.integers(len(choice)))], "&" if rng.random() < 0.5 else "S")
        stamp(tile, letter if rng.random() < 0.15 else _sign(rng), (x, y, x + wide, y + wide), any_colour(rng))
    whole = np.tile(tile, (height // cell + 2, width // cell + 2, 1))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), 1.0)
    seen = cv2.warpAffine(whole, turn, (width, height), borderMode=cv2.BORDER_WRAP)
    soft = float(rng.uniform(0.2, 1.2))
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), soft), np.uint8)
