"""Draws the photographs that teach a deck: ``python -m datasets.teaching OUT --deck hand-n-foot-7 --photos 2``.

OUT gets ``photo-N.jpg``; ``faces.json``, a list of faces a photograph in reading order, row by row from the left;
``truth.jsonl``, a line per photograph with every card's face, variant and corners; and ``manifest.json``, the deck's
source and licence.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.splits import held_out_decks, held_out_names
from datasets.decks.unsuited.draw import FIXED_NAMES, draw_unsuited_deck, fixed_unsuited_decks, hand_n_foot_deck
from datasets.scenes.teaching_photos import BAD, TeachingPhoto, draw_teaching_photos

QUALITY = 92
_KINDS: dict[str, Callable[[str, int], DeckArt]] = {
    "drawn": draw_deck,
    "hand-n-foot": hand_n_foot_deck,
    "suitless": draw_unsuited_deck,
}


def named_deck(name: str) -> DeckArt:
    """Returns a deck by name: a held-out one, one of the six fixed ones without suits, or a new one of a seed, such as
    ``drawn-3``, ``hand-n-foot-3`` and ``suitless-3``.

    Raises:
        ValueError: there is no such deck; the message is for the user.
    """
    kind, _, seed = name.rpartition("-")
    if kind in _KINDS and seed.isdigit():
        return _KINDS[kind](name, int(seed))
    if name not in (*FIXED_NAMES, *held_out_names()):
        known = (*(f"{one}-SEED" for one in _KINDS), *FIXED_NAMES, *held_out_names())
        raise ValueError(f"expected a deck, one of {', '.join(known)}, got {name!r}")
    decks = fixed_unsuited_decks() if name in FIXED_NAMES else held_out_decks()
    return next(deck for deck in decks if deck.name == name)


def write_teaching_photos(out: Path, photos: Sequence[TeachingPhoto]) -> None:
    """Writes photographs with their truth into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    lines, faces = [], []
    for number, photo in enumerate(photos, 1):
        name = f"photo-{number}.jpg"
        cv2.imwrite(str(out / name), photo.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        height, width = photo.picture.shape[:2]
        cards = [
            {
                "face": str(card.face),
                "variant": card.variant,
                "deck": card.deck.name,
                "quad": np.round(card.quad.astype(float), 1).tolist(),
            }
            for card in photo.cards
        ]
        lines.append(json.dumps({"photo": name, "width": width, "height": height, "cards": cards}))
        faces.append([str(card.face) for card in photo.cards])
    (out / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (out / "faces.json").write_text(json.dumps(faces) + "\n", encoding="utf-8")
    decks = {card.deck.name: card.deck for photo in photos for card in photo.cards}
    manifest = [{"deck": deck.name, "source": deck.source, "licence": deck.licence} for deck in decks.values()]
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--deck", required=True, help="its name, or drawn-SEED, hand-n-foot-SEED, suitless-SEED")
    parser.add_argument("--photos", type=int, default=2, help="on how many photographs its cards are (default: 2)")
    parser.add_argument("--size", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"), help="by default 12 or 3 to 4 MP")
    parser.add_argument("--bad", choices=BAD, help="draw photographs that must be refused, or asked about")
    parser.add_argument("--other", help="the deck mixed in by --bad 'two decks'")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        deck = named_deck(options.deck)
        other = named_deck(options.other) if options.other else None
        size = (options.size[0], options.size[1]) if options.size else None
        rng = np.random.default_rng([options.seed, 23])
        photos = draw_teaching_photos(rng, deck, options.photos, size, options.bad, other)
    except ValueError as error:
        parser.error(str(error))
    write_teaching_photos(options.out, photos)
    print(f"wrote {len(photos)} photographs of {sum(len(photo.cards) for photo in photos)} cards to {options.out}")


if __name__ == "__main__":
    main()
