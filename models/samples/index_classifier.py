"""Endless corner patches, cut from drawn tables as the reader cuts them, with what they show."""

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
from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.arrays import floats
from vision.crops.index_patch import cut_patch
from vision.detect.detector import Detections
from vision.geometry import place_on, sane, width_of
from vision.recognise.index_classifier import SHIFT_UNIT

RANK_CLASSES = (*RANKS, JOKER.rank, "none")
NONE = RANK_CLASSES.index("none")
NO_SUIT = -1
NO_SHIFT = np.zeros(2, np.float32)
STRETCH = 0.1
SLID = 0.05
"""Of a card's width and height: how far, as a rule, a slid outline is moved."""
MOST_SHIFTED = 3.0
"""In SHIFT_UNITs: a corner further off is taught as this far."""
STORED = 12
"""So many batches of patches, and of the settler's windows, lie in store while it is trained."""
Item = tuple[Picture, int, int, Floats]
"""A patch (height, width, 3) BGR, its place in RANK_CLASSES, its suit's in SUITS or NO_SUIT, and where the card's
corner really lies, (2,) SHIFT_UNITs of a card along and down from the patch's own; of no meaning without an index."""


def target(face: Face | None) -> tuple[int, int]:
    """The classes of a face; None is a patch that shows no index."""
    if face is None:
        return NONE, NO_SUIT
    return RANK_CLASSES.index(face.rank), SUITS.index(face.suit) if face.suit else NO_SUIT


def shift_of(quad: Floats, right: bool, true: Floats) -> Floats:
    """Where the corner of the card ``true`` (4, 2) lies on the predicted one, ``quad``, (2,) in SHIFT_UNITs from the
    corner that is read."""
    along, down = place_on(quad, _reading_corner(true, right)).tolist()
    return floats(np.clip([(along - right) / SHIFT_UNIT, down / SHIFT_UNIT], -MOST_SHIFTED, MOST_SHIFTED))


