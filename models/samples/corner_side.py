"""What the placer learns from: views of indices on drawn tables, above all those whose cards show just a strip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.splits import training_decks
from datasets.scenes.tables import TrueIndex
from models.samples.drawn_tables import readable_table
from models.samples.index_classifier import jitter
from models.samples.reader_output import FIRST_SEED, LEAST
from vision.arrays import Flags
from vision.crops.pyramid import pyramid
from vision.geometry import beside, sane
from vision.rescore.corner_side import VIEW
from vision.values import Pixels

DRAWN = 30
"""So many decks are drawn for each part."""
FOUR_CORNERED = 0.85
"""So many of the tables are laid with cards that have indices in all four corners."""
EASY, TWO_CORNERED = 0.15, 0.2
"""Of indices beside which the card's other upper one shows so many are taken, and of those of decks with two."""
OFF = (0.2, 1.2)
"""How far off outlines are, as ``namer_data.jitter`` means it."""
ONE_CARD = 3.0
"""Pixels between the corners of two true outlines, at most, that are one card's."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """``views`` (n, size, size, 3) BGR of indices and whether each stands in the right-hand corner, ``right`` (n,)."""

    views: NDArray[np.uint8]
    right: Flags


def alone(indices: Sequence[TrueIndex]) -> list[bool]:
    """For each index whether the other one at the same end of its card is not among them."""
    return [
        not any(other.right != one.right and np.abs(other.quad - one.quad).max() < ONE_CARD for other in indices)
        for one in indices
    ]


def show(seed: int, count: int, folder: Path) -> Path:
    """Writes views of indices on ``count`` tables to a file in ``folder``, and where they stand beside it; returns its
    path. What is there already is kept."""
    target = folder / f"placed-{seed}.npy"
    truth = target.with_suffix(".npz")
    if truth.exists():
        return target
    cv2.setNumThreads(1)
    decks = training_decks(DRAWN, first_seed=FIRST_SEED + 100 * seed)
    four = [deck for deck in decks if deck.four_corners]
    two = [deck for deck in decks if not deck.four_corners]
    rng = np.random.default_rng([seed, 13])
    views: list[Pixels] = []
    right: list[bool] = []
    for number in range(count):
        least, in_four = float(rng.uniform(*LEAST)), bool(four) and rng.random() < FOUR_CORNERED
        table = readable_table(FIRST_SEED + seed, number, four if in_four else two, least)
        levels, indices = pyramid(table.picture), [*table.indices, *table.doubtful]
        for index, strip in zip(indices, alone(indices), strict=True):
            if rng.random() > ((1.0 if strip else EASY) if in_four else TWO_CORNERED):
                continue
            # outlines are made wrong about the index they have in their left corner
            quad = jitter(rng, beside(index.quad) if index.right else index.quad, size=float(rng.uniform(*OFF)))
            quad = beside(quad, back=True) if index.right else quad
            if sane(quad[None])[0]:
                views += [*VIEW.cut(levels, quad[None], np.array([index.right]))]
                right.append(index.right)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(target, np.stack(views))
    np.savez(truth, right=np.array(right, bool))
    return target


def shown_in(files: Sequence[Path]) -> list[Placed]:
    """What ``show`` has written, its views left on disk until they are needed."""
    parts = []
    for path in files:
        with np.load(path.with_suffix(".npz")) as truth:
            parts.append(Placed(np.load(path, mmap_mode="r"), truth["right"]))
    return parts
