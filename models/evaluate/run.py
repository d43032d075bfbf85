"""Measures the reader: ``python -m models.evaluate.run FOLDER`` on photos with truth.jsonl, ``--drawn N`` on N new
tables, ``FOLDER --composed N`` on N new tables of the cards photographed there.

A folder's truth.jsonl has a line a photo with ``photo`` and ``cards`` (faces, or ranks where no more is known). Some
labels are wrong: ``--corrections`` names a file with a line a photo, its ``photo``, the cards to ``add`` and
to ``remove``, and ``why``; ours is models/evaluate/corrections.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import held_out_decks, training_decks
from models.evaluate.metrics import Metrics, score_faces, score_table
from models.evaluate.report import as_json, contact_sheet, line, readable
from models.samples.drawn_tables import downscaled, readable_table
from models.samples.photo_decks import photographed_decks
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.reader import CardReader, load_reader
from vision.values import Frame, Pixels, Reading

WORST = 12
DEVELOPMENT_SEED = 700_000
"""Decks for development are drawn from this seed on; no training uses them."""


class Worst:
    """The pictures with most mistakes, kept to be looked at."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, str, Pixels, Reading]] = []

    def offer(self, metrics: Metrics, pixels: Pixels, reading: Reading) -> None:
        """Keeps the picture marked last if it is among the worst."""
        last = metrics.results[-1]
        if last.mistakes:
            self.kept.append((last.mistakes, f"{last.name}: {last.mistakes} mistakes", pixels, reading))
            self.kept.sort(key=lambda one: -one[0])
            del self.kept[WORST:]

    def write(self, target: Path) -> None:
        """Writes the contact sheet; nothing where there was no mistake."""
        if self.kept:
            cv2.imwrite(str(target), contact_sheet([one[1:] for one in self.kept]))


def corrected(faces: Sequence[str], correction: dict[str, Any]) -> list[str]:
    """The ``faces`` of a photo with those added and taken away that the ``correction`` names.

    Raises:
        ValueError: a face is to be taken away that is not there.
    """
    cards = [*faces, *correction.get("add", ())]
    for face in correction.get("remove", ()):
        if face not in cards:
            raise ValueError(f"the correction of {correction['photo']} removes {face}, which is not among its labels")
        cards.remove(face)
    return cards


def listed(path: Path, *needed: str) -> list[dict[str, Any]]:
    """What a file says of photos: a JSON object a line, with the text ``photo`` and the lists that are ``needed``.

    Raises:
        ValueError: it cannot be read, or a line is another thing; a sentence for a person.
    """
    wanted = f"expected {path} with a JSON object a line that has {' and '.join(('photo', *needed))}"
    try:
        lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as problem:
        raise ValueError(f"{wanted}: {problem}") from problem
    for number, one in enumerate(lines, 1):
        fine = isinstance(one, dict) and isinstance(one.get("photo"), str)
        if not fine or not all(isinstance(one.get(key), list) for key in needed):
            raise ValueError(f"{wanted}; line {number} has not")
    return lines


def photos(
    folder: Path, reader: CardReader, truth: Sequence[dict[str, Any]], misses: bool, worst: Worst
) -> tuple[dict[str, Metrics], dict[str, Reading]]:
    """Metrics by subfolder of the photos in ``folder`` of which the ``truth`` is known, and what was read on each.

    Raises:
        PhotoError: a photo cannot be read.
    """
    metrics: dict[str, Metrics] = defaultdict(Metrics)
    readings = {}
    for known in truth:
        group, faces = Path(known["photo"]).parent.name, known["cards"]
        frame = load_photo(folder / known["photo"])
        reading = readings[known["photo"]] = reader.read(frame)
        ranks_only = all(face[-1] not in "CDHS" for face in faces) and faces != ["JK"]
        if not score_faces(metrics[group], reading, faces, ranks_only, known["photo"]) and misses:
            seen = " ".join(sorted(str(card.face) for card in reading.cards))
            print(f"{known['photo']}: lies there {' '.join(sorted(faces))}; read {seen}", file=sys.stderr)
        worst.offer(metrics[group], frame.pixels, reading)
    return metrics, readings