def jitter(rng: np.random.Generator, quad: Floats, size: float | None = None) -> Floats:
    """A card's outline (4, 2) as a finder might predict it: moved, turned, stretched, each corner a little off, by as
    much as ``size`` says (1 is a poor prediction; drawn at random round 0.6 where it is None)."""
    across = float(np.hypot(*(quad[1] - quad[0])))
    if size is None:
        size = float(np.exp(rng.normal(0, 0.5))) * 0.6
    middle = quad[:1]  # errors grow with the distance from the index
    angle = rng.normal(0, 0.035 * size)
    turn = floats([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = (quad - middle) @ turn.T * (1 + rng.normal(0, 0.045 * size, 2)) + middle
    moved = moved + rng.normal(0, 0.022 * size, 2) * across + rng.normal(0, 0.014 * size, (4, 2)) * across
    return np.asarray(moved, np.float32)


def slid(rng: np.random.Generator, quad: Floats) -> Floats:
    """An outline (4, 2), as often as not moved by a twentieth of a card or so: a find between two indices."""
    if rng.random() < 0.5:
        return quad
    along, down = rng.normal(0, SLID, 2).clip(-2.5 * SLID, 2.5 * SLID)
    return floats(quad + along * (quad[1] - quad[0]) + down * (quad[3] - quad[0]))


def stretched(rng: np.random.Generator, quad: Floats, right: bool) -> Floats:
    """An outline (4, 2) made larger or smaller about the corner that is read, so that the index in its patch has other
    proportions than the deck gave it."""
    along, down = np.exp(rng.normal(0, STRETCH, 2))
    here, beside = (1, 0) if right else (0, 1)
    below, across = (2, 3) if right else (3, 2)
    made = quad.copy()
    made[beside] = quad[here] + (quad[beside] - quad[here]) * along
    made[below] = quad[here] + (quad[below] - quad[here]) * down
    made[across] = quad[here] + (quad[beside] - quad[here]) * along + (quad[across] - quad[beside]) * down
    return np.asarray(made, np.float32)


def _near_an_index(corner: Floats, marks: Floats, across: float) -> bool:
    return bool(len(marks) and np.hypot(*(marks - corner).T).min() < 0.16 * across)


def _reading_corner(quad: Floats, right: bool) -> Floats:
    return floats(quad[1 if right else 0])


def patches(rng: np.random.Generator, table: Table, each: int) -> list[Item]:
    """``each`` jittered patches of every index, and about half as many patches that show none.

    Indices half covered or hard to make out are among them, under their own names: the namer learns how much such a
    one can tell, and says it by how sure it is.
    """
    made: list[Item] = []
    for index in (*table.indices, *table.doubtful):
        rank, suit = target(index.face)
        for _ in range(each):
            quad = slid(rng, stretched(rng, jitter(rng, index.quad), index.right))
            made.append(
                (cut_patch(table.picture, quad, index.right), rank, suit, shift_of(quad, index.right, index.quad))
            )
    marks = floats([_reading_corner(index.quad, index.right) for index in (*table.indices, *table.doubtful)]).reshape(
        -1, 2
    )
    height, width = table.picture.shape[:2]
    wrong: list[tuple[Floats, bool]] = [(index.quad, index.right) for index in table.covered]
    for card in table.cards:
        # the corners without an index, and places further in: pips, frames, faces
        wrong += [(card.quad, True), (np.roll(card.quad, 2, axis=0), True)]
        along, down = card.quad[1] - card.quad[0], card.quad[3] - card.quad[0]
        for _ in range(2):
            shift = rng.uniform(-0.1, 0.9) * along + rng.uniform(-0.1, 0.8) * down
            wrong.append((np.roll(card.quad + shift, int(rng.integers(4)), axis=0), False))
    for i in rng.permutation(len(wrong))[: max(len(table.indices) * each // 2, 4)]:
        quad, right = wrong[i]
        corner = _reading_corner(quad, right)
        across = float(np.hypot(*(quad[1] - quad[0])))
        inside = 0 <= corner[0] < width and 0 <= corner[1] < height
        if inside and not _near_an_index(corner, marks, across):
            made.append((cut_patch(table.picture, jitter(rng, quad), right), *target(None), NO_SHIFT))
    return made


class PatchStream(IterableDataset[Item]):
    """Patches for ever, from a store large enough that neighbours in a batch come from many tables."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, each: int = 2, store: int = 3000) -> None:
        self.decks, self.seed, self.each, self.store = list(decks), seed, each, store

    def of_table(self, rng: np.random.Generator, table: Table) -> list[Item]:
        """The patches one table gives."""
        return patches(rng, table, self.each)

    def __iter__(self) -> Iterator[Item]:
        cv2.setNumThreads(1)
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, 1, info.id if info else 0])
        held: list[Item] = []
        tables = drawn_tables(rng, self.decks)
        while True:
            while len(held) < self.store:
                held += self.of_table(rng, next(tables))
            for _ in range(self.store // 3):
                place = int(rng.integers(len(held)))
                held[place], held[-1] = held[-1], held[place]
                yield held.pop()


def as_tensor(made: Sequence[Picture]) -> torch.Tensor:
    """Patches as (n, 3, height, width) float RGB in 0..1."""
    stacked = np.stack([patch[:, :, ::-1].transpose(2, 0, 1) for patch in made])
    return torch.from_numpy(stacked.copy()).float() / 255


Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def collate(items: Sequence[Item]) -> Batch:
    """Patches (n, 3, height, width), rank classes (n,), suit classes (n,), shifts (n, 2)."""
    pictures, ranks, suits, shifts = zip(*items, strict=True)
    return as_tensor(pictures), torch.tensor(ranks), torch.tensor(suits), torch.from_numpy(np.stack(shifts))


def batches(stream: PatchStream, batch: int, workers: int) -> Iterator[Batch]:
    """Batches for ever, drawn by ``workers`` processes (0 draws in this one)."""
    yield from DataLoader(stream, batch_size=batch, num_workers=workers, collate_fn=collate)


MATCH, APART = 0.13, 0.25
"""A find within MATCH card widths of an index shows it; one further than APART from all shows none."""


def _off(index: TrueIndex, found: Detections, i: int) -> float:
    """How far find ``i`` is from a true index, in card widths, at the corners nearest to the index."""
    apart = np.hypot(*(found.quads[i] - index.quad).T)
    near = apart[[0, 1, 2]] if index.right else apart[[0, 1, 3]]
    return float(0.6 * near[1 if index.right else 0] + 0.4 * near.mean()) / width_of(index.quad)


def proposals(table: Table, found: Detections) -> list[Item]:
    """Patches of what was found on ``table``, named after the truth; finds between right and wrong are left out."""
    made: list[Item] = []
    known = (*table.indices, *table.doubtful)
    rights = found.index_on_right_by_box().tolist()
    for i in map(int, np.flatnonzero(sane(found.quads))):
        right = rights[i]
        near = sorted((_off(index, found, i), n) for n, index in enumerate(known) if index.right == right)
        patch = cut_patch(table.picture, found.quads[i], right)
        if near and near[0][0] < MATCH:
            index = known[near[0][1]]
            made.append((patch, *target(index.face), shift_of(found.quads[i], right, index.quad)))
        elif not near or near[0][0] > APART:
            made.append((patch, *target(None), NO_SHIFT))
    return made
