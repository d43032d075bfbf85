"""Samples for the outline refiner: windows on predicted cards of drawn tables, with the predictions' errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from datasets.arrays import Floats, Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table, TrueIndex
from models.samples.detector import drawn_tables
from models.samples.index_classifier import as_tensor
from models.samples.simulated import box_centre, jitter
from vision.arrays import floats
from vision.crops.card_window import crop_windows, shifts_between
from vision.crops.pyramid import pyramid
from vision.detect.detections import Detections
from vision.detect.detector import Detector
from vision.engines.load import load_detector
from vision.geometry import card_beside, plausible, quad_width
from vision.recognise.plane_fit import align_to_plane

MAX_SAME, MIN_DIFFERENT = 0.12, 0.25
"""A detection within MAX_SAME card widths of a true index, box to box, shows it; one further than MIN_DIFFERENT from
all shows none."""
MAX_CORNER_SHIFT = 0.9
"""Largest shift of a corner, in card widths or heights; worse predictions are not used."""
JITTERED = 2
"""Number of windows on each true card with a jittered outline."""
Item = tuple[Picture, Floats, float, float]
"""A window, the shifts (4, 2) to the true corners, 1 if the index is in the right-hand corner, 1 if it is real."""


def _item(levels: list[Picture], quad: Floats, index: TrueIndex | None) -> Item | None:
    """Returns the sample of a predicted ``quad`` (index in its left-hand corner), or None if it is unusable."""
    if not plausible(quad[None])[0]:
        return None
    if index is None:
        return crop_windows(levels, quad[None])[0], np.zeros((4, 2), np.float32), 0.0, 0.0
    shift = shifts_between(quad, card_beside(index.quad) if index.right else index.quad)
    if np.abs(shift).max() >= MAX_CORNER_SHIFT:
        return None
    return crop_windows(levels, quad[None])[0], shift, float(index.right), 1.0


def windows(rng: np.random.Generator, table: Table, found: Detections) -> list[Item]:
    """Cuts windows on everything ``found`` on ``table``, and on each true card with a jittered outline."""
    levels = pyramid(table.picture)
    centres = floats([box_centre(index) for index in table.indices]).reshape(-1, 2)
    doubtful = floats([box_centre(index) for index in table.doubtful]).reshape(-1, 2)
    made: list[Item | None] = []
    rights = found.index_on_right_by_box()
    for i in map(int, np.flatnonzero(plausible(found.quads))):
        quad = card_beside(found.quads[i]) if rights[i] else found.quads[i]
        centre, across = (found.boxes[i, :2] + found.boxes[i, 2:]) / 2, quad_width(quad)
        distance = np.hypot(*(centres - centre).T) / across
        if len(distance) and distance.min() < MAX_SAME:
            made.append(_item(levels, quad, table.indices[int(distance.argmin())]))
        elif (not len(distance) or distance.min() > MIN_DIFFERENT) and all(
            np.hypot(*(doubtful - centre).T) > MIN_DIFFERENT * across
        ):
            made.append(_item(levels, quad, None))
    for index in table.indices:
        true = card_beside(index.quad) if index.right else index.quad
        for _ in range(JITTERED):
            made.append(_item(levels, jitter(rng, true, size=float(np.exp(rng.normal(0, 0.5))) * 1.6), index))
    return [item for item in made if item is not None]


class WindowStream(IterableDataset[Item]):
    """An endless stream of windows, from a store so large that a batch comes from many tables."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, weights: Path, store: int = 3000) -> None:
        self.decks, self.seed, self.weights, self.store = list(decks), seed, weights, store

    def __iter__(self) -> Iterator[Item]:
        cv2.setNumThreads(1)
        detector: Detector = load_detector(weights=self.weights)
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, 2, info.id if info else 0])
        stored: list[Item] = []
        tables = drawn_tables(rng, self.decks)
        while True:
            while len(stored) < self.store:
                table = next(tables)
                found = (
                    detector.detect(table.picture, float(rng.uniform(0.8, 1.25)))
                    .split_by_confidence()[0]
                    .snapped_to_boxes()
                )
                stored += windows(rng, table, align_to_plane(found, found.scores))
            for _ in range(self.store // 3):
                place = int(rng.integers(len(stored)))
                stored[place], stored[-1] = stored[-1], stored[place]
                yield stored.pop()


def collate(items: Sequence[Item]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Combines samples: windows (n, 3, size, size), shifts (n, 8), whether right-hand (n, 1), whether real (n, 1)."""
    pictures, shifts, rights, reals = zip(*items, strict=True)
    numbers = torch.tensor([rights, reals], dtype=torch.float32)
    return (
        as_tensor(pictures),
        torch.from_numpy(np.stack(shifts).reshape(-1, 8)),
        numbers[0, :, None],
        numbers[1, :, None],
    )


def batches(stream: WindowStream, batch: int, workers: int) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yields batches endlessly, drawn by ``workers`` processes (0: in this process)."""
    yield from DataLoader(stream, batch_size=batch, num_workers=workers, collate_fn=collate)
