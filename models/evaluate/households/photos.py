"""Reads photos with what others of their folder teach: ``python -m models.evaluate.households.photos FOLDER``.

FOLDER is as for ``models.evaluate.run``. Of each subfolder the first half is agreed on and the second read, then the
other way round. Labels tell no places: a photo that is not read rightly teaches nothing, where people would correct it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from models.evaluate.metrics import Metrics, score_faces
from models.evaluate.run import listed, truth_of
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.looks.labelling import AgreedCard, agreed_looks
from vision.looks.looks import Looks, SeenIndices, joined
from vision.reader import CardReader, load_reader
from vision.values import Reading


class Counts:
    """What is counted of the readings of some photos."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        self.doubts = self.warnings = self.unasked = 0

    def add(self, reading: Reading, faces: Sequence[str]) -> bool:
        """Counts a reading by the labels of its photo; returns whether it is right."""
        right = score_faces(self.metrics, reading, faces, ranks_only=False)
        found = [card.doubt for card in reading.cards] + [group.doubt for group in reading.groups]
        doubts = sum(doubt is not None for doubt in found)
        if right:
            self.doubts, self.warnings = self.doubts + doubts, self.warnings + len(reading.warnings)
            self.unasked += not doubts
        return right

    def line(self) -> str:
        """As a line of a table in Markdown, without its name."""
        told = self.metrics
        figures = (told.pictures, told.exact, self.unasked, self.doubts, self.warnings, told.undoubted_wrong)
        return f"| {' | '.join(map(str, figures))} | {told.f1:.4f} |"


def read_halves(reader: CardReader, folder: Path, photos: Sequence[dict[str, Any]]) -> tuple[Counts, Counts]:
    """The counts of photos of one deck, read without looks and with those of the half that they are not in.

    Raises:
        PhotoError: a photo cannot be read.
    """
    before, after = Counts(), Counts()
    halves = photos[: len(photos) // 2], photos[len(photos) // 2 :]
    known = list[Looks | None]()
    for half in halves:
        parts = list[Looks]()
        for photo in half:
            reading, trace = reader.read_traced(load_photo(folder / photo["photo"]))
            if before.add(reading, photo["cards"]) and trace.scored is not None:
                agreed = [
                    AgreedCard(card.quad, tuple(c.box for c in card.corners), card.face.rank) for card in reading.cards
                ]
                parts.insert(0, agreed_looks(SeenIndices.of(trace.scored, trace.networks), agreed))
        known.append(joined(parts))
    for half, looks in zip(halves, reversed(known), strict=True):
        for photo in half:
            after.add(reader.read(load_photo(folder / photo["photo"]), looks=looks), photo["cards"])
    return before, after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of photos with truth.jsonl")
    parser.add_argument("--only", nargs="+", default=("webcam", "overlap", "jokers"), help="its subfolders")
    parser.add_argument("--corrections", type=Path, help="file of corrections of wrong labels")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: models/weights)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print(
        "| photos of | learned | photos | right | right, nothing asked | doubts on right ones | warnings on them "
        "| wrong, nothing asked | F1 by rank |"
    )
    print("|---" * 9 + "|")
    try:
        corrections = {entry["photo"]: entry for entry in listed(options.corrections)} if options.corrections else {}
        reader = load_reader(weights=options.weights)
        for name in options.only:
            before, after = read_halves(reader, options.folder, truth_of(options.folder, name, corrections))
            print(f"| `{name}` | nothing {before.line()}\n| | the other half {after.line()}", flush=True)
    except (ValueError, VisionError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
