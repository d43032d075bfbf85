"""Evaluates the reader: ``python -m models.evaluate.run FOLDER`` on photos with truth.jsonl, ``--drawn N`` on N newly
drawn tables.

truth.jsonl has a line per photo with ``photo`` and ``cards`` (faces, or ranks if no more is known). Some labels are
wrong: ``--corrections`` names a file with a line per photo with ``photo``, the cards to ``add`` and to ``remove``, and
``why``; for the development photos it is models/evaluate/corrections.jsonl.
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
from models.samples.drawn_tables import readable_table
from scorer.faces import Face
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.reader import CardReader, load_reader
from vision.values import Frame, Pixels, Reading

WORST = 12
"""Number of pictures on the contact sheet."""
DEVELOPMENT_SEED = 700_000
"""First seed of the decks for development; no training uses them."""


class Worst:
    """Collects the pictures with most mistakes."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, str, Pixels, Reading]] = []

    def offer(self, metrics: Metrics, pixels: Pixels, reading: Reading) -> None:
        """Keeps the picture scored last if it is among the worst."""
        last = metrics.results[-1]
        if last.mistakes:
            self._kept.append((last.mistakes, f"{last.name}: {last.mistakes} mistakes", pixels, reading))
            self._kept.sort(key=lambda picture: -picture[0])
            del self._kept[WORST:]

    def write(self, target: Path) -> None:
        """Writes the contact sheet; nothing if there was no mistake."""
        if self._kept:
            cv2.imwrite(str(target), contact_sheet([picture[1:] for picture in self._kept]))


def corrected(faces: Sequence[str], correction: dict[str, Any]) -> list[str]:
    """Applies a ``correction`` to the labelled ``faces`` of a photo.

    Raises:
        ValueError: it removes a face that is not among the labels.
    """
    cards = [*faces, *correction.get("add", ())]
    for face in correction.get("remove", ()):
        if face not in cards:
            raise ValueError(f"the correction of {correction['photo']} removes {face}, which is not among its labels")
        cards.remove(face)
    return cards


def listed(path: Path, *needed: str) -> list[dict[str, Any]]:
    """Reads a JSON Lines file on photos; each object has the string ``photo`` and the lists ``needed``.

    Raises:
        ValueError: the file cannot be read, or a line is not such an object; the message is for the user.
    """
    wanted = f"expected {path} with a JSON object a line that has {' and '.join(('photo', *needed))}"
    try:
        lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise ValueError(f"{wanted}: {error}") from error
    for number, entry in enumerate(lines, 1):
        has_photo = isinstance(entry, dict) and isinstance(entry.get("photo"), str)
        if not has_photo or not all(isinstance(entry.get(key), list) for key in needed):
            raise ValueError(f"{wanted}; line {number} has not")
    return lines


def photos(
    folder: Path, reader: CardReader, truth: Sequence[dict[str, Any]], misses: bool, worst: Worst
) -> dict[str, Metrics]:
    """Reads the photos of ``truth``; returns the metrics by subfolder.

    Raises:
        PhotoError: a photo cannot be read.
    """
    metrics: dict[str, Metrics] = defaultdict(Metrics)
    for known in truth:
        group, faces = Path(known["photo"]).parent.name, known["cards"]
        frame = load_photo(folder / known["photo"])
        reading = reader.read(frame)
        ranks_only = not any(Face.parse(face).suit for face in faces) and faces != ["JK"]
        if not score_faces(metrics[group], reading, faces, ranks_only, known["photo"]) and misses:
            faces_read = " ".join(sorted(str(card.face) for card in reading.cards))
            print(f"{known['photo']}: lies there {' '.join(sorted(faces))}; read {faces_read}", file=sys.stderr)
        worst.offer(metrics[group], frame.pixels, reading)
    return metrics


