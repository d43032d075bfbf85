"""Draws a deck without suits, such as Hand 'n Foot's, from a seed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np

from datasets.arrays import Cutout, Picture
from datasets.decks.backs import patterned_back
from datasets.decks.deck_art import CARD_WIDTH, DeckArt, Marks, Rect, rounded_alpha
from datasets.decks.play import Play, ProfilePlay, play_of
from datasets.decks.signs import Mask, glyph, stamp, stamp_both_ends
from datasets.decks.unsuited.designs import FAMILIES, Design, Family, Quirk, random_design
from datasets.decks.unsuited.figures import PERSONS, Colour, draw_person
from scorer.deck import load_deck
from scorer.faces import Face

SUITLESS_FACES = tuple(map(Face, ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "R3", "B3", "W20", "W50")))
"""A deck with red and black threes, and wilds that are worth 20 and 50."""
SUITLESS_PLAY = ProfilePlay(
    copies={face: {"R3": 2, "B3": 2, "W50": 2}.get(face.rank, 4) for face in SUITLESS_FACES},
    wilds=(Face("W20"), Face("W50")),
    melded=tuple(face.rank for face in SUITLESS_FACES[:11]),
    alone=(Face("R3"), Face("B3")),
)
RED, BLACK, WHITE = (40, 30, 205), (30, 28, 28), (250, 250, 250)
LONGEST_MARK = (0.2, 0.18)
"""What counts as the index of a long word: as much of its beginning, in shares of the card's width and height."""
BOX, FILLED = 0.02, 0.06
"""What a box reaches beyond its number, and the margin of a picture that fills its card, in card widths."""
_COURT = {"J": "JESTER", "Q": "LADY", "K": "LORD"}
_LETTERS = {"LORD": "LD", "LADY": "LY", "VILLAIN": "V", "JESTER": "JS", "JOKER": "JK"}
_SIX = 900_100
"""Seed of the six fixed designs."""


