"""Keeps what was read of a film, so that the memory can be tried on it again without the reader.

A folder for each film: the stills as JPEG files, and ``looks.jsonl`` with one look a line, its cards as they were read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scorer.faces import Face
from vision.memory.watching import Look
from vision.values import CornerReading, Reading, SeenCard

_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 95]
_LOOKS = "looks.jsonl"


def folder_of(folder: Path, seed: int) -> Path:
    """Where the film of that seed is kept."""
    return folder / f"film-{seed:06d}"


def is_kept(folder: Path, seed: int) -> bool:
    """Whether all of a film is kept."""
    return (folder_of(folder, seed) / _LOOKS).is_file()


def keep(folder: Path, seed: int, looks: Iterator[Look]) -> None:
    """Keeps the looks at a film; the list is written last, so that a film that was cut off is not taken for whole."""
    place = folder_of(folder, seed)
    place.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, look in enumerate(looks):
        cv2.imwrite(str(place / f"{number:04d}.jpg"), look.pixels, _QUALITY)
        told = {"second": look.second, "parts": look.parts, "seconds": look.reading.seconds}
        lines.append(json.dumps({**told, "cards": [_as_json(card) for card in look.reading.cards]}))
    (place / _LOOKS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def kept_looks(folder: Path, seed: int) -> Iterator[Look]:
    """The looks at a film that were kept."""
    place = folder_of(folder, seed)
    for number, line in enumerate((place / _LOOKS).read_text(encoding="utf-8").splitlines()):
        told = json.loads(line)
        pixels = np.asarray(cv2.imread(str(place / f"{number:04d}.jpg")), np.uint8)
        cards = tuple(_of_json(one) for one in told["cards"])
        reading = Reading(pixels.shape[1], pixels.shape[0], told["seconds"], cards, (), ())
        yield Look(told["second"], pixels, reading, tuple((a, b, c, d) for a, b, c, d in told["parts"]))


def _as_json(card: SeenCard) -> dict[str, Any]:
    """A card; of its indices their boxes only."""
    return {
        "face": str(card.face),
        "confidence": card.confidence,
        "others": [(str(face), score) for face, score in card.others],
        "quad": [[float(x), float(y)] for x, y in card.quad],
        "corners": len(card.corners),
        "boxes": [[float(side) for side in one.box] for one in card.corners],
    }


def _of_json(told: dict[str, Any]) -> SeenCard:
    a, b, c, d = ((x, y) for x, y in told["quad"])
    others = tuple((Face.parse(face), score) for face, score in told["others"])
    boxes = told.get("boxes") or [(*a, *c)] * told["corners"]
    ends = tuple(CornerReading((), (x0, y0, x1, y1), (a, b, c, d), 1.0) for x0, y0, x1, y1 in boxes)
    return SeenCard(Face.parse(told["face"]), told["confidence"], others, (a, b, c, d), corners=ends)
