"""Samples for the index classifier: corner patches of drawn tables, cut as the reader cuts them, with their classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from datasets.arrays import Floats, Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table, TrueIndex
from models.samples.detector import drawn_tables
from models.samples.simulated import NO_SUIT, jitter
from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.arrays import floats
from vision.crops.index_patch import crop_patch
from vision.detect.detections import Detections
from vision.geometry import plausible, position_on_card, quad_width
from vision.recognise.index_classifier import SHIFT_UNIT

RANK_CLASSES = (*RANKS, JOKER.rank, "none")
NO_INDEX = RANK_CLASSES.index("none")
NO_SHIFT = np.zeros(2, np.float32)
STRETCH = 0.1
"""Standard deviation of the logarithm of the stretch."""
SLIDE = 0.05
"""Standard deviation of the slide, in card widths and heights."""
MAX_TARGET_SHIFT = 3.0
"""Larger shifts are clipped to this, in SHIFT_UNITs."""
STORED_BATCHES = 12
"""Number of batches of patches, and of the outline refiner's windows, in the shuffled store."""
Item = tuple[Picture, int, int, Floats]
"""A patch (height, width, 3) BGR, its position in RANK_CLASSES, its suit's in SUITS or NO_SUIT, and the offset of the
card's true corner from the patch's, (2,) in SHIFT_UNITs along and down; meaningless without an index."""


def class_targets(face: Face | None) -> tuple[int, int]:
    """Returns the rank and suit class of a face; None is a patch without an index."""
    if face is None:
        return NO_INDEX, NO_SUIT
    return RANK_CLASSES.index(face.rank), SUITS.index(face.suit) if face.suit else NO_SUIT


def corner_shift(quad: Floats, right: bool, true: Floats) -> Floats:
    """Returns the offset of the true card's corner (``true``, (4, 2)) from the predicted one's (``quad``), (2,) in
    SHIFT_UNITs, for the corner with the index."""
    along, down = position_on_card(quad, _index_corner(true, right)).tolist()
    return floats(np.clip([(along - right) / SHIFT_UNIT, down / SHIFT_UNIT], -MAX_TARGET_SHIFT, MAX_TARGET_SHIFT))


def randomly_shifted(rng: np.random.Generator, quad: Floats) -> Floats:
    """Moves half of the outlines (4, 2) by about a twentieth of a card, like a detection between two indices."""
    if rng.random() < 0.5:
        return quad
    along, down = rng.normal(0, SLIDE, 2).clip(-2.5 * SLIDE, 2.5 * SLIDE)
    return floats(quad + along * (quad[1] - quad[0]) + down * (quad[3] - quad[0]))


def randomly_stretched(rng: np.random.Generator, quad: Floats, right: bool) -> Floats:
    """Stretches an outline (4, 2) about the corner with the index, so that the proportions of the index vary."""
    along, down = np.exp(rng.normal(0, STRETCH, 2))
    here, beside = (1, 0) if right else (0, 1)
    below, across = (2, 3) if right else (3, 2)
    made = quad.copy()
    made[beside] = quad[here] + (quad[beside] - quad[here]) * along
    made[below] = quad[here] + (quad[below] - quad[here]) * down
    made[across] = quad[here] + (quad[beside] - quad[here]) * along + (quad[across] - quad[beside]) * down
    return np.asarray(made, np.float32)


def _near_an_index(corner: Floats, index_corners: Floats, across: float) -> bool:
    return bool(len(index_corners) and np.hypot(*(index_corners - corner).T).min() < 0.16 * across)


def _index_corner(quad: Floats, right: bool) -> Floats:
    return floats(quad[1 if right else 0])


