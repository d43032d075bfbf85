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

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import held_out_decks, training_decks
from models.evaluate.metrics import Metrics, score_faces, score_table
from models.samples.drawn_tables import readable_table
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.reader import CardReader, load_reader
from vision.values import Frame

DEVELOPMENT_SEED = 700_000
"""First seed of the decks for development; no training uses them."""
LEAST_HEIGHT = 16.0
"""Smallest height of a rank on drawn tables, in pixels."""


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


def photos(folder: Path, reader: CardReader, truth: Sequence[dict[str, Any]], misses: bool) -> dict[str, Metrics]:
    """Reads the photos of ``truth``; returns the metrics by subfolder.

    Raises:
        PhotoError: a photo cannot be read.
    """
    metrics: dict[str, Metrics] = defaultdict(Metrics)
    for known in truth:
        reading = reader.read(load_photo(folder / known["photo"]))
        if not score_faces(metrics[Path(known["photo"]).parent.name], reading, known["cards"]) and misses:
            faces_read = " ".join(sorted(str(card.face) for card in reading.cards))
            print(
                f"{known['photo']}: lies there {' '.join(sorted(known['cards']))}; read {faces_read}", file=sys.stderr
            )
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


def drawn(count: int, seed: int, reader: CardReader, decks: list[DeckArt]) -> Metrics:
    """Returns the metrics over ``count`` new tables from ``decks``."""
    metrics = Metrics()
    for number in range(count):
        table = readable_table(seed, number, decks, LEAST_HEIGHT)
        score_table(metrics, reader.read(Frame(table.picture, datetime.now(UTC), f"drawn {seed}/{number}")), table)
    return metrics


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
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: models/weights)")
    options = parser.parse_args()
    if options.folder is None and not options.drawn:
        parser.error("expected a folder with truth.jsonl, or --drawn N")
    marked: dict[str, Metrics] = {}
    try:
        corrections = {entry["photo"]: entry for entry in listed(options.corrections)} if options.corrections else {}
        truth = truth_of(options.folder, options.only, corrections) if options.folder else []
        reader = load_reader(weights=options.weights)
        if options.folder:
            marked = photos(options.folder, reader, truth, options.misses)
    except (ValueError, VisionError) as error:
        parser.error(str(error))
    if options.drawn:
        decks = training_decks(25, DEVELOPMENT_SEED) if options.development else held_out_decks()
        name = "drawn, for development" if options.development else "drawn, decks never trained on"
        marked[name] = drawn(options.drawn, options.seed, reader, decks)
    for name, metrics in marked.items():
        print(metrics.line(name))


if __name__ == "__main__":
    main()