def truth_of(folder: Path, only: str | None, better: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What lies on the photos listed in ``folder``/truth.jsonl, those of one subfolder ``only``, labels corrected as
    ``better`` says.

    Raises:
        ValueError: there are none, or a correction does not fit; a sentence for a person.
    """
    known = [one for one in listed(folder / "truth.jsonl", "cards") if only in (None, Path(one["photo"]).parent.name)]
    if not known:
        raise ValueError(f"expected photos{f' of {only}/' if only else ''} in {folder / 'truth.jsonl'}, got none")
    return [{**one, "cards": corrected(one["cards"], better.get(one["photo"], {}))} for one in known]


def drawn(
    count: int, seed: int, reader: CardReader, least: float, shrunk_to: float | None, worst: Worst, decks: list[DeckArt]
) -> tuple[Metrics, Metrics]:
    """Metrics over ``count`` new tables from ``decks``; and over those of them on which every index is ``least`` pixels
    high: tables are drawn by their ranks, and a joker's index may be lower."""
    metrics, of_high = Metrics(), Metrics()
    for number in range(count):
        table = readable_table(seed, number, decks, least)
        if shrunk_to:
            table = downscaled(table, shrunk_to)
        reading = reader.read(Frame(table.picture, datetime.now(UTC), f"drawn {seed}/{number}"))
        high = min(index.tall for index in table.indices) >= least
        for some in (metrics, of_high) if high else (metrics,):
            score_table(some, reading, table, f"table {seed}/{number}")
        worst.offer(metrics, table.picture, reading)
    return metrics, of_high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--only", help="one subfolder")
    parser.add_argument("--misses", action="store_true", help="name every photo that is not exactly right")
    parser.add_argument("--corrections", type=Path, help="a file of labels known to be wrong")
    parser.add_argument("--drawn", type=int, default=0, help="how many tables to draw")
    parser.add_argument("--composed", type=int, default=0, help="how many tables to lay of the folder's own cards")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument(
        "--development",
        action="store_true",
        help="draw from training's fonts and packages, and decks it did not draw: for choosing on, not for reporting",
    )
    parser.add_argument("--least", type=float, default=16.0, help="smallest rank height on drawn tables, pixels")
    parser.add_argument(
        "--downscaled-to", type=float, help="drawn tables are then downscaled until a rank is so many pixels high"
    )
    parser.add_argument("--engine", default="onnx", choices=("onnx", "ultralytics"))
    parser.add_argument("--weights", type=Path, default=FOLDER)
    parser.add_argument("--json", action="store_true", help="everything counted, one JSON document a line")
    parser.add_argument("--report", type=Path, help="a folder for report.md and worst.jpg, the pictures read worst")
    given = parser.parse_args()
    if given.folder is None and (given.composed or not given.drawn):
        parser.error("expected a folder with truth.jsonl, or --drawn N")
    truth: list[dict[str, Any]] = []
    try:
        better = {one["photo"]: one for one in listed(given.corrections)} if given.corrections else {}
        truth = truth_of(given.folder, given.only, better) if given.folder else []
        reader, worst = load_reader(given.engine, given.weights), Worst()
        marked, readings = photos(given.folder, reader, truth, given.misses, worst)
        cards = photographed_decks(given.folder, truth, readings) if given.composed else []
    except (ValueError, VisionError) as problem:
        parser.error(str(problem))
    if given.composed:
        name = f"composed of cards photographed in {', '.join(deck.name for deck in cards)}"
        marked[name], _ = drawn(given.composed, given.seed, reader, given.least, given.shrunk_to, worst, cards)
    if given.drawn:
        decks = training_decks(25, DEVELOPMENT_SEED) if given.development else held_out_decks()
        name = "drawn, for development" if given.development else "drawn, decks never trained on"
        name += f", downscaled to {given.shrunk_to:g} px" if given.shrunk_to else ""
        marked[name], high = drawn(given.drawn, given.seed, reader, given.least, given.shrunk_to, worst, decks)
        if high.pictures:
            marked[f"of these, every index at least {given.least:g} px high, jokers' too"] = high
    for name, metrics in marked.items():
        print(json.dumps(as_json(name, metrics)) if given.json else line(name, metrics))
    if given.report:
        given.report.mkdir(parents=True, exist_ok=True)
        pages = "\n".join(readable(name, metrics) for name, metrics in marked.items())
        (given.report / "report.md").write_text(f"# How the reader did\n\n{pages}", encoding="utf-8")
        worst.write(given.report / "worst.jpg")


if __name__ == "__main__":
    main()
