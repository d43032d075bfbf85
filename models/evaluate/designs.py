"""Evaluates how single cards of many designs are read: ``python -m models.evaluate.designs FOLDER``.

FOLDER has pictures of a few cards side by side, and truth.jsonl with a line a picture: ``photo`` and ``cards``, each
with its ``face``, its centre ``at`` (x, y in pixels) and its ``paper`` (light, tinted, dark). What is read belongs to
the nearest of these cards. A card is exact if it was read once, with its rank and suit; it is silent if it is not and
neither what was read there is doubted nor the picture has a warning.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.evaluate.paired import wilson
from models.evaluate.run import listed
from vision.arrays import floats
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.reader import CardReader, load_reader
from vision.values import Reading

JOKERS = "joker"
"""The kind of a joker, whatever its paper."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one card was read: its picture and face, its paper or JOKERS, the faces read at its place, and whether it is
    ``exact`` or wrong in silence."""

    photo: str
    face: str
    paper: str
    read: tuple[str, ...]
    exact: bool
    silent: bool


def outcomes(known: Mapping[str, Any], reading: Reading) -> list[Outcome]:
    """How each card of a picture was read."""
    places = floats([card["at"] for card in known["cards"]])
    read = defaultdict(list)
    for card in reading.cards:
        middle = floats(card.quad).mean(0)
        read[int(np.hypot(*(places - middle).T).argmin())].append(card)
    found = []
    for number, card in enumerate(known["cards"]):
        there, face = read[number], str(card["face"])
        exact = [str(one.face) for one in there] == [face]
        silent = not exact and not reading.warnings and not any(one.doubt for one in there)
        paper = JOKERS if face == "JK" else str(card["paper"])
        found.append(Outcome(known["photo"], face, paper, tuple(str(one.face) for one in there), exact, silent))
    return found


def read_designs(folder: Path, reader: CardReader) -> list[Outcome]:
    """Reads all pictures of a folder.

    Raises:
        ValueError: its truth.jsonl is missing or incomplete.
        PhotoError: a picture cannot be read.
    """
    lines = listed(folder / "truth.jsonl", "cards")
    return [found for known in lines for found in outcomes(known, reader.read(load_photo(folder / known["photo"])))]


def table(read: Sequence[Outcome]) -> str:
    """The figures for each paper, a line each."""
    lines = []
    for paper in sorted({outcome.paper for outcome in read}):
        own = [outcome for outcome in read if outcome.paper == paper]
        exact = sum(outcome.exact for outcome in own)
        low, high = wilson(exact, len(own))
        ranks = sum([face.rstrip("CDHS") for face in one.read] == [one.face.rstrip("CDHS")] for one in own)
        twice, none = sum(len(one.read) > 1 for one in own), sum(not one.read for one in own)
        lines.append(
            f"{paper}: exact {exact} of {len(own)} ({low:.1%} to {high:.1%}), by rank {ranks}, read twice {twice}, "
            f"not read {none}, silent {sum(outcome.silent for outcome in own)}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with the pictures and truth.jsonl")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: the shipped ones)")
    parser.add_argument("--misses", action="store_true", help="name each card that is not exact")
    options = parser.parse_args(arguments)
    try:
        read = read_designs(options.folder, load_reader(weights=options.weights))
    except (ValueError, VisionError) as error:
        parser.error(str(error))
    for one in read if options.misses else ():
        if not one.exact:
            told = "silent" if one.silent else "told"
            print(f"{one.photo}: {one.paper} {one.face} read as {' '.join(one.read) or 'nothing'}, {told}")
    print(table(read))


if __name__ == "__main__":
    main()
