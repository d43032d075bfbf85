"""Measures the reader: ``python models/evaluate.py FOLDER`` on photos with truth.jsonl, ``--drawn N`` on N new tables.

A folder's truth.jsonl has a line a photo with ``photo`` and ``cards`` (faces, or ranks where no more is known).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from datasets.decks import held_out_decks
from datasets.tables import Table, draw_table
from models.marks import Marks, mark_faces, mark_table
from vision.photos import load_photo
from vision.reader import CardReader, load_reader
from vision.values import Frame
from vision.weights import FOLDER


def photos(folder: Path, reader: CardReader, only: str | None, misses: bool) -> dict[str, Marks]:
    """Marks by subfolder of the photos listed in ``folder``/truth.jsonl."""
    marks: dict[str, Marks] = defaultdict(Marks)
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        known = json.loads(line)
        group = Path(known["photo"]).parent.name
        if only and group != only:
            continue
        reading = reader.read(load_photo(folder / known["photo"]))
        faces = known["cards"]
        ranks_only = all(face[-1] not in "CDHS" for face in faces) and faces != ["JK"]
        if not mark_faces(marks[group], reading, faces, ranks_only) and misses:
            seen = " ".join(sorted(str(card.face) for card in reading.cards))
            print(f"{known['photo']}: lies there {' '.join(sorted(faces))}; read {seen}", file=sys.stderr)
    return marks


def readable_table(seed: int, number: int, decks: list, least: float) -> Table:  # type: ignore[type-arg]
    """A drawn table on which every readable rank is at least ``least`` pixels high; drawn anew until it is so."""
    rng = np.random.default_rng([seed, number])
    while True:
        deck = decks[int(rng.integers(len(decks)))]
        ranks = deck.rank_box[3] - deck.rank_box[1]
        share = ranks * deck.height / deck.back.shape[1]
        across = max(least / share * rng.uniform(1.15, 2.2), 70)
        size = (1600, 1200) if across > 110 else (1280, 960)
        table = draw_table(rng, [deck], size, card_pixels=float(min(across, 330)))
        heights = [ranks * float(np.hypot(*(index.quad[3] - index.quad[0]))) for index in table.indices]
        if len(table.cards) >= 3 and min(heights) >= least:
            return table


def drawn(count: int, seed: int, reader: CardReader, least: float) -> Marks:
    """Marks over ``count`` new tables from decks and fonts that training never saw."""
    decks = held_out_decks()
    marks = Marks()
    for number in range(count):
        table = readable_table(seed, number, decks, least)
        frame = Frame(table.picture, datetime.now(UTC), f"drawn {seed}/{number}")
        mark_table(marks, reader.read(frame), table)
    return marks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--only", help="one subfolder")
    parser.add_argument("--misses", action="store_true", help="name every photo that is not exactly right")
    parser.add_argument("--drawn", type=int, default=0, help="how many tables to draw")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--least", type=float, default=16.0, help="smallest rank height on drawn tables, pixels")
    parser.add_argument("--engine", default="onnx", choices=("onnx", "ultralytics"))
    parser.add_argument("--weights", type=Path, default=FOLDER)
    given = parser.parse_args()
    if given.folder is None and not given.drawn:
        parser.error("expected a folder with truth.jsonl, or --drawn N")
    reader = load_reader(given.engine, given.weights)
    if given.folder is not None:
        for name, marks in photos(given.folder, reader, given.only, given.misses).items():
            print(marks.report(name))
    if given.drawn:
        print(drawn(given.drawn, given.seed, reader, given.least).report("drawn, decks never trained on"))


if __name__ == "__main__":
    main()
