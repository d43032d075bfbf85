"""The decks that are taught, and what a household would photograph of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import tomli_w

from datasets.arrays import Picture
from datasets.decks.deck_art import DeckArt
from datasets.decks.pictured_deck import write_pictures
from datasets.decks.splits import held_out_decks, held_out_names
from datasets.decks.unsuited.draw import FIXED_NAMES, QUIRKY, fixed_unsuited_decks, quirky_decks
from datasets.scenes.teaching_photos import TeachingPhoto, draw_teaching_photos, rectified
from datasets.teaching import write_teaching_photos
from scorer.faces import Face

NAMES = (*held_out_names(), *FIXED_NAMES, *QUIRKY)
"""The decks by name: 18 held out of training, then three of Hand 'n Foot and three without suits, and three more of
either kind with what few decks have."""
PHOTOS = (2, 3, 4)
"""Numbers of photographs, in turns."""
SEED = 860_000
FOUND_OFF = 0.004
"""Standard deviation of the corners that are given in place of found ones, in card widths."""


def profile_of(name: str) -> str:
    """The id of the profile of a deck in NAMES."""
    if name in FIXED_NAMES or name in QUIRKY:
        return "hand-n-foot" if name.startswith("hand-n-foot") else "remastered"
    return "standard"


def chosen_decks(names: Sequence[str]) -> Iterator[tuple[int, DeckArt]]:
    """Yields decks with their numbers in NAMES; only what is needed is drawn.

    Raises:
        ValueError: a name is not one of NAMES; the message is for the user.
    """
    if unknown := [name for name in names if name not in NAMES]:
        raise ValueError(f"expected decks of {', '.join(NAMES)}, got {', '.join(unknown)}")
    every = ((held_out_names(), held_out_decks), (FIXED_NAMES, fixed_unsuited_decks), (tuple(QUIRKY), quirky_decks))
    for known, make in every:
        if set(names) & set(known):
            yield from ((NAMES.index(deck.name), deck) for deck in make() if deck.name in names)


def teaching_photos(number: int, deck: DeckArt, size: tuple[int, int] | None = None) -> list[TeachingPhoto]:
    """The photographs that teach deck ``number`` of NAMES: the same each time."""
    rng = np.random.default_rng([SEED, number])
    return draw_teaching_photos(rng, deck, PHOTOS[number % len(PHOTOS)], size)


def cut_out(number: int, photos: Sequence[TeachingPhoto]) -> dict[Face, list[Picture]]:
    """Rectified pictures of each face by truth, their corners a little off: what outlining the cards would give."""
    rng, found = np.random.default_rng([SEED, number, 1]), dict[Face, list[tuple[int, Picture]]]()
    for photo in photos:
        for card in photo.cards:
            wide = float(np.hypot(*(card.quad[1] - card.quad[0])))
            quad = card.quad + rng.normal(0, FOUND_OFF * wide, (4, 2)).astype(np.float32)
            found.setdefault(card.face, []).append((card.variant, rectified(photo, replace(card, quad=quad))))
    return {face: [one for _, one in sorted(cut, key=lambda pair: pair[0])] for face, cut in found.items()}


def write_deck(
    out: Path, number: int, deck: DeckArt, size: tuple[int, int] | None = None, pictures: bool = False
) -> None:
    """Writes the photographs of a deck to ``out``/NAME/photos, and its profile to ``out``/NAME/deck.json.

    With ``pictures`` also a data folder ``out``/NAME/data in which the deck is taught by truth: to learn from it
    without outlining cards.
    """
    folder, photos = out / deck.name, teaching_photos(number, deck, size)
    write_teaching_photos(folder / "photos", photos)
    told = {"number": number, "name": deck.name, "profile": profile_of(deck.name), "photos": len(photos)}
    (folder / "deck.json").write_text(json.dumps(told) + "\n", encoding="utf-8")
    if pictures:
        own = folder / "data" / "decks" / deck.name
        write_pictures(own / "faces", cut_out(number, photos))
        text = tomli_w.dumps({"id": deck.name, "name": deck.name, "profile": profile_of(deck.name)})
        (own / "deck.toml").write_text(text, encoding="utf-8")
