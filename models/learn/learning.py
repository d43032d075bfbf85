"""Learns the decks of a household: the last layers of the RoI head, on tables drawn with the pictures of its cards."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from datasets.decks.deck_art import DeckArt
from models.learn.comparison import DrawnReading, ShownDeck, read_drawn
from models.learn.heads import fitted_head, household_vocabulary
from models.learn.looks import Looked, look_at_table
from models.learn.self_test import SelfTest, self_test
from scorer.faces import STANDARD_FACES, Face, is_picture_card
from vision.detect.detector import Detector
from vision.engines.load import load_roi_head, load_standard_head
from vision.engines.weights import networks_hash
from vision.recognise.deck_head import DeckHead
from webui.storage.files.atomic_files import replace_file
from webui.storage.files.learnt_files import LEARNT_ON

FACES, LEARNT = "faces.deck.npz", "learnt.json"
"""File names of what was learnt."""
Progress = Callable[[float, float], None]
"""Told the share done 0..1, and the seconds left."""
READING = 25
"""Reading the drawn tables of a deck takes about as long as drawing and looking at so many tables."""


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """How a household's decks are learnt.

    Attributes:
        tables: tables that are learnt from, for each deck.
        test_tables: tables for the self-test of each deck.
        seed: of everything random.
    """

    tables: int = 90
    test_tables: int = 15
    seed: int = 1


def learn(
    decks: Mapping[str, Sequence[DeckArt]],
    detector: Detector,
    out: Path,
    *,
    shown: Collection[Face] = (),
    whole: Sequence[ShownDeck] = (),
    settings: LearnSettings | None = None,
    progress: Progress = lambda share, seconds: None,
    notes: Mapping[str, object] | None = None,
) -> SelfTest:
    """Learns ``decks``; stopped, it leaves nothing behind.

    Args:
        decks: by its id each deck of the household as pictures, or several drawn ones that it is a part of.
        detector: the shipped detector.
        out: folder of the result: FACES and LEARNT.
        shown: the faces that the self-test tells of, where the decks have others that the household never showed.
        whole: decks that were shown whole: LEARNT names those that are read better by what was learnt alone, and the
            self-test tells if few of their cards are found on drawn tables.
        settings: how to learn.
        progress: called now and then.
        notes: further entries of LEARNT, such as the hashes of the decks.

    Raises:
        WeightsError: the shipped weights are missing or damaged.
    """
    chosen = settings or LearnSettings()
    begun, done = time.monotonic(), 0
    faces = tuple(dict.fromkeys(face for arts in decks.values() for art in arts for face in art.faces))
    vocabulary, ids = household_vocabulary(faces), sorted(decks)
    to_learn, to_test = chosen.tables * len(ids), chosen.test_tables * len(ids)
    steps = to_learn + to_test + READING * len(whole)
    standard, names, head = load_standard_head(), out / f".{FACES}", load_roi_head()

    def tell(more: int = 0) -> None:
        nonlocal done
        done += more
        left = (time.monotonic() - begun) * (steps - done) / done if done else float("nan")
        progress(done / steps, left)

    def looked_at(numbers: range) -> Looked:
        found = []
        for number in numbers:
            id, rng = ids[number % len(ids)], np.random.default_rng([chosen.seed, 71, number])
            found.append(look_at_table(rng, decks[id], detector, head, vocabulary))
            tell(1)
        return Looked.joined(found)

    tell()
    learned = looked_at(range(to_learn))
    fitted = fitted_head(standard, vocabulary, learned.embeddings, learned.ranks, learned.suits)
    try:
        fitted.save(names)
        readings = []
        for deck in whole:
            readings.append(read_drawn(deck, fitted))
            tell(READING)
        tests = looked_at(range(to_learn, to_learn + to_test))
        result = _tested(fitted, tests, faces, shown, _read_by_learnt(decks, whole, readings))
        result = replace(
            result,
            read=sum(one.read for one in readings),
            there=sum(one.there for one in readings),
            unseen=tuple(face for one in readings for face in one.unseen),
        )
        told = {
            "faces": [str(face) for face in faces],
            "networks": networks_hash(LEARNT_ON),
            "seconds": round(time.monotonic() - begun),
            "self_test": result.sentence,
            "whole": [one.id for one in readings if one.by_itself],
            "tests": _by_deck(decks, result.unclear, readings),
            **(notes or {}),
        }
        _put_in_place(names.read_bytes(), out, told)
    finally:
        names.unlink(missing_ok=True)
    return result


def _by_deck(
    decks: Mapping[str, Sequence[DeckArt]], unclear: Collection[Face], readings: Sequence[DrawnReading]
) -> dict[str, dict[str, list[str]]]:
    """By the id of each deck its faces that people are asked about or must check, and those that they must type."""
    read, found = {one.id: one for one in readings}, dict[str, dict[str, list[str]]]()
    for id, arts in decks.items():
        unseen, asked = (read[id].unseen, read[id].asked) if id in read else ((), ())
        faces = dict.fromkeys(face for art in arts for face in art.faces)
        check = [face for face in faces if face not in unseen and (face in unclear or face in asked)]
        found[id] = {"check": [str(face) for face in check], "type": [str(face) for face in unseen]}
    return found


def _read_by_learnt(
    decks: Mapping[str, Sequence[DeckArt]], whole: Sequence[ShownDeck], readings: Sequence[DrawnReading]
) -> set[Face]:
    """The faces that are read by what was learned: those of decks that the shipped networks do not know, or read worse.

    Of other decks only jokers are; their numbers and court cards are read as they were before.
    """
    better = {one.id for one in readings if one.by_itself}
    arts = [art for several in decks.values() for art in several]
    found = {face for art in arts for face in art.faces if is_picture_card(face)}
    found |= {face for art in arts if not set(art.faces) <= set(STANDARD_FACES) for face in art.faces}
    return found | {face for deck in whole if deck.id in better for face in deck.art.faces}


def _tested(
    head: DeckHead, looked: Looked, faces: Collection[Face], shown: Collection[Face], learnt: set[Face]
) -> SelfTest:
    """Tests the faces ``shown`` that are read by what was learned; all ``faces`` where none are said to be shown."""
    if not shown:
        return self_test(head, looked, faces)
    counted = learnt.intersection(shown)
    result = self_test(head, looked, faces, counted) if counted else SelfTest(0, 0, None)
    return replace(result, as_before=len(set(shown)) - len(counted))


def _put_in_place(names: bytes, out: Path, told: Mapping[str, object]) -> None:
    replace_file(out / FACES, names)
    note = json.dumps({"sha256": {FACES: hashlib.sha256(names).hexdigest()}, **told}, indent=1) + "\n"
    replace_file(out / LEARNT, note.encode())  # last: its hash says whether the other file is whole