class _Card:
    """One card while it is drawn."""

    def __init__(self, design: Design, face: Face, number: int, rng: np.random.Generator) -> None:
        self.design, self.face, self.rng = design, face, rng
        self.picture: Picture = np.full((design.height, CARD_WIDTH, 3), design.paper, np.uint8)
        self.colour: Colour = design.colours[0 if design.one_colour else number % len(design.colours)]
        dark = max(design.paper) < 128
        if face.rank in ("R3", "B3"):
            red: Colour = (90, 90, 255) if dark else RED
            self.colour = red if face.rank == "R3" else (200, 200, 200) if dark else BLACK
        self.ink: Colour = WHITE if design.family == "ribbon" else self.colour

    def text(self) -> str:
        """What is printed for the rank of a card without a name."""
        rank = self.face.rank
        return "3" if rank in ("R3", "B3") else rank.removeprefix("W") if rank in ("W20", "W50") else rank

    def put(self, mask: Mask, box: Rect, colour: Colour | None = None) -> Rect:
        """Prints part of the index, in two corners or four; returns its box."""
        stamp_both_ends(self.picture, mask, box, colour or self.ink, self.design.four_corners)
        return box

    def index(self) -> Rect | None:
        """Prints the index; returns its box in pixels, None of a card without one."""
        design, width = self.design, CARD_WIDTH
        x, y = design.margin[0] * width, design.margin[1] * width
        tall, wide = design.rank_height * width, design.rank_width * width
        rank = self.face.rank
        if rank in PERSONS:
            return None if "bare" in design.quirks else self._named(x, y, tall, wide)
        mask = glyph(design.font, self.text())
        used = min(mask.shape[1] / mask.shape[0] * tall, wide)
        middle = x + wide / 2
        boxed = "boxed" in design.quirks
        if boxed:
            pad = BOX * width
            self.put(np.full((8, 8), 255, np.uint8), (x - pad, y - pad, x + wide + pad, y + tall + pad))
        ink = design.paper if boxed else None
        box = self.put(mask, (middle - used / 2, y, middle + used / 2, y + tall), ink)
        size = 0.5 * wide
        if design.pip_below:
            top = y + tall + 0.025 * width
            self.put(design.pip, (middle - size / 2, top, middle + size / 2, top + size))
        return box

    def _named(self, x: float, y: float, tall: float, wide: float) -> Rect:
        design, rank = self.design, self.face.rank
        kind, font, word = design.marks[rank], design.font, design.words[rank]
        height, width = self.picture.shape[:2]
        if kind == "letters":
            mask = glyph(font, _LETTERS[rank])
            used = min(mask.shape[1] / mask.shape[0] * tall, wide)
            return self.put(mask, (x + (wide - used) / 2, y, x + (wide + used) / 2, y + tall))
        if kind == "word across":
            mask = glyph(font, word)
            long = min(0.62 * width, mask.shape[1] / mask.shape[0] * 0.6 * tall)
            return self.put(mask, (x, y, x + long, y + 0.6 * tall))
        thick = 0.55 * wide
        if kind == "word along":
            mask = np.ascontiguousarray(np.rot90(glyph(font, word), 3))
            long = min(0.42 * height, mask.shape[0] / mask.shape[1] * thick)
            return self.put(mask, (x, y, x + thick, y + long))
        if kind == "word down":
            letters = [glyph(font, letter) for letter in word.upper()]
            across = max(letter.shape[1] for letter in letters)
            rows = [
                np.pad(one, ((0, 14), ((across - one.shape[1]) // 2, -((one.shape[1] - across) // 2))))
                for one in letters
            ]
            mask = np.concatenate(rows)
            return self.put(mask, (x, y, x + thick, y + min(0.42 * height, mask.shape[0] / mask.shape[1] * thick)))
        size = min(tall, wide)
        sign = (x, y, x + size, y + size)
        if kind == "sign and word":
            mask = np.ascontiguousarray(np.rot90(glyph(font, word), 3))
            top = y + size + 0.03 * width
            self.put(
                mask, (x, top, x + 0.5 * size, top + min(0.3 * height, mask.shape[0] / mask.shape[1] * 0.5 * size))
            )
        return self.put(design.signs[rank], sign)

    def draw(self) -> tuple[Cutout, Rect | None]:
        """Returns the card without its rounded corners, (height, CARD_WIDTH, 3), and the index's box in shares."""
        design, picture, width = self.design, self.picture, CARD_WIDTH
        height = design.height
        reach = design.margin[0] + design.rank_width + 0.03
        if design.family == "ribbon":
            band = round(width * (2 * design.margin[0] + design.rank_width))
            cv2.rectangle(picture, (0, 0), (band, height), self.colour, -1)
            cv2.rectangle(picture, (width - band - 1, 0), (width, height), self.colour, -1)
            reach = band / width + 0.03
        fills = self.face.rank in PERSONS and "bare" in design.quirks
        reach = FILLED if fills else reach
        x0, x1 = round(reach * width), round((1 - reach) * width)
        inset = (
            FILLED if fills else design.margin[1] + (design.rank_height if design.family == "poster" else 0.06) * 0.8
        )
        y0 = round(inset * width)
        self._middle(x0, y0, x1, height - y0)
        box = self.index()
        if design.outline:
            cv2.rectangle(picture, (1, 1), (width - 2, height - 2), (120, 120, 120), 1)
        if box is None:
            return picture, None
        x1_, y1_ = min(box[2], box[0] + LONGEST_MARK[0] * width), min(box[3], box[1] + LONGEST_MARK[1] * height)
        if self.face.rank not in PERSONS:
            x1_, y1_ = box[2], box[3]
        return picture, (box[0] / width, box[1] / height, x1_ / width, y1_ / height)

    def _middle(self, x0: int, y0: int, x1: int, y1: int) -> None:
        design, rng, rank = self.design, self.rng, self.face.rank
        panel = self.picture[y0:y1, x0:x1]
        if design.family == "poster":
            panel[:] = np.asarray(0.75 * np.asarray(panel, np.float32) + 0.25 * np.asarray(self.colour), np.uint8)
        person = rank if rank in PERSONS else _COURT.get(rank, "")
        if person:
            palette = [*design.colours[1::3], WHITE, self.colour]
            whole = panel if not design.two_headed else panel[: panel.shape[0] // 2]
            draw_person(np.random.default_rng(rng.integers(2**31)), whole, person, palette)
            if design.two_headed:
                panel[-whole.shape[0] :] = whole[::-1, ::-1]
        elif rank.isdigit() and design.family == "pips":
            self._pips(panel, int(rank))
        else:
            self._big(panel)
        if design.frame:
            cv2.rectangle(self.picture, (x0, y0), (x1, y1), self.colour, design.frame, cv2.LINE_AA)

    def _pips(self, panel: Picture, count: int) -> None:
        columns = 1 if count < 4 else 2 if count < 9 else 3
        rows = -(-count // columns)
        height, width = panel.shape[:2]
        size = min(width / columns, height / rows) * 0.72
        for n in range(count):
            row, column = divmod(n, columns)
            in_row = min(columns, count - row * columns)
            x = (column + 0.5 + (columns - in_row) / 2) * width / columns
            y = (row + 0.5) * height / rows
            stamp(panel, self.design.pip, (x - size / 2, y - size / 2, x + size / 2, y + size / 2), self.colour)

    def _big(self, panel: Picture) -> None:
        """The rank large in the middle, with a pip at each end of the panel; wilds have a ring of pips."""
        height, width = panel.shape[:2]
        mask = glyph(self.design.font, "WILD" if self.face.rank.startswith("W") else self.text())
        tall = min(0.36 * height, 0.8 * width * mask.shape[0] / mask.shape[1])
        wide = tall * mask.shape[1] / mask.shape[0]
        middle = (width / 2, height / 2)
        box = (middle[0] - wide / 2, middle[1] - tall / 2, middle[0] + wide / 2, middle[1] + tall / 2)
        stamp(panel, mask, box, self.colour)
        size = 0.17 * width
        ring = 9 if self.face.rank == "W50" else 6 if self.face.rank == "W20" else 2
        for n in range(ring):
            angle = 2 * np.pi * n / ring + np.pi / 2
            x, y = middle[0] + 0.4 * width * np.cos(angle), middle[1] + 0.38 * height * np.sin(angle)
            shade = self.design.colours[(3 * n) % 13] if ring > 2 else self.colour
            stamp(panel, self.design.pip, (x - size / 2, y - size / 2, x + size / 2, y + size / 2), shade)


def draw_unsuited_deck(
    name: str,
    seed: int,
    faces: Sequence[Face] = SUITLESS_FACES,
    play: Play = SUITLESS_PLAY,
    family: Family | None = None,
    held_out: bool = False,
    quirks: Collection[Quirk] = (),
) -> DeckArt:
    """Draws a whole deck from ``seed``; the same seed and fonts give the same deck.

    Args:
        name: its name.
        seed: what everything not given follows from.
        faces: its faces, without suits: numbers, letters, R3 and B3, W20 and W50, and those of ``figures.PERSONS``.
        play: which of them lie together.
        family: the family of its design; by default any.
        held_out: use the fonts that are held out of training.
        quirks: what few decks have.
    """
    rng = np.random.default_rng([seed, 17])
    design = random_design(rng, [face.rank for face in faces if face.rank in PERSONS], family, held_out)
    design = replace(design, quirks=frozenset(quirks))
    alpha = rounded_alpha(design.height, CARD_WIDTH, float(rng.uniform(0.03, 0.08)) * CARD_WIDTH)
    pictures: dict[Face, tuple[Cutout, ...]] = {}
    marks: dict[Face, tuple[Marks, ...]] = {}
    for number, face in enumerate(faces):
        picture, box = _Card(design, face, number, rng).draw()
        pictures[face] = (np.dstack([picture, alpha]),)
        marks[face] = ((box, box),)
    numbers = [marks[face][0][0] for face in faces if face.rank in ("4", "8", "9")]
    return DeckArt(
        name=name,
        faces=pictures,
        back=np.dstack([patterned_back(rng, design.height), alpha]),
        rank_box=next(box for box in (*numbers, marks[faces[0]][0][0]) if box is not None),
        four_corners=design.four_corners,
        four_corner_jokers=design.four_corners,
        play=play,
        marks=marks,
    )


def hand_n_foot_deck(
    name: str, seed: int, family: Family | None = None, held_out: bool = False, quirks: Collection[Quirk] = ()
) -> DeckArt:
    """Draws a deck of the game Hand 'n Foot: 1 to 12, Lord, Lady, Villain, Jester and Joker."""
    profile = load_deck("hand-n-foot")
    return draw_unsuited_deck(name, seed, profile.faces, play_of(profile), family, held_out, quirks)


FIXED_NAMES = tuple(f"{kind}-{family}" for kind in ("hand-n-foot", "suitless") for family in FAMILIES)
"""Names of ``fixed_unsuited_decks``."""
QUIRKY: dict[str, tuple[Family, Quirk]] = {
    "hand-n-foot-bare": ("pips", "bare"),
    "hand-n-foot-bare-poster": ("poster", "bare"),
    "suitless-boxed": ("pips", "boxed"),
}
"""The family and the quirk of each of ``quirky_decks``, by its name."""


def fixed_unsuited_decks() -> list[DeckArt]:
    """Returns three unlike designs of a Hand 'n Foot deck and three of a deck without suits, for reported figures."""
    return [
        *(hand_n_foot_deck(f"hand-n-foot-{family}", _SIX + n, family, True) for n, family in enumerate(FAMILIES)),
        *(
            draw_unsuited_deck(f"suitless-{family}", _SIX + 50 + n, family=family, held_out=True)
            for n, family in enumerate(FAMILIES)
        ),
    ]


def quirky_decks() -> list[DeckArt]:
    """Returns decks with what few have, for reported figures: picture cards without an index, on white and on dark
    paper, and numbers in a box."""
    return [
        (hand_n_foot_deck if name.startswith("hand-n-foot") else draw_unsuited_deck)(
            name, _SIX + 80 + n, family=family, held_out=True, quirks=[quirk]
        )
        for n, (name, (family, quirk)) in enumerate(QUIRKY.items())
    ]