def truth_of(folder: Path, only: str | None, corrections: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Reads ``folder``/truth.jsonl, of one subfolder if ``only`` is given, and applies the ``corrections`` by photo.

    Raises:
        ValueError: there are no photos, or a correction does not fit; the message is for the user.
    """
    lines = listed(folder / "truth.jsonl", "cards")
    known = [entry for entry in lines if only in (None, Path(entry["photo"]).parent.name)]
    if not known:
        raise ValueError(f"expected photos{f' of {only}/' if only else ''} in {folder / 'truth.jsonl'}, got none")
    return [{**entry, "cards": corrected(entry["cards"], corrections.get(entry["photo"], {}))} for entry in known]


def drawn(
    count: int, seed: int, reader: CardReader, min_height: float, worst: Worst, decks: list[DeckArt]
) -> tuple[Metrics, Metrics]:
    """Returns the metrics over ``count`` new tables from ``decks``, and over those on which every index is at least
    ``min_height`` pixels high: tables are drawn by the height of their ranks, and a joker's index may be lower."""
    metrics, high_metrics = Metrics(), Metrics()
    for number in range(count):
        table = readable_table(seed, number, decks, min_height)
        reading = reader.read(Frame(table.picture, datetime.now(UTC), f"drawn {seed}/{number}"))
        high = min(index.tall for index in table.indices) >= min_height
        for target in (metrics, high_metrics) if high else (metrics,):
            score_table(target, reading, table, f"table {seed}/{number}")
        worst.offer(metrics, table.picture, reading)
    return metrics, high_metrics


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of photos with truth.jsonl")
    parser.add_argument("--only", help="evaluate one subfolder only")
    parser.add_argument("--misses", action="store_true", help="print every photo that is not exactly right")
    parser.add_argument("--corrections", type=Path, help="file of corrections of wrong labels")
    parser.add_argument("--drawn", type=int, default=0, help="number of tables to draw")
    parser.add_argument("--seed", type=int, default=2026, help="seed of the drawn tables (default: 2026)")
    parser.add_argument(
        "--development",
        action="store_true",
        help="draw with training fonts and packages, and new decks: for choices, not for reported results",
    )
    parser.add_argument(
        "--least", type=float, default=16.0, help="smallest rank height on drawn tables, in pixels (default: 16)"
    )
    parser.add_argument("--engine", default="onnx", choices=("onnx", "ultralytics"), help="inference engine")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: models/weights)")
    parser.add_argument("--json", action="store_true", help="print all counts, one JSON document per line")
    parser.add_argument("--report", type=Path, help="folder to write report.md and worst.jpg (the worst pictures) to")
    options = parser.parse_args()
    if options.folder is None and not options.drawn:
        parser.error("expected a folder with truth.jsonl, or --drawn N")
    truth: list[dict[str, Any]] = []
    try:
        corrections = {entry["photo"]: entry for entry in listed(options.corrections)} if options.corrections else {}
        truth = truth_of(options.folder, options.only, corrections) if options.folder else []
        reader, worst = load_reader(options.engine, options.weights), Worst()
        marked = photos(options.folder, reader, truth, options.misses, worst)
    except (ValueError, VisionError) as error:
        parser.error(str(error))
    if options.drawn:
        decks = training_decks(25, DEVELOPMENT_SEED) if options.development else held_out_decks()
        name = "drawn, for development" if options.development else "drawn, decks never trained on"
        marked[name], high = drawn(options.drawn, options.seed, reader, options.least, worst, decks)
        if high.pictures:
            marked[f"of these, every index at least {options.least:g} px high, jokers' too"] = high
    for name, metrics in marked.items():
        print(json.dumps(as_json(name, metrics)) if options.json else line(name, metrics))
    if options.report:
        options.report.mkdir(parents=True, exist_ok=True)
        pages = "\n".join(readable(name, metrics) for name, metrics in marked.items())
        (options.report / "report.md").write_text(f"# How the reader did\n\n{pages}", encoding="utf-8")
        worst.write(options.report / "worst.jpg")


if __name__ == "__main__":
    main()
