"""The decks tables are drawn from: those of the installed packages and those drawn here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import platformdirs

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import court_art, draw_deck, with_new_jokers
from datasets.decks.svg_decks import HELD_OUT, SVG_DECKS, DeckSourceError, load_svg_deck

DRAWN_TRAINING = 90
DRAWN_HELD_OUT = 12
NEW_SHARE = 0.75
"""So many of the decks that ``sample_deck`` gives are new."""
NEW_JOKERS, OTHER_JOKERS = 0.7, 0.6
"""So many of the others, and of the new ones, it gives other jokers."""
_OWN = "drawn-"
_FIRST_RENEWED, _HELD_OUT_SEED = 1_000_000, 900_000


def default_cache() -> Path:
    """The folder where rendered decks are kept between runs."""
    return Path(platformdirs.user_cache_dir("handfoot")) / "decks"


def _svg(names: list[str], cache: Path) -> list[DeckArt]:
    found = []
    for name in names:
        try:
            found.append(load_svg_deck(name, cache))
        except DeckSourceError as problem:
            print(f"deck {name} left out: {problem}", file=sys.stderr)
    return found


def training_decks(drawn: int = DRAWN_TRAINING, first_seed: int = 0, cache: Path | None = None) -> list[DeckArt]:
    """Every deck training may see: the installed packages' and
    ``drawn`` of this project's own."""
    svg = _svg([name for name in SVG_DECKS if name not in HELD_OUT], cache or default_cache())
    art = court_art(svg)
    own = [draw_deck(f"{_OWN}{seed}", seed, court_art=art) for seed in range(first_seed, first_seed + drawn)]
    return svg + own


def sample_deck(packaged: Sequence[DeckArt], rng: np.random.Generator) -> DeckArt:
    """A deck to train on: one never seen before, or, less often, one of the ``packaged``, then mostly with jokers that
    nobody has seen; their jokers differ more than anything else, and twenty-five decks have no more than fifty. Most of
    the new ones get other jokers too, for only those are of any make and now and then marked in all four corners."""
    if not packaged or rng.random() < NEW_SHARE:
        seed, share = int(rng.integers(_FIRST_RENEWED, 2**31)), OTHER_JOKERS
        deck = draw_deck(f"{_OWN}{seed}", seed, court_art=court_art(packaged))
    else:
        deck, share = packaged[int(rng.integers(len(packaged)))], NEW_JOKERS
    return with_new_jokers(deck, rng) if rng.random() < share else deck


def held_out_decks(drawn: int = DRAWN_HELD_OUT, cache: Path | None = None) -> list[DeckArt]:
    """Decks that training never sees: other designs of the packages, and own decks in other lettering."""
    svg = _svg(sorted(HELD_OUT), cache or default_cache())
    art = court_art(svg)
    seeds = range(_HELD_OUT_SEED, _HELD_OUT_SEED + drawn)
    return svg + [draw_deck(f"held-out-{seed}", seed, held_out=True, court_art=art) for seed in seeds]
