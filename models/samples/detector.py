"""Samples for the detector: an endless stream of drawn tables."""

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

MAX_PACKS = 3
JOKER_SHARE = 0.25
"""Share of cards replaced by jokers: they differ from pack to pack, so more of them must be seen."""
FACE_DOWN_SHARE = 0.3
"""Share of tables with cards face down among the others."""
UNEVEN_LIGHT_SHARE = 0.3
"""Share of tables on which each card has its own brightness and white."""
USUAL_SHARE = 0.7
"""Share of tables with cards about as wide as in the last pass of ``vision.detect.multi_scale``; the others have any
width, as its first passes meet them."""
USUAL_WIDTHS = (85.0, 150.0)
"""Range of those widths, in pixels."""
STORED_BATCHES = 4
"""Number of batches in the shuffled store."""
Batch = dict[str, torch.Tensor]


def labels(table: Table) -> tuple[Floats, Floats]:
    """Returns boxes round the corner patches, (n, 4) x0 y0 x1 y1, and card corners, (n, 4, 2), both in pixels."""
    boxes, quads = [], []
    for index in table.indices:
        patch = patch_quad(index.quad, index.right)
        boxes.append(np.concatenate([patch.min(0), patch.max(0)]))
        quads.append(index.quad)
    return floats(boxes).reshape(-1, 4), floats(quads).reshape(-1, 4, 2)


def rotated(picture: Picture, quads: Floats, boxes: Floats) -> tuple[Picture, Floats, Floats]:
    """Rotates picture and labels by 90 degrees anticlockwise; the corners keep their order as the card is read."""
    width = picture.shape[1]
    rotated_quads = np.stack([quads[..., 1], width - quads[..., 0]], -1)
    x0, y0, x1, y1 = boxes.T
    return np.ascontiguousarray(np.rot90(picture)), rotated_quads, np.stack([y0, width - x1, y1, width - x0], 1)


def drawn_tables(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    size: int = 640,
    usual_share: float = 0.0,
    tight_share: float = 0.0,
) -> Iterator[Table]:
    """Draws square tables endlessly, each with its own packs: some of ``decks``, mostly with new jokers, but above all
    newly drawn decks.

    On the share ``usual_share`` of them cards have USUAL_WIDTHS; on ``tight_share`` hardly more than its rank shows of
    any card.
    """
    while True:
        mixed = [sample_deck(decks, rng) for _ in range(int(rng.integers(1, MAX_PACKS + 1)))]
        across = float(rng.uniform(*USUAL_WIDTHS)) if rng.random() < usual_share else None
        yield draw_table(
            rng,
            mixed,
            (size, size),
            across,
            packs=len(mixed),
            joker_share=JOKER_SHARE,
            face_down_share=FACE_DOWN_SHARE,
            uneven_light_share=UNEVEN_LIGHT_SHARE,
            tight_share=tight_share,
        )


class TableStream(IterableDataset[tuple[Picture, Floats, Floats]]):
    """An endless stream of square tables; each is drawn once and used ``reuse`` times, rotated by 90 degrees."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, size: int = 640, reuse: int = 3, store: int = 60) -> None:
        self.decks, self.seed, self.size, self.reuse, self.store = list(decks), seed, size, reuse, store

    def __iter__(self) -> Iterator[tuple[Picture, Floats, Floats]]:
        cv2.setNumThreads(1)
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        stored: list[tuple[Picture, Floats, Floats]] = []
        tables = drawn_tables(rng, self.decks, self.size, USUAL_SHARE)
        while True:
            # a small shuffled store keeps the copies of one table apart
            while len(stored) < self.store:
                table = next(tables)
                boxes, quads = labels(table)
                sample = (table.picture, quads, boxes)
                for _ in range(self.reuse):
                    stored.append(sample)
                    sample = rotated(*sample)
            yield stored.pop(int(rng.integers(len(stored))))


def collate(items: Sequence[tuple[Picture, Floats, Floats]]) -> Batch:
    """Combines samples into a batch as ultralytics' loss expects it.

    img (n, 3, h, w) uint8 RGB; bboxes (m, 4) centre and size, and keypoints (m, 4, 2), both as fractions of the
    picture; cls (m, 1); batch_idx (m,).
    """
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
    """Yields batches endlessly, drawn by ``workers`` processes (0: in this process)."""
    loader = DataLoader(
        stream, batch_size=batch, num_workers=workers, collate_fn=collate, prefetch_factor=4 if workers else None
    )
    yield from loader
