"""Samples for the detector: drawn tables in blocks that depend on their number alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture
from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.scenes.tables import Table, draw_table
from datasets.scenes.world import World, draw_view
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
MOST_INDICES = 320
"""Largest number of indices of a sample; a table has at most seventy cards."""
Batch = dict[str, torch.Tensor]


def labels(table: Table) -> tuple[Floats, Floats]:
    """Returns boxes round the corner patches, (n, 4) x0 y0 x1 y1, and card corners, (n, 4, 2), both in pixels."""
    boxes, quads = [], []
    for index in table.indices:
        patch = index.patch
        boxes.append(np.concatenate([patch.min(0), patch.max(0)]))
        quads.append(index.quad)
    return floats(boxes).reshape(-1, 4), floats(quads).reshape(-1, 4, 2)


def rotated(picture: Picture, quads: Floats, boxes: Floats) -> tuple[Picture, Floats, Floats]:
    """Rotates picture and labels by 90 degrees anticlockwise; the corners keep their order as the card is read."""
    width = picture.shape[1]
    rotated_quads = np.stack([quads[..., 1], width - quads[..., 0]], -1)
    x0, y0, x1, y1 = boxes.T
    return np.ascontiguousarray(np.rot90(picture)), rotated_quads, np.stack([y0, width - x1, y1, width - x0], 1)


def usual_table(rng: np.random.Generator, decks: Sequence[DeckArt], size: int) -> Table:
    """Draws a square table with these packs; on the share USUAL_SHARE of such tables cards have USUAL_WIDTHS."""
    across = float(rng.uniform(*USUAL_WIDTHS)) if rng.random() < USUAL_SHARE else None
    return draw_table(
        rng,
        decks,
        (size, size),
        across,
        packs=len(decks),
        joker_share=JOKER_SHARE,
        face_down_share=FACE_DOWN_SHARE,
        uneven_light_share=UNEVEN_LIGHT_SHARE,
    )


def sample_type(size: int) -> np.dtype[np.void]:
    """One sample: a picture (BGR) of ``size`` pixels, and of its ``count`` indices card corners and boxes in pixels."""
    return np.dtype(
        [
            ("picture", np.uint8, (size, size, 3)),
            ("count", np.int32),
            ("quads", np.float32, (MOST_INDICES, 4, 2)),
            ("boxes", np.float32, (MOST_INDICES, 4)),
        ]
    )


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """What a block holds.

    Attributes:
        world: shares of what is drawn.
        seed: seed of all blocks.
        tables: tables in a block.
        decks: decks that the tables of a block choose from.
        size: width and height of a picture in pixels.
        usual: share of tables that are drawn as for the first detector, most with cards of USUAL_WIDTHS.
    """

    world: World = field(default_factory=World)
    seed: int = 0
    tables: int = 24
    decks: int = 8
    size: int = 640
    usual: float = 0.3


def draw_block(settings: DetectorSettings, number: int, packaged: Sequence[DeckArt]) -> NDArray[np.void]:
    """Draws block ``number``; nothing but the settings and the number decides what it holds."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([settings.seed, 81, number])
    pool = [sample_deck(packaged, rng, settings.world.look(rng)) for _ in range(settings.decks)]
    samples = np.zeros(settings.tables, sample_type(settings.size))
    for sample in samples:
        if rng.random() < settings.usual:
            packs = [pool[int(rng.integers(len(pool)))] for _ in range(int(rng.integers(1, MAX_PACKS + 1)))]
            table = usual_table(rng, packs, settings.size)
        else:
            table = draw_view(rng, packaged, settings.world, settings.size, pool)
        boxes, quads = labels(table)
        count = min(len(boxes), MOST_INDICES)
        sample["picture"], sample["count"] = table.picture, count
        sample["boxes"][:count], sample["quads"][:count] = boxes[:count], quads[:count]
    return samples


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
