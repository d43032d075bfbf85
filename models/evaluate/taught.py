"""Teaches decks from drawn photographs and reads tables of them: ``python -m models.evaluate.taught STEP OUT``.

Steps, each for all decks or for those of ``--decks``:

    draw     photographs of each deck's faces into OUT/NAME/photos
    learn    teaches and learns each deck as the program does, into OUT/NAME/data; one that is learnt is passed over
    score    reads new tables of each deck as the page does, with what was taught and learnt, and prints a line of a
             Markdown table for each
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.pictured_deck import read_pictures
from datasets.decks.splits import held_out_decks, held_out_names
from datasets.decks.unsuited.draw import FIXED_NAMES, QUIRKY, fixed_unsuited_decks, quirky_decks
from datasets.scenes.teaching_photos import draw_teaching_photos
from models.evaluate.metrics import Metrics, score_table
from models.samples.drawn_tables import readable_table
from scorer.deck import load_deck
from scorer.faces import STANDARD_FACES, is_picture_card
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.reader import LearntDecks, load_reader
from vision.recognise.deck_head import load_deck_head
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import Frame, HouseRules, Reading

NAMES = (*held_out_names(), *FIXED_NAMES, *QUIRKY)
"""The decks by name: 18 held out of training, then three of Hand 'n Foot and three without suits, and three more of
either kind with what few decks have."""
PHOTOS = (2, 3, 4)
"""Numbers of photographs, in turns."""
SEED, TABLE_SEED, QUALITY = 860_000, 870_000, 92
TABLES, LEAST_HEIGHT = 20, 16.0
"""Tables of each deck, and the smallest height of a rank on them in pixels."""
MANY = 100
"""Copies of a face that may lie on a drawn table, which no pack limits."""
LEARNT, FACES = Path("data", "decks", "learnt"), "faces.deck.npz"
HEAD = "| deck | exactly right | found | wrong | missed | wrong and undoubted | jokers missed |\n" + "|---" * 7 + "|"
Read = Callable[[Frame, HouseRules], Reading]


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


def draw(folder: Path, number: int, deck: DeckArt, size: tuple[int, int] | None = None) -> None:
    """Writes the photographs that teach deck ``number`` of NAMES, the same each time, and ``faces.json``: of each the
    list of its faces in reading order."""
    photos = draw_teaching_photos(np.random.default_rng([SEED, number]), deck, PHOTOS[number % len(PHOTOS)], size)
    (folder / "photos").mkdir(parents=True, exist_ok=True)
    for n, photo in enumerate(photos, 1):
        path = folder / "photos" / f"photo-{n}.jpg"
        cv2.imwrite(str(path), photo.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    faces = [[str(card.face) for card in photo.cards] for photo in photos]
    (folder / "photos" / "faces.json").write_text(json.dumps(faces) + "\n", encoding="utf-8")


def learn(folder: Path) -> None:
    """Teaches and learns the deck whose photographs are in ``folder``.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    photos, name = folder / "photos", folder.name
    (folder / "data").mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "webui.cli", "learn", name, *map(str, sorted(photos.glob("photo-*.jpg")))]
    given = {"--faces": photos / "faces.json", "--base": profile_of(name), "--data": folder / "data"}
    subprocess.run([*command, *(str(word) for pair in given.items() for word in pair)], check=True)


def reader_of(folder: Path, weights: Path) -> Read:
    """A reader as the page has it: with the jokers and picture cards in the deck's data folder, with what was learnt
    there if anything was, and all else from ``weights``.

    Raises:
        WeightsError: weights are missing.
    """
    own, learnt, name = folder / "data" / "decks" / folder.name, folder / LEARNT, folder.name
    pictures = read_pictures(own / "faces")
    shown = {face: some for face, some in pictures.items() if is_picture_card(face)}
    taught = TaughtFaces(shown, [name], every=pictures if set(pictures) - set(STANDARD_FACES) else {})
    known = None
    if (learnt / FACES).exists():
        note = json.loads((learnt / "learnt.json").read_text(encoding="utf-8"))
        unlike = note.get("whole", []) if profile_of(name) == "standard" else [name]
        known = LearntDecks(load_deck_head(learnt / FACES), frozenset([name]), frozenset(unlike))
    reader = load_reader(weights=weights, learnt=known)
    return lambda frame, rules: reader.read(frame, rules, taught)


def house_rules_of(deck: DeckArt) -> HouseRules:
    """What a reading of a table with this deck alone is told."""
    profile = load_deck(profile_of(deck.name))
    threes = frozenset({"R3", "B3"} if profile.id == "remastered" else {"3"})
    return HouseRules(frozenset(profile.wild_ranks), 7, dict.fromkeys(deck.faces, MANY), threes, frozenset(deck.faces))


def score_deck(read: Read, number: int, deck: DeckArt, tables: int = TABLES) -> Metrics:
    """Reads new tables of deck ``number`` of NAMES; they are the same each time."""
    metrics, rules = Metrics(), house_rules_of(deck)
    for n in range(tables):
        table = readable_table(TABLE_SEED + number, n, [deck], LEAST_HEIGHT)
        score_table(metrics, read(Frame(table.picture, datetime.now(UTC), f"{deck.name} {n}"), rules), table)
    return metrics


def row(name: str, counts: Metrics) -> str:
    """A line of the table below HEAD."""
    return (
        f"| {name} | {counts.exact} of {counts.pictures} | {counts.found} | {counts.wrong} | {counts.missed} | "
        f"{counts.undoubted_wrong} | {counts.jokers_missed} of {counts.jokers} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("draw", "learn", "score"))
    parser.add_argument("out", type=Path, help="the folder of all decks")
    parser.add_argument("--decks", nargs="+", default=[*NAMES], metavar="NAME", help="by default all 27")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"score: tables of each deck (default: {TABLES})")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="score: folder of weights (default: the shipped)")
    options = parser.parse_args()
    try:
        if options.step == "score":
            print(HEAD)
        for number, deck in chosen_decks(options.decks):
            folder = options.out / deck.name
            if options.step == "draw":
                draw(folder, number, deck)
            elif options.step == "score":
                read = reader_of(folder, options.weights)
                print(row(deck.name, score_deck(read, number, deck, options.tables)), flush=True)
            elif not (folder / LEARNT / FACES).exists():
                learn(folder)
    except (ValueError, VisionError, subprocess.CalledProcessError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
