"""Jokers in every style: each painter draws a different one, far more than the available decks contain.

A joker is recognised by its corners: a word in any font, downwards, along the edge or across, beside stars, moons,
caps and crowns, or one of these alone; printed pale or in several colours, on a band or in a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.arrays import Cutout, Picture, floats
from datasets.decks.deck_art import CARD_WIDTH
from datasets.decks.signs import Mask, crescent, glyph, stamp_both_ends, star, suit_mask

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
WORDS, WORD_SHARES = ("JOKER", "Joker", "joker", "JOLLY", "Jolly"), (0.56, 0.3, 0.06, 0.04, 0.04)
INITIALS = ("JK", "JKR", "Jo", "J", "JOK")
LAYOUTS = ("down", "along", "across", "mark", "mark and word", "initials")
LAYOUT_SHARES = (0.17, 0.16, 0.33, 0.12, 0.16, 0.06)
BANDED, PALE, MANY_COLOURS, FRAMED, PICTURED = 0.08, 0.15, 0.12, 0.15, 0.45
"""Shares of words printed light on a dark band, printed pale, and in several colours; of cards with a frame, and of
cards with a figure from a court card."""


def _cap(rng: np.random.Generator, size: int = 96) -> Mask:
    """A jester's cap: three points with bells over a brim."""
    mask = np.zeros((size, size), np.uint8)
    brim, bell = round(size * rng.uniform(0.7, 0.85)), max(round(size * rng.uniform(0.05, 0.1)), 2)
    for x, y in ((0.1, rng.uniform(0.25, 0.5)), (0.5, 0.1), (0.9, rng.uniform(0.25, 0.5))):
        tip = (round(x * size), round(y * size))
        horn = np.array([[round(size * 0.2), brim], [round(size * 0.8), brim], tip], np.int32)
        cv2.fillPoly(mask, [horn], 255, cv2.LINE_AA)
        cv2.circle(mask, tip, bell, 255, -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.rectangle(mask, (round(size * 0.15), brim), (round(size * 0.85), size - 2), 255, -1)
    return mask


def _crown(rng: np.random.Generator, size: int = 96) -> Mask:
    mask = np.zeros((size, size), np.uint8)
    tips = int(rng.integers(3, 6))
    across = np.linspace(0, size - 1, 2 * tips - 1)
    upper = np.where(np.arange(len(across)) % 2, size * rng.uniform(0.4, 0.6), size * 0.05)
    corners = np.stack([np.r_[across, size - 1, 0], np.r_[upper, size - 1, size - 1]], 1)
    cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def _ring(rng: np.random.Generator, size: int = 96) -> Mask:
    """A disc or a ring with a star cut out."""
    mask = np.zeros((size, size), np.uint8)
    middle = (size // 2, size // 2)
    cv2.circle(mask, middle, size // 2 - 2, 255, -1 if rng.random() < 0.6 else round(size * 0.1), cv2.LINE_AA)
    inner = star(int(rng.integers(4, 9)), rng.uniform(0.3, 0.6))
    return np.asarray(cv2.absdiff(mask, cv2.resize(np.pad(inner, 22), (size, size))), np.uint8)


def _suit(rng: np.random.Generator) -> Mask:
    return suit_mask(str(rng.choice(list("CDHS"))), rng)


def _some_star(rng: np.random.Generator) -> Mask:
    return star(int(rng.integers(4, 9)), rng.uniform(0.25, 0.6))


def _moon(_: np.random.Generator) -> Mask:
    return crescent()


MARKS: tuple[Callable[[np.random.Generator], Mask], ...] = (_some_star, _some_star, _moon, _cap, _cap, _crown, _ring)


def _mark(rng: np.random.Generator) -> Mask:
    """Draws a star, moon, cap, crown or ring, sometimes rotated."""
    mask = MARKS[int(rng.integers(len(MARKS)))](rng)
    if rng.random() < 0.3:
        turn = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), rng.uniform(-40, 40), 0.85)
        mask = np.asarray(cv2.warpAffine(mask, turn, mask.shape[::-1]), np.uint8)
    return mask


def _any_colour(rng: np.random.Generator) -> Colour:
    """Samples a colour of any hue, medium or dark (BGR)."""
    hsv = np.array([[[rng.integers(180), rng.integers(90, 256), rng.integers(70, 236)]]], np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return b, g, r


@dataclass
class _JokerPainter:
    """Draws one joker; whatever is printed in a corner is printed at the far end too, rotated by 180 degrees."""

    rng: np.random.Generator
    picture: Picture
    paper: Colour
    colour: Colour
    font: Path
    four: bool
    pale: float

    def shade(self, colour: Colour) -> Colour:
        """Blends ``colour`` with the paper, by the joker's paleness."""
        b, g, r = (round(c + (p - c) * self.pale) for c, p in zip(colour, self.paper, strict=True))
        return b, g, r

    def put(self, mask: Mask, box: Box, colour: Colour, four: bool | None = None) -> None:
        """Prints ``mask`` in ``box`` (pixels) in two corners, or in all four if ``four`` (default: the joker's own)."""
        stamp_both_ends(self.picture, mask, box, self.shade(colour), self.four if four is None else four)

    def word(self, letters: str, box: Box, down: bool = False, turns: int = 0, four: bool | None = None) -> None:
        """Prints ``letters`` side by side, or one below the other if ``down``, rotated by ``turns`` quarter turns; at
        random in several colours, or light on a band."""
        rng = self.rng
        gap = int(rng.integers(4, 24))
        masks = [glyph(self.font, letter) for letter in letters]
        tall, wide = max(mask.shape[0] for mask in masks), max(mask.shape[1] for mask in masks)
        parts: list[Mask] = []
        for mask in masks:
            h, w = mask.shape
            if down:
                side = wide - w
                parts.append(np.pad(mask, ((0, gap), (side // 2, side - side // 2))))
            else:  # letters share a base line; the tail of a j is moved up a little
                parts.append(np.pad(mask, ((tall - h, 0), (0, gap))))
        starts = np.cumsum([0, *(part.shape[0 if down else 1] for part in parts)])
        whole = np.concatenate(parts, 0 if down else 1)
        colours = [self.colour] * len(parts)
        if rng.random() < MANY_COLOURS:
            colours = [_any_colour(rng) for _ in parts]
        if rng.random() < BANDED:
            self.put(np.full((8, 8), 255, np.uint8), box, self.colour, four)
            x0, y0, x1, y1 = box
            rim = 0.12 * min(x1 - x0, y1 - y0)
            box, colours = (x0 + rim, y0 + rim, x1 - rim, y1 - rim), [self.paper] * len(parts)
        for colour in dict.fromkeys(colours):
            mask = np.zeros_like(whole)
            for part, start, end, own in zip(parts, starts, starts[1:], colours, strict=False):
                if own == colour:
                    mask[(slice(start, end), slice(None)) if down else (slice(None), slice(start, end))] = part
            self.put(np.ascontiguousarray(np.rot90(mask, turns)), box, colour, four)

    def scatter(self, x: float, y: float, most: int) -> None:
        """Prints a few small marks in the corner, each in its own colour or all in one."""
        rng, width = self.rng, self.picture.shape[1]
        one = _any_colour(rng) if rng.random() < 0.4 else None
        for _ in range(int(rng.integers(1, most + 1))):
            size = rng.uniform(0.04, 0.1) * width
            left, top = x + rng.uniform(-0.02, 0.16) * width, y + rng.uniform(-0.02, 0.14) * width
            mask = _suit(rng) if rng.random() < 0.1 else _mark(rng)
            self.put(mask, (left, top, left + size, top + size), one or _any_colour(rng))

    def index(self) -> None:
        """Prints the index."""
        rng = self.rng
        height, width = self.picture.shape[:2]
        x, y = rng.uniform(0.025, 0.09) * width, rng.uniform(0.02, 0.09) * height
        letters = str(rng.choice(WORDS, p=WORD_SHARES))
        layout = str(rng.choice(LAYOUTS, p=LAYOUT_SHARES))
        thick = rng.uniform(0.06, 0.14) * width
        if layout == "down":
            self.word(letters, (x, y, x + thick, y + rng.uniform(0.2, 0.42) * height), down=True)
        elif layout == "along":
            turns = 1 if rng.random() < 0.5 else 3
            self.word(letters, (x, y, x + thick, y + rng.uniform(0.22, 0.45) * height), turns=turns)
        elif layout == "across":
            wide = rng.uniform(0.26, 0.62) * width
            left = x + rng.uniform(0, 0.16) * width
            decked = rng.random() < 0.7
            if self.four or (decked and rng.random() < 0.5):  # the word is centred between marks
                wide, decked = min(wide, 0.42 * width), True
                left = (width - wide) / 2 + rng.normal(0, 0.02) * width
            self.word(letters, (left, y, left + wide, y + wide * rng.uniform(0.2, 0.42)), four=False)
            if decked:
                self.scatter(x, y, 5)
        elif layout == "mark":
            size = rng.uniform(0.1, 0.21) * width
            self.put(_mark(rng), (x, y, x + size, y + size * rng.uniform(0.9, 1.2)), self.colour)
        elif layout == "mark and word":
            size, tall = rng.uniform(0.08, 0.15) * width, rng.uniform(0.18, 0.34) * height
            gap = rng.uniform(0.01, 0.04) * width
            first, second = (y, y + size + gap) if rng.random() < 0.7 else (y + tall + gap, y)
            self.put(_mark(rng), (x, first, x + size, first + size), _any_colour(rng))
            down = rng.random() < 0.6
            box = (x, second, x + size * rng.uniform(0.7, 1.0), second + tall)
            self.word(letters, box, down=down, turns=0 if down else int(rng.choice([1, 3])))
        else:
            tall = rng.uniform(0.12, 0.24) * width
            letters = str(rng.choice(INITIALS))
            self.word(letters, (x, y, x + tall * rng.uniform(0.35, 0.5) * len(letters), y + tall))
            if len(letters) < 3:  # a single letter would look like a jack
                size = rng.uniform(0.08, 0.13) * width
                self.put(_mark(rng), (x, y + tall * 1.1, x + size, y + tall * 1.1 + size), self.colour)

    def figure(self, court: Cutout | None) -> None:
        """Fills the middle: a court card's figure with shifted hue, or a few large marks."""
        rng = self.rng
        height, width = self.picture.shape[:2]
        x0, y0 = round(rng.uniform(0.2, 0.3) * width), round(rng.uniform(0.1, 0.24) * height)
        inner = self.picture[y0 : height - y0, x0 : width - x0]
        if court is not None:
            cut = court[round(court.shape[0] * 0.12) : round(court.shape[0] * 0.88), round(court.shape[1] * 0.22) :]
            cut = cut[:, : round(court.shape[1] * 0.56)]
            shown = cv2.resize(cut[:, :, :3], inner.shape[1::-1], interpolation=cv2.INTER_AREA)
            shown = np.asarray(shown * (floats(self.paper) / 255), np.uint8)  # white becomes the joker's paper
            hsv = cv2.cvtColor(shown, cv2.COLOR_BGR2HSV)
            hsv[:, :, 0] = (hsv[:, :, 0].astype(int) + int(rng.integers(180))) % 180
            inner[:] = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
            if rng.random() < 0.5:
                inner[:] = inner[::-1, ::-1].copy()
            return
        for _ in range(int(rng.integers(1, 9))):
            size = rng.uniform(0.15, 0.6) * width
            cx, cy = rng.uniform(0.3, 0.7) * width, rng.uniform(0.25, 0.75) * height
            self.put(_mark(rng), (cx - size / 2, cy - size / 2, cx + size / 2, cy + size / 2), _any_colour(rng), False)


def draw_varied_joker(
    rng: np.random.Generator,
    alpha: Mask,
    paper: Colour,
    letters: Sequence[Path],
    courts: Sequence[Cutout],
    four_corners: bool,
) -> Cutout:
    """Draws one joker, (height, CARD_WIDTH, 4) BGRA.

    Args:
        alpha: its size and rounded corners, (height, CARD_WIDTH).
        paper: colour of the paper, BGR.
        letters: fonts for its word; one is chosen.
        courts: pictures of court cards, (height, width, 4) BGRA, whose figure may be used.
        four_corners: whether its index is in all four corners.
    """
    height = alpha.shape[0]
    picture = np.full((height, CARD_WIDTH, 3), paper, np.uint8)
    dark = int(rng.integers(60))
    red = int(rng.integers(150, 240)) if rng.random() < 0.5 else dark
    colour = _any_colour(rng) if rng.random() < 0.4 else (dark, dark, red)
    pale = float(rng.uniform(0.2, 0.7)) if rng.random() < PALE else 0.0
    font = letters[int(rng.integers(len(letters)))]
    painter = _JokerPainter(rng, picture, paper, colour, font, four_corners, pale)
    court = courts[int(rng.integers(len(courts)))] if len(courts) and rng.random() < PICTURED else None
    painter.figure(court)
    if rng.random() < FRAMED:
        rim = int(rng.integers(3, 9))
        far = (CARD_WIDTH - rim, height - rim)
        cv2.rectangle(picture, (rim, rim), far, painter.shade(colour), int(rng.integers(1, 3)), cv2.LINE_AA)
    painter.index()
    return np.dstack([picture, alpha])
