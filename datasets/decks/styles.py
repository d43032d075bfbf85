"""What all cards of a drawn deck share, sampled at random; and looks that the usual decks lack, asked for by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np

from datasets.decks.deck_art import CARD_WIDTH
from datasets.decks.signs import Mask, fonts, suit_mask
from scorer.faces import SUITS

Colour = tuple[int, int, int]
PROPORTIONS, INDEX_WIDTHS = (1.25, 1.9), (0.1, 0.33)
"""Ranges of a card's height and of its rank's width, both in card widths, where a look asks for any: tarot cards are
1.75 high, bridge 1.56, poker 1.4; indices for weak eyes take a third of the card."""
FOREIGN_LETTERS: tuple[Mapping[str, str], ...] = (
    {"J": "B", "Q": "D"},
    {"J": "B", "Q": "D"},
    {"J": "B", "Q": "D", "A": "1"},
    {"J": "V", "Q": "D", "K": "R"},
    {"J": "V", "Q": "D", "K": "R", "A": "1"},
    {"J": "V", "Q": "D", "K": "R", "A": "1"},
)
"""Letters of German packs (Bube, Dame, König, Ass) and of French ones (valet, dame, roi, as)."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a drawn deck differs from the usual; the default is the usual.

    Attributes:
        any_proportion: its cards' proportion is any of PROPORTIONS.
        any_index: its indices' width is any of INDEX_WIDTHS.
        dark: its paper is black or dark.
        foreign: its court cards have German or French letters.
        own_signs: its jokers carry signs of their own (``jokers.signed``): those for training, or those kept apart.
        any_paper: its paper and ink are of any colour and finish (``papers``).
        rank_alone: its indices have no suit.
        second_index: a second, smaller index stands in the upper right corner.
    """

    any_proportion: bool = False
    any_index: bool = False
    dark: bool = False
    foreign: bool = False
    own_signs: Literal["", "training", "apart"] = ""
    any_paper: bool = False
    rank_alone: bool = False
    second_index: bool = False


USUAL_LOOK = Look()


@dataclass(frozen=True)
class Style:
    """What all cards of a deck share; lengths as fractions of the card's width."""

    font: Path
    rank_height: float
    rank_width: float
    suit_size: float
    gap: float
    margin: tuple[float, float]
    four_corners: bool
    beside: bool
    colours: dict[str, Colour]
    paper: Colour
    outline: Colour | None
    frame: bool
    pips: dict[str, Mask]
    show_pips: bool
    ten_squeeze: float
    stroke: int = 0
    """Pixels by which letters 96 pixels high are thickened, or thinned if negative."""
    lean: float = 0.0
    letters: Mapping[str, str] = field(default_factory=dict)
    """What is printed for a rank where that is not its own sign."""
    rank_alone: bool = False
    """No suit is printed beside the rank."""
    second: float = 0.0
    """Size of a second index in the upper right corner against the first; 0 for none."""


def random_style(rng: np.random.Generator, held_out: bool) -> Style:
    choice = fonts(held_out)
    jumbo = rng.random() < (0.3 if held_out else 0.45)
    rank_height = float(rng.uniform(0.24, 0.4) if jumbo else rng.uniform(0.135, 0.24))
    red = (int(rng.integers(0, 60)), int(rng.integers(0, 60)), int(rng.integers(150, 246)))
    black = (int(rng.integers(0, 60)),) * 3
    colours = {"H": red, "D": red, "C": black, "S": black}
    if rng.random() < 0.18:  # four colours: diamonds blue or orange, clubs green
        colours["D"] = (210, 90, 20) if rng.random() < 0.7 else (20, 120, 235)
        colours["C"] = (40, 130, 20)
    tint = float(rng.uniform(0.93, 1.0))
    paper = (int(255 * tint * rng.uniform(0.92, 1)), int(255 * tint * rng.uniform(0.97, 1)), int(255 * tint))
    four_corners = bool(rng.random() < (0.22 if held_out else 0.3))
    return Style(
        font=choice[int(rng.integers(len(choice)))],
        rank_height=rank_height,
        rank_width=float(rank_height * rng.uniform(0.42, 0.75)),
        suit_size=float(min(rank_height * rng.uniform(0.55, 1.0), 0.22)),
        gap=float(rng.uniform(0.01, 0.04)),
        margin=(float(rng.uniform(0.025, 0.075)), float(rng.uniform(0.03, 0.085))),
        four_corners=four_corners,
        beside=bool(jumbo and not four_corners and rng.random() < 0.12),
        colours=colours,
        paper=paper,
        outline=(int(rng.integers(0, 200)),) * 3 if rng.random() < 0.4 else None,
        frame=bool(rng.random() < 0.6),
        pips={suit: suit_mask(suit, rng) for suit in SUITS},
        show_pips=bool(rng.random() < 0.93),
        ten_squeeze=float(rng.uniform(1.15, 1.75)),
    )


def looking(style: Style, look: Look, rng: np.random.Generator) -> Style:
    """Changes a style as the ``look`` asks."""
    if look.any_index:
        width = float(rng.uniform(*INDEX_WIDTHS))
        height = min(width / float(rng.uniform(0.5, 0.85)), 0.5)
        suit = float(min(height * rng.uniform(0.45, 1.0), 0.24))
        style = replace(style, rank_width=width, rank_height=height, suit_size=suit, beside=False)
    if look.dark:
        level = float(rng.uniform(8, 70))
        paper = tuple(int(level * gain) for gain in rng.uniform(0.6, 1.3, 3))
        light = int(rng.integers(150, 256))
        bright = (int(rng.integers(60, 130)), int(rng.integers(60, 130)), int(rng.integers(190, 256)))
        if rng.random() < 0.3:  # gold
            bright = (int(rng.integers(60, 110)), int(rng.integers(150, 200)), int(rng.integers(190, 240)))
        colours = {"H": bright, "D": bright, "C": (light,) * 3, "S": (light,) * 3}
        style = replace(style, paper=(paper[0], paper[1], paper[2]), colours=colours)
    if look.rank_alone:
        style = replace(style, rank_alone=True)
    if look.second_index:
        style = replace(style, four_corners=False, second=float(rng.uniform(0.35, 0.65)))
    if look.foreign:
        style = replace(style, letters=FOREIGN_LETTERS[int(rng.integers(len(FOREIGN_LETTERS)))])
    return style


def card_height(rng: np.random.Generator, look: Look) -> int:
    """Samples the height of a deck's pictures in pixels."""
    if look.any_proportion:
        return round(CARD_WIDTH * float(rng.uniform(*PROPORTIONS)))
    return round(CARD_WIDTH * float(rng.choice([1.397, 1.397, 1.54, 1.5])))