def true_patches(rng: np.random.Generator, table: Table, each: int) -> list[Item]:
    """Cuts ``each`` jittered patches of every index, and about half as many patches without an index.

    Indices that are half covered or hard to read keep their class: the classifier learns how much they show, and
    expresses it by its confidence.
    """
    made: list[Item] = []
    for index in (*table.indices, *table.doubtful):
        rank, suit = class_targets(index.face)
        for _ in range(each):
            quad = randomly_shifted(rng, randomly_stretched(rng, jitter(rng, index.quad), index.right))
            made.append(
                (crop_patch(table.picture, quad, index.right), rank, suit, corner_shift(quad, index.right, index.quad))
            )
    index_corners = floats(
        [_index_corner(index.quad, index.right) for index in (*table.indices, *table.doubtful)]
    ).reshape(-1, 2)
    height, width = table.picture.shape[:2]
    without_index: list[tuple[Floats, bool]] = [(index.quad, index.right) for index in table.covered]
    for card in table.cards:
        # corners without an index, and points further inside: pips, frames, figures
        without_index += [(card.quad, True), (np.roll(card.quad, 2, axis=0), True)]
        along, down = card.quad[1] - card.quad[0], card.quad[3] - card.quad[0]
        for _ in range(2):
            shift = rng.uniform(-0.1, 0.9) * along + rng.uniform(-0.1, 0.8) * down
            without_index.append((np.roll(card.quad + shift, int(rng.integers(4)), axis=0), False))
    for i in rng.permutation(len(without_index))[: max(len(table.indices) * each // 2, 4)]:
        quad, right = without_index[i]
        corner = _index_corner(quad, right)
        across = float(np.hypot(*(quad[1] - quad[0])))
        inside = 0 <= corner[0] < width and 0 <= corner[1] < height
        if inside and not _near_an_index(corner, index_corners, across):
            made.append((crop_patch(table.picture, jitter(rng, quad), right), *class_targets(None), NO_SHIFT))
    return made


class PatchStream(IterableDataset[Item]):
    """An endless stream of patches, from a store so large that a batch comes from many tables."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, each: int = 2, store: int = 3000) -> None:
        self.decks, self.seed, self.each, self.store = list(decks), seed, each, store

    def of_table(self, rng: np.random.Generator, table: Table) -> list[Item]:
        """Returns the patches of one table."""
        return true_patches(rng, table, self.each)

    def __iter__(self) -> Iterator[Item]:
        cv2.setNumThreads(1)
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, 1, info.id if info else 0])
        stored: list[Item] = []
        tables = drawn_tables(rng, self.decks)
        while True:
            while len(stored) < self.store:
                stored += self.of_table(rng, next(tables))
            for _ in range(self.store // 3):
                place = int(rng.integers(len(stored)))
                stored[place], stored[-1] = stored[-1], stored[place]
                yield stored.pop()


def as_tensor(made: Sequence[Picture]) -> torch.Tensor:
    """Converts patches to (n, 3, height, width) float RGB in 0..1."""
    stacked = np.stack([patch[:, :, ::-1].transpose(2, 0, 1) for patch in made])
    return torch.from_numpy(stacked.copy()).float() / 255


Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def collate(items: Sequence[Item]) -> Batch:
    """Combines samples: patches (n, 3, height, width), rank classes (n,), suit classes (n,), shifts (n, 2)."""
    pictures, ranks, suits, shifts = zip(*items, strict=True)
    return as_tensor(pictures), torch.tensor(ranks), torch.tensor(suits), torch.from_numpy(np.stack(shifts))


def batches(stream: PatchStream, batch: int, workers: int) -> Iterator[Batch]:
    """Yields batches endlessly, drawn by ``workers`` processes (0: in this process)."""
    yield from DataLoader(stream, batch_size=batch, num_workers=workers, collate_fn=collate)


MAX_SAME, MIN_DIFFERENT = 0.13, 0.25
"""A detection within MAX_SAME card widths of an index shows it; one further than MIN_DIFFERENT from all shows none."""


def _distance(index: TrueIndex, found: Detections, i: int) -> float:
    """Distance of detection ``i`` from a true index, in card widths, over the corners nearest to the index."""
    apart = np.hypot(*(found.quads[i] - index.quad).T)
    near = apart[[0, 1, 2]] if index.right else apart[[0, 1, 3]]
    return float(0.6 * near[1 if index.right else 0] + 0.4 * near.mean()) / quad_width(index.quad)


def detection_patches(table: Table, found: Detections) -> list[Item]:
    """Cuts patches of what was ``found`` on ``table``, with their true classes; leaves out ambiguous detections."""
    made: list[Item] = []
    known = (*table.indices, *table.doubtful)
    rights = found.index_on_right_by_box().tolist()
    for i in map(int, np.flatnonzero(plausible(found.quads))):
        right = rights[i]
        near = sorted((_distance(index, found, i), n) for n, index in enumerate(known) if index.right == right)
        patch = crop_patch(table.picture, found.quads[i], right)
        if near and near[0][0] < MAX_SAME:
            index = known[near[0][1]]
            made.append((patch, *class_targets(index.face), corner_shift(found.quads[i], right, index.quad)))
        elif not near or near[0][0] > MIN_DIFFERENT:
            made.append((patch, *class_targets(None), NO_SHIFT))
    return made
