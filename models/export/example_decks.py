"""Makes the decks that are shipped as examples: ``python -m models.export.example_decks webui/samples``.

Each is a drawn deck, taught and learned as a household's own, in a file as one is saved for another computer, and
beside it a picture of each place of a practice round: two tables, and two hands of each side. To be made anew when the
RoI head changes: a picture is drawn again until all its cards are read, without doubt, so that the round ends clean.
``--pictures`` draws them for the decks that are there.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.unsuited.draw import draw_unsuited_deck, hand_n_foot_deck
from datasets.samples import EXAMPLES, draw_example
from models.learn.__main__ import main as learn
from scorer.deck import use_deck_folder
from scorer.rules import load_rules
from vision.images.decode import load_photo
from vision.images.jpeg import to_webp
from vision.images.sandbox import shared_decoder
from vision.reader import CardReader
from vision.teach.match.taught_faces import TaughtFaces
from vision.teach.pictures import WIDTH
from vision.values import HouseRules, Reading
from webui.decks.deck_archive import export_decks
from webui.decks.examples import add_example, example_folder
from webui.decks.in_play import deck_in_play
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks
from webui.games.rule_choice import rules_for
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import house_rules
from webui.settings import DEFAULT_RULES

SEED, QUALITY, TRIES, PLAYERS = 14, 80, 40, 4
LIGHTS = (0.99, 1.01)
NAMES = {"hand-n-foot": "Example: Hand ’n Foot", "remastered": "Example: Remastered"}
"""What the decks are called, by their profile."""


def example_art(kind: str) -> DeckArt:
    """The drawn deck of an example."""
    draw = hand_n_foot_deck if kind == "hand-n-foot" else draw_unsuited_deck
    return draw(f"example-{kind}", SEED, family="pips")


def make_deck(kind: str, folder: Path) -> None:
    """Writes the deck's file into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    art = example_art(kind)
    with tempfile.TemporaryDirectory() as work:
        use_deck_folder(Path(work) / "decks")
        decks = TaughtDecks(Path(work), shared_decoder().decode)
        deck = decks.add(NAMES[kind], kind, [(face, _webp(ones[0])) for face, ones in art.faces.items()], art.name)
        learn([str(decks.folder), "--deck", f"{deck.id}={deck.content_hash()}"])
        (folder / "deck.zip").write_bytes(export_decks(Path(work), [deck.id]))


def draw_pictures(kind: str, samples: Path) -> None:
    """Draws the pictures of an example that is in ``samples``, as its deck is read by who tries it.

    Raises:
        RuntimeError: no drawing of a picture is read right.
    """
    art, folder = example_art(kind), example_folder(samples, kind)
    with tempfile.TemporaryDirectory() as work:
        use_deck_folder(Path(work) / "decks")
        decks = TaughtDecks(Path(work), shared_decoder().decode)
        id = add_example(decks, samples, kind, shared_decoder().decode)
        rules = rules_for(id, load_rules(DEFAULT_RULES)) or load_rules(DEFAULT_RULES)
        house = house_rules(rules, PLAYERS, deck_in_play([id], rules))
        reader, taught = load_chosen_reader(Path(work))[1], PictureCards(decks).of([id])
        lines = [_draw_read(folder, art, place, reader, house, taught) for place in EXAMPLES[kind].items()]
    (folder / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _draw_read(
    folder: Path,
    art: DeckArt,
    place: tuple[str, list[str]],
    reader: CardReader,
    house: HouseRules,
    taught: TaughtFaces | None,
) -> str:
    """Draws a place until it is read right, also in the other LIGHTS, so that it is on any processor; writes its JPEG,
    and returns its line of truth.jsonl."""
    name, groups = place
    path = folder / f"{name}.jpg"
    for seed in range(TRIES):
        coded, told = draw_example(art, groups, seed, path.name)
        path.write_bytes(coded)
        frame = load_photo(path, path.name)
        lights = [np.asarray(cv2.convertScaleAbs(frame.pixels, alpha=share), np.uint8) for share in LIGHTS]
        seen = [frame, *(replace(frame, pixels=pixels) for pixels in lights)]
        if all(is_read_right(reader.read(one, house, taught), groups) for one in seen):
            print(f"{path}: drawing {seed}", file=sys.stderr)
            return json.dumps(told)
    raise RuntimeError(f"none of {TRIES} drawings of {path.name} is read right")


def is_read_right(reading: Reading, groups: Sequence[str]) -> bool:
    """Whether a picture was read card by card and group by group as it was drawn, and nothing is asked about it."""
    read = [Counter(str(reading.cards[card].face) for card in group.cards) for group in reading.groups]
    is_asked = any(card.doubt for card in reading.cards) or any(group.doubt for group in reading.groups)
    right = [Counter(group.split()) for group in groups]
    return not is_asked and not reading.warnings and all(group in read for group in right) and len(read) == len(right)


def _webp(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bytes:
    height = round(WIDTH * picture.shape[0] / picture.shape[1])
    card = cv2.resize(np.ascontiguousarray(picture[:, :, :3]), (WIDTH, height), interpolation=cv2.INTER_CUBIC)
    return to_webp(np.asarray(card, np.uint8), QUALITY)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path, help="the folder of practice cards")
    parser.add_argument("--pictures", action="store_true", help="draw the pictures alone, for the decks that are there")
    given = parser.parse_args()
    for kind in NAMES:
        if not given.pictures:
            make_deck(kind, example_folder(given.samples, kind))
        draw_pictures(kind, given.samples)
    return 0


if __name__ == "__main__":
    sys.exit(main())
