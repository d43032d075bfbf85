"""Makes the decks that are shipped as examples: ``python -m models.export.example_decks webui/samples/decks``.

Each is a drawn deck, taught and learned as a household's own, in a file as one is saved for another computer, and
beside it pictures of a table and of a hand with its cards. To be made anew when the RoI head changes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.unsuited.draw import draw_unsuited_deck, hand_n_foot_deck
from datasets.samples import EXAMPLES, draw_example
from models.learn.__main__ import main as learn
from scorer.deck import use_deck_folder
from vision.images.jpeg import to_webp
from vision.images.sandbox import shared_decoder
from vision.teach.pictures import WIDTH
from webui.decks.deck_archive import export_decks
from webui.decks.taught import TaughtDecks

SEED, QUALITY = 14, 80
TABLES = {"hand-n-foot": 33, "remastered": 36}
"""Seeds of tables that are simple to look at."""
NAMES = {"hand-n-foot": "Example: Hand ’n Foot", "remastered": "Example: Remastered"}
"""What the decks are called, by their profile."""


def example_art(kind: str) -> DeckArt:
    """The drawn deck of an example."""
    draw = hand_n_foot_deck if kind == "hand-n-foot" else draw_unsuited_deck
    return draw(f"example-{kind}", SEED, family="pips")


def make_example(kind: str, folder: Path) -> None:
    """Writes the deck's file and its pictures into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    art = example_art(kind)
    with tempfile.TemporaryDirectory() as work:
        use_deck_folder(Path(work) / "decks")
        decks = TaughtDecks(Path(work), shared_decoder().decode)
        deck = decks.add(NAMES[kind], kind, [(face, _webp(ones[0])) for face, ones in art.faces.items()], art.name)
        learn([str(decks.folder), "--deck", f"{deck.id}={deck.content_hash()}"])
        (folder / "deck.zip").write_bytes(export_decks(Path(work), [deck.id]))
    draw_example(folder, art, EXAMPLES[kind], TABLES[kind])


def _webp(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bytes:
    height = round(WIDTH * picture.shape[0] / picture.shape[1])
    card = cv2.resize(np.ascontiguousarray(picture[:, :, :3]), (WIDTH, height), interpolation=cv2.INTER_CUBIC)
    return to_webp(np.asarray(card, np.uint8), QUALITY)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where a folder is written for each example")
    folder = parser.parse_args().folder
    for kind in NAMES:
        make_example(kind, folder / kind)
    return 0


if __name__ == "__main__":
    sys.exit(main())
