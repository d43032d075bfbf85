"""Trains the detector on blocks of drawn tables: batches, their augmentation, and the step.

The training is a stage of a recipe (``models.pipeline``); which tables a step uses follows from its number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from datasets.arrays import Picture, floats
from models.networks.detector import loss
from models.samples.detector import Batch, collate, rotated
from models.train.loop import Step

PARTS = ("box", "pose", "kobj", "cls", "dfl")
"""Parts of the loss, as ultralytics orders them."""


@dataclass(frozen=True, slots=True)
class DetectorAugmentation:
    """Shares of pictures that are shown as negatives, with their channels mixed, and without colour: cards are to be
    known by contrast, not by a colour."""

    negative: float = 0.0
    mixed: float = 0.0
    grey: float = 0.0


def recoloured(picture: Picture, augmentation: DetectorAugmentation, rng: np.random.Generator) -> Picture:
    """Shows a picture (height, width, 3) in other colours, or as it is."""
    draws = rng.random(3) < (augmentation.negative, augmentation.mixed, augmentation.grey)
    if draws[0]:
        picture = np.bitwise_not(picture)
    if draws[1] or draws[2]:
        mix = np.eye(3)[rng.permutation(3)] + rng.uniform(0, 0.5, (3, 3)) if draws[1] else np.ones((3, 3))
        picture = np.asarray(cv2.transform(picture, mix / mix.sum(1, keepdims=True)), np.uint8)
    return picture


def prepared(
    blocks: Sequence[NDArray[np.void]], batch: int, augmentation: DetectorAugmentation, seed: int, number: int
) -> Batch:
    """The batch of step ``number``: samples of the blocks at random, turned by any quarter, some in other colours."""
    rng = np.random.default_rng([seed, 82, number])
    items = []
    for _ in range(batch):
        block = blocks[int(rng.integers(len(blocks)))]
        row = block[int(rng.integers(len(block)))]
        count = int(row["count"])
        item = (np.asarray(row["picture"]), floats(row["quads"][:count]), floats(row["boxes"][:count]))
        for _ in range(int(rng.integers(4))):
            item = rotated(*item)
        items.append((recoloured(item[0], augmentation, rng), *item[1:]))
    return collate(items)


def detector_step(batch_of: Callable[[int], Batch]) -> Step:
    """The step of this training for ``models.train.loop.train_steps``; ``batch_of`` gives a step's batch."""

    def step(net: nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        data = {key: value.to(device, non_blocking=True) for key, value in batch_of(number).items()}
        total, parts = loss(net, data["img"].float() / 255, data)
        return total / len(data["img"]), dict(zip(PARTS, parts, strict=False))

    return step
