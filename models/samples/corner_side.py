"""Samples for the corner side classifier: crops of indices, above all on cards of which only a strip shows."""

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
from models.samples.reader_output import FIRST_SEED, MIN_HEIGHTS
from models.samples.simulated import jitter
from vision.arrays import Flags
from vision.crops.pyramid import pyramid
from vision.geometry import card_beside, plausible
from vision.rescore.corner_side import VIEW
from vision.values import Pixels

DRAWN_DECKS = 30
"""Decks drawn for each part."""
FOUR_CORNER_SHARE = 0.85
"""Share of tables with decks that have indices in all four corners."""
EASY_SHARE, TWO_CORNER_SHARE = 0.15, 0.2
"""Shares used of the indices whose neighbour at the same end of the card shows, and of those of two-index decks."""
JITTER = (0.2, 1.2)
"""Range of the outlines' errors; see ``jitter``."""
SAME_CARD = 3.0
"""Largest distance between the corners of two true outlines of one card, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class CornerSideCrops:
    """``crops`` (n, size, size, 3) BGR of indices, and whether each is in the right-hand corner, ``right`` (n,)."""

    crops: NDArray[np.uint8]
    right: Flags


def neighbour_hidden(indices: Sequence[TrueIndex]) -> list[bool]:
    """Tells for each index whether the other index at the same end of its card is missing from ``indices``."""
    return [
        not any(other.right != index.right and np.abs(other.quad - index.quad).max() < SAME_CARD for other in indices)
        for index in indices
    ]


def write_crops(seed: int, count: int, folder: Path) -> Path:
    """Draws ``count`` tables and writes crops of their indices, with the truth beside them, to ``folder``; returns the
    file's path. An existing file is kept."""
    target = folder / f"placed-{seed}.npy"
    truth = target.with_suffix(".npz")
    if truth.exists():
        return target
    cv2.setNumThreads(1)
    decks = training_decks(DRAWN_DECKS, first_seed=FIRST_SEED + 100 * seed)
    four = [deck for deck in decks if deck.four_corners]
    two = [deck for deck in decks if not deck.four_corners]
    rng = np.random.default_rng([seed, 13])
    crops: list[Pixels] = []
    right: list[bool] = []
    for number in range(count):
        min_height, of_four = float(rng.uniform(*MIN_HEIGHTS)), bool(four) and rng.random() < FOUR_CORNER_SHARE
        table = readable_table(FIRST_SEED + seed, number, four if of_four else two, min_height)
        levels, indices = pyramid(table.picture), [*table.indices, *table.doubtful]
        for index, hidden in zip(indices, neighbour_hidden(indices), strict=True):
            if rng.random() > ((1.0 if hidden else EASY_SHARE) if of_four else TWO_CORNER_SHARE):
                continue
            # errors are simulated about the corner of the index, which jitter expects on the left
            quad = jitter(rng, card_beside(index.quad) if index.right else index.quad, size=float(rng.uniform(*JITTER)))
            quad = card_beside(quad, back=True) if index.right else quad
            if plausible(quad[None])[0]:
                crops += [*VIEW.crop(levels, quad[None], np.array([index.right]))]
                right.append(index.right)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(target, np.stack(crops))
    np.savez(truth, right=np.array(right, bool))
    return target


def load_crops(files: Sequence[Path]) -> list[CornerSideCrops]:
    """Opens the files of ``write_crops``; the crops stay on disk until they are used."""
    parts = []
    for path in files:
        with np.load(path.with_suffix(".npz")) as truth:
            parts.append(CornerSideCrops(np.load(path, mmap_mode="r"), truth["right"]))
    return parts
