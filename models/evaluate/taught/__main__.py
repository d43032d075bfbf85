"""Teaches decks from drawn photographs and reads tables of them: ``python -m models.evaluate.taught STEP OUT``.

Steps, each for all decks or for those of ``--decks``; a deck that has a step's result is passed over:

    draw     photographs of each deck's faces into OUT/NAME/photos; with --pictures also OUT/NAME/data, where the deck
             is taught by truth
    learn    runs --command for each deck, with {deck}, {profile}, {photos}, {faces} and {data} filled in
    score    reads new tables of each deck as the page does, with the pictures in OUT/NAME/data and what was learnt
             from them (--untaught: with the folder of --weights alone), into OUT/NAME/result.json
    table    prints the bars and what was reached
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

from datasets.decks.pictured_deck import read_pictures
from models.evaluate.taught.decks import NAMES, chosen_decks, profile_of, write_deck
from models.evaluate.taught.scoring import RESULT, TABLES, Read, as_markdown, load_results, save_result, score_deck
from scorer.faces import STANDARD_FACES, is_picture_card
from vision.engines.weights import FOLDER
from vision.reader import LearntDecks, load_reader
from vision.recognise.deck_head import load_deck_head
from vision.teach.match.taught_faces import TaughtFaces

LEARN = "{python} -m webui.cli learn {deck} {photos} --faces {faces} --base {profile} --data {data}"
LEARNT, FACES = Path("data", "decks", "learnt"), "faces.deck.npz"
SECONDS = "learnt_seconds.json"


def learn(out: Path, name: str, command: str) -> None:
    """Runs the ``command`` that teaches and learns one deck, and notes how long it took.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    folder = out / name
    photos = sorted((folder / "photos").glob("photo-*.jpg"))
    (folder / "data").mkdir(parents=True, exist_ok=True)
    words = {
        "python": [sys.executable],
        "deck": [name],
        "profile": [profile_of(name)],
        "photos": [str(photo) for photo in photos],
        "faces": [str(folder / "photos" / "faces.json")],
        "data": [str(folder / "data")],
    }
    filled = [part for word in shlex.split(command) for part in words.get(word.strip("{}"), [word])]
    begun = time.monotonic()
    subprocess.run(filled, check=True)
    (folder / SECONDS).write_text(json.dumps(time.monotonic() - begun) + "\n", encoding="utf-8")


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("draw", "learn", "score", "table"))
    parser.add_argument("out", type=Path, help="the folder of all decks")
    parser.add_argument("--decks", nargs="+", default=[*NAMES], metavar="NAME", help="by default all 27")
    parser.add_argument("--size", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"), help="draw: size of photographs")
    parser.add_argument("--pictures", action="store_true", help="draw: teach the deck by truth, too")
    parser.add_argument("--command", default=LEARN, help=f"learn: what to run (default: {LEARN})")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"score: tables of each deck (default: {TABLES})")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="score: folder of weights (default: the shipped)")
    parser.add_argument("--untaught", action="store_true", help="score: without what was learnt")
    options = parser.parse_args()
    try:
        if options.step == "table":
            print(as_markdown(load_results(options.out)), end="")
        elif options.step == "learn":
            for name in options.decks:
                if not (options.out / name / LEARNT / FACES).exists():
                    learn(options.out, name, options.command)
        else:
            _each(options)
    except ValueError as error:
        parser.error(str(error))


def _each(options: argparse.Namespace) -> None:
    """Draws or scores the decks."""
    size = (options.size[0], options.size[1]) if options.size else None
    done = "deck.json" if options.step == "draw" else RESULT
    names = [name for name in options.decks if not (options.out / name / done).exists()]
    for number, deck in chosen_decks(names):
        folder = options.out / deck.name
        if options.step == "draw":
            write_deck(options.out, number, deck, size, options.pictures)
            print(f"{deck.name}: drawn", flush=True)
            continue
        read = load_reader(weights=options.weights).read if options.untaught else reader_of(folder, options.weights)
        seconds = folder / SECONDS
        spent = float(json.loads(seconds.read_text(encoding="utf-8"))) if seconds.exists() else 0.0
        result = score_deck(read, number, deck, options.tables, spent)
        save_result(folder, result)
        print(f"{deck.name}: {result.exact} of {result.pictures} exactly right", flush=True)


if __name__ == "__main__":
    main()
