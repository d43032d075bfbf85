"""Learns the decks of a household: the last layers of the RoI head, on tables drawn with the pictures of its cards."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from models.learn.heads import fitted_head, household_vocabulary
from models.learn.looks import Looked, look_at_table
from models.learn.self_test import DeckToLearn, DrawnReading, read_drawn, sentence
from vision.detect.detector import Detector
from vision.engines.load import load_roi_head, load_standard_head
from vision.engines.weights import networks_hash
from webui.storage.files.atomic_files import replace_file
from webui.storage.files.deck_files import LEARNT_FILES
from webui.storage.files.learnt_files import LEARNT_ON

FACES, LEARNT = LEARNT_FILES
"""File names of what was learnt."""
Progress = Callable[[float, float], None]
"""Told the share done 0..1, and the seconds left."""
TABLES, SEED = 90, 1
"""Tables that are learnt from, for each deck, and their seed."""
READING = 25
"""Reading the drawn tables of a deck takes about as long as drawing and looking at so many tables."""


def learn(
    decks: Sequence[DeckToLearn],
    detector: Detector,
    out: Path,
    *,
    tables: int = TABLES,
    progress: Progress = lambda share, seconds: None,
    notes: Mapping[str, object] | None = None,
) -> str:
    """Learns ``decks``; stopped, it leaves nothing behind.

    Args:
        decks: each deck of the household.
        detector: the shipped detector.
        out: folder of the result: FACES, and LEARNT, which names those decks that are read better by what was learnt
            alone, and for each deck the faces to check and to type.
        tables: tables that are learnt from, for each deck.
        progress: called now and then.
        notes: further entries of LEARNT, such as the hashes of the decks.

    Returns:
        What the self-test came to, in a sentence.

    Raises:
        WeightsError: the shipped weights are missing or damaged.
    """
    begun, done = time.monotonic(), 0
    faces = tuple(dict.fromkeys(face for deck in decks for art in deck.arts for face in art.faces))
    vocabulary, standard, head = household_vocabulary(faces), load_standard_head(), load_roi_head()

    def tell(more: int = 0) -> None:
        nonlocal done
        done += more
        left = (time.monotonic() - begun) * (steps - done) / done if done else float("nan")
        progress(done / steps, left)

    steps = (tables + READING) * len(decks)
    tell()
    looks = []
    for number in range(tables * len(decks)):
        rng, arts = np.random.default_rng([SEED, 71, number]), decks[number % len(decks)].arts
        looks.append(look_at_table(rng, arts, detector, head, vocabulary))
        tell(1)
    learned = Looked.joined(looks)
    fitted = fitted_head(standard, vocabulary, learned.embeddings, learned.ranks, learned.suits)
    readings = []
    for deck in decks:
        readings.append(read_drawn(deck, fitted))
        tell(READING)
    told = {
        "faces": [str(face) for face in faces],
        "networks": networks_hash(LEARNT_ON),
        "seconds": round(time.monotonic() - begun),
        "self_test": sentence(readings),
        "whole": [one.id for one in readings if one.by_itself],
        "tests": {one.id: _to_do(one) for one in readings},
        **(notes or {}),
    }
    names = out / f".{FACES}"
    try:
        fitted.save(names)
        _put_in_place(names.read_bytes(), out, told)
    finally:
        names.unlink(missing_ok=True)
    return sentence(readings)


def _to_do(reading: DrawnReading) -> dict[str, list[str]]:
    """The faces of a deck that people are asked about, and those that they must type."""
    check = [str(face) for face in reading.asked if face not in reading.unseen]
    return {"check": check, "type": [str(face) for face in reading.unseen]}


def _put_in_place(names: bytes, out: Path, told: Mapping[str, object]) -> None:
    replace_file(out / FACES, names)
    note = json.dumps({"sha256": {FACES: hashlib.sha256(names).hexdigest()}, **told}, indent=1) + "\n"
    replace_file(out / LEARNT, note.encode())  # last: its hash says whether the other file is whole
