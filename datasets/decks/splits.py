"""Training and held-out decks: those of the installed packages and drawn ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import platformdirs

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import court_art, draw_deck, with_new_jokers
from datasets.decks.papers import printed_anew
from datasets.decks.styles import USUAL_LOOK, Look
from datasets.decks.svg_decks import HELD_OUT, SVG_DECKS, DeckSourceError, load_svg_deck

DRAWN_TRAINING = 90
DRAWN_HELD_OUT = 12
NEW_SHARE = 0.75
"""Share of the decks from ``sample_deck`` that are newly drawn."""
PACKAGED_NEW_JOKERS, DRAWN_NEW_JOKERS = 0.7, 0.6
"""Share of packaged decks and of newly drawn ones that get new jokers."""
_DRAWN = "drawn-"
_FIRST_NEW_SEED, _HELD_OUT_SEED = 1_000_000, 900_000


def default_cache() -> Path:
    """Returns the user's cache folder for rendered decks."""
    return Path(platformdirs.user_cache_dir("handfoot")) / "decks"


def _load_svg_decks(names: list[str]) -> list[DeckArt]:
    decks = []
    for name in names:
        try:
            decks.append(load_svg_deck(name, default_cache()))
        except DeckSourceError as error:
            print(f"deck {name} left out: {error}", file=sys.stderr)
    return decks


def training_decks(drawn: int = DRAWN_TRAINING, first_seed: int = 0) -> list[DeckArt]:
    """Returns the training decks: those of the installed packages and ``drawn`` drawn ones."""
    svg = _load_svg_decks([name for name in SVG_DECKS if name not in HELD_OUT])
    art = court_art(svg)
    drawn_decks = [draw_deck(f"{_DRAWN}{seed}", seed, court_art=art) for seed in range(first_seed, first_seed + drawn)]
    return svg + drawn_decks


def sample_deck(packaged: Sequence[DeckArt], rng: np.random.Generator, look: Look = USUAL_LOOK) -> DeckArt:
    """Samples a training deck: a newly drawn one, or, less often, one of ``packaged``.

    Most get newly drawn jokers too: jokers differ more between decks than anything else, and the packages hold only
    some fifty. Only these come in every style, some with an index in all four corners. A ``look`` other than the usual
    asks for a newly drawn deck, but any deck can be printed anew on any paper.
    """
    if look.any_paper:
        return printed_anew(sample_deck(packaged, rng, replace(look, any_paper=False)), rng)
    if look != USUAL_LOOK or not packaged or rng.random() < NEW_SHARE:
        seed, share = int(rng.integers(_FIRST_NEW_SEED, 2**31)), DRAWN_NEW_JOKERS
        deck = draw_deck(f"{_DRAWN}{seed}", seed, court_art=court_art(packaged), look=look)
        if look.own_signs:
            return deck
    else:
        deck, share = packaged[int(rng.integers(len(packaged)))], PACKAGED_NEW_JOKERS
    return with_new_jokers(deck, rng) if rng.random() < share else deck


def held_out_names() -> list[str]:
    """Returns the names of the held-out decks, without drawing them."""
    return [*sorted(HELD_OUT), *(f"held-out-{_HELD_OUT_SEED + n}" for n in range(DRAWN_HELD_OUT))]


def held_out_decks() -> list[DeckArt]:
    """Returns the held-out decks: other designs of the packages, and drawn decks in held-out fonts."""
    svg = _load_svg_decks(sorted(HELD_OUT))
    art = court_art(svg)
    seeds = range(_HELD_OUT_SEED, _HELD_OUT_SEED + DRAWN_HELD_OUT)
    return svg + [draw_deck(f"held-out-{seed}", seed, held_out=True, court_art=art) for seed in seeds]
