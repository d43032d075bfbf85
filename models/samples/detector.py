"""Endless drawn tables as batches for the finder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from datasets.arrays import Floats, Picture
from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.scenes.tables import Table, draw_table
from datasets.scenes.visibility import patch_quad
from vision.arrays import floats

MOST_PACKS = 3
JOKERS = 0.25
"""The share of cards that make room for a joker: no two packs have the same, so more of them must be seen."""
BACKS = 0.3
"""On this share of tables cards lie face down among the others."""
UNEVEN = 0.3
"""On this share of tables each card is as bright and as white as it likes."""
USUAL = 0.7
"""The share of the finder's tables with cards about as wide as ``vision.detect.multi_scale`` makes them for its last
look; the others are of every width it learns from, which its quick looks meet."""
USUAL_ACROSS = (85.0, 150.0)
"""Pixels between which cards are then wide."""
STORED = 4
"""So many batches of pictures lie in store."""
Batch = dict[str, torch.Tensor]


def labels(table: Table) -> tuple[Floats, Floats]:
    """Boxes (n, 4) x0 y0 x1 y1 round the corner patches, and card corners (n, 4, 2), both in pixels."""
    boxes, quads = [], []
    for index in table.indices:
        patch = patch_quad(index.quad, index.right)
        boxes.append(np.concatenate([patch.min(0), patch.max(0)]))
        quads.append(index.quad)
    return floats(boxes).reshape(-1, 4), floats(quads).reshape(-1, 4, 2)


def turned(picture: Picture, quads: Floats, boxes: Floats) -> tuple[Picture, Floats, Floats]:
    """Picture and labels turned by a quarter, anticlockwise; the corners keep their order as one reads the card."""
    width = picture.shape[1]
    around = np.stack([quads[..., 1], width - quads[..., 0]], -1)
    x0, y0, x1, y1 = boxes.T
    return np.ascontiguousarray(np.rot90(picture)), around, np.stack([y0, width - x1, y1, width - x0], 1)


def drawn_tables(
    rng: np.random.Generator, decks: Sequence[DeckArt], size: int = 640, usual: float = 0.0, tight: float = 0.0
) -> Iterator[Table]:
    """Square tables for ever, each with packs of its own: some of ``decks``, mostly with other jokers, but above all
    such as were never drawn before. On the share ``usual`` of them cards are USUAL_ACROSS wide, on the share ``tight``
    hardly more than its rank shows of any."""
    while True:
        mixed = [sample_deck(decks, rng) for _ in range(int(rng.integers(1, MOST_PACKS + 1)))]
        across = float(rng.uniform(*USUAL_ACROSS)) if rng.random() < usual else None
        yield draw_table(
            rng,
            mixed,
            (size, size),
            across,
            packs=len(mixed),
            joker_share=JOKERS,
            face_down_share=BACKS,
            uneven_light_share=UNEVEN,
            tight_share=tight,
        )


class TableStream(IterableDataset[tuple[Picture, Floats, Floats]]):
    """Square drawn tables for ever; each is drawn once and given ``reuse`` times, turned by quarters."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, size: int = 640, reuse: int = 3, store: int = 60) -> None:
        self.decks, self.seed, self.size, self.reuse, self.store = list(decks), seed, size, reuse, store

    def __iter__(self) -> Iterator[tuple[Picture, Floats, Floats]]:
        cv2.setNumThreads(1)
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        held: list[tuple[Picture, Floats, Floats]] = []
        tables = drawn_tables(rng, self.decks, self.size, USUAL)
        while True:
            # copies of one table are kept apart by a small shuffled store
            while len(held) < self.store:
                table = next(tables)
                boxes, quads = labels(table)
                one = (table.picture, quads, boxes)
                for _ in range(self.reuse):
                    held.append(one)
                    one = turned(*one)
            yield held.pop(int(rng.integers(len(held))))


def collate(items: Sequence[tuple[Picture, Floats, Floats]]) -> Batch:
    """A batch as ultralytics' losses want it: img (n, 3, h, w) uint8 RGB; bboxes (m, 4) centre and size, and keypoints
    (m, 4, 2), both in fractions of the picture; cls (m, 1); batch_idx (m,)."""
    size = floats([items[0][0].shape[1], items[0][0].shape[0]])
    boxes = np.concatenate([item[2] for item in items])
    centre = (boxes[:, :2] + boxes[:, 2:]) / 2
    numbers = np.concatenate([np.full(len(item[2]), i, np.float32) for i, item in enumerate(items)])
    return {
        "img": torch.from_numpy(np.stack([item[0][:, :, ::-1].transpose(2, 0, 1) for item in items]).copy()),
        "bboxes": torch.from_numpy(np.concatenate([centre / size, (boxes[:, 2:] - boxes[:, :2]) / size], 1)),
        "keypoints": torch.from_numpy(np.concatenate([item[1] for item in items]) / size),
        "cls": torch.zeros(len(boxes), 1),
        "batch_idx": torch.from_numpy(numbers),
    }


def batches(stream: TableStream, batch: int, workers: int) -> Iterator[Batch]:
    """Batches for ever, drawn by ``workers`` processes (0 draws in this one)."""
    loader = DataLoader(
        stream, batch_size=batch, num_workers=workers, collate_fn=collate, prefetch_factor=4 if workers else None
    )
    yield from loader
