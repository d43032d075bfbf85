"""How a deck without suits is printed: three families of designs, and everything else at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from datasets.decks.deck_art import CARD_WIDTH
from datasets.decks.signs import Mask, fonts
from datasets.decks.unsuited.figures import PERSONS, PIPS, SIGNS, Colour

Family = Literal["pips", "ribbon", "poster"]
FAMILIES: tuple[Family, ...] = ("pips", "ribbon", "poster")
"""Pips on light paper; a coloured ribbon along the edge that holds the index; a poster on dark or coloured paper."""
MarkKind = Literal["sign", "word down", "word along", "word across", "letters", "sign and word"]
Quirk = Literal["bare", "boxed"]
"""What few decks have: persons fill their cards, which have no index; numbers stand light in a box of their color."""
PROPORTIONS = (1.3, 1.75)


@dataclass(frozen=True)
class Design:
    """What all cards of a deck share; lengths are shares of the card's width.

    Attributes:
        family: one of FAMILIES.
        font: of its indices.
        height: of its pictures, in pixels.
        paper: BGR.
        colours: what its ranks are printed in, in turns.
        one_colour: all ranks are printed in the first of ``colours``.
        rank_height, rank_width, margin: of its indices.
        four_corners: whether there is one in each corner.
        pip: what is counted on number cards.
        pip_below: a small pip stands below the rank.
        frame: width of a line round the picture in pixels; 0: none.
        outline: a line along the edge.
        two_headed: a person stands on its head in the lower half.
        marks: how each named card is marked at the corners.
        signs: the sign of each named card.
        words: how each is called on the card.
        quirks: those that the deck has.
    """

    family: Family
    font: Path
    height: int
    paper: Colour
    colours: tuple[Colour, ...]
    one_colour: bool
    rank_height: float
    rank_width: float
    margin: tuple[float, float]
    four_corners: bool
    pip: Mask
    pip_below: bool
    frame: int
    outline: bool
    two_headed: bool
    marks: Mapping[str, MarkKind]
    signs: Mapping[str, Mask]
    words: Mapping[str, str]
    quirks: frozenset[Quirk] = frozenset()


def hues(rng: np.random.Generator, count: int, dark: bool) -> tuple[Colour, ...]:
    """Colours as unlike each other as ``count`` allows, BGR: deep ones, or pale ones for ``dark`` paper."""
    first = rng.uniform(0, 180)
    saturation, value = ((50, 130), (225, 256)) if dark else ((140, 256), (90, 200))
    hsv = [
        (int(first + n * 180 / count) % 180, int(rng.integers(*saturation)), int(rng.integers(*value)))
        for n in rng.permutation(count)
    ]
    made = cv2.cvtColor(np.asarray([hsv], np.uint8), cv2.COLOR_HSV2BGR)[0]
    return tuple((int(b), int(g), int(r)) for b, g, r in made)


def _paper(rng: np.random.Generator, family: Family, dark: bool) -> Colour:
    tint = rng.uniform(0.9, 1.0, 3)
    if family == "ribbon":
        return int(rng.integers(185, 235)), int(rng.integers(220, 248)), int(rng.integers(232, 255))
    if dark:
        return int(rng.integers(15, 80)), int(rng.integers(15, 60)), int(rng.integers(10, 70))
    return int(255 * tint[0]), int(250 * tint[1]), int(255 * tint[2])


def random_design(
    rng: np.random.Generator, named: Sequence[str], family: Family | None = None, held_out: bool = False
) -> Design:
    """Samples a design; ``named`` are the ranks with a name, such as LADY, each of which gets a mark of its own."""
    choice = fonts(held_out)
    family = family or FAMILIES[int(rng.integers(len(FAMILIES)))]
    dark = family == "poster" and rng.random() < 0.6
    paper = _paper(rng, family, dark)
    tall = float(rng.uniform(0.17, 0.3))
    signs = {}
    for rank in named:
        if rank in SIGNS:
            choices = SIGNS[rank]
            signs[rank] = choices[int(rng.integers(len(choices)))](rng)
    # the words of one deck all run the same way
    way: MarkKind = ("word down", "word along", "word across")[int(rng.integers(3))]
    kinds: tuple[MarkKind, ...] = ("sign", way, "letters", "sign and word")
    if family == "ribbon":
        kinds = ("sign", "letters", "sign and word")
    one = kinds[int(rng.integers(len(kinds)))] if rng.random() < 0.4 else None
    marks = {rank: one or kinds[int(rng.integers(len(kinds)))] for rank in named}
    case = str.upper if rng.random() < 0.5 else str.title
    return Design(
        family=family,
        font=choice[int(rng.integers(len(choice)))],
        height=round(CARD_WIDTH * float(rng.uniform(*PROPORTIONS))),
        paper=paper,
        colours=hues(rng, 13, dark),
        one_colour=bool(rng.random() < 0.3),
        rank_height=tall,
        rank_width=tall * float(rng.uniform(0.75, 1.0)),
        margin=(float(rng.uniform(0.035, 0.075)), float(rng.uniform(0.035, 0.08))),
        four_corners=bool(rng.random() < (0.6 if family == "poster" else 0.15)),
        pip=PIPS[int(rng.integers(len(PIPS)))](rng),
        pip_below=bool(family == "pips" and rng.random() < 0.7),
        frame=int(rng.integers(1, 5)) if rng.random() < 0.6 else 0,
        outline=bool(rng.random() < 0.5),
        two_headed=bool(rng.random() < 0.6),
        marks=marks,
        signs=signs,
        words={rank: case(rank) for rank in named if rank in PERSONS},
    )
