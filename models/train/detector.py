"""Trains the detector on blocks of drawn tables: batches, their augmentation, and the step.

The training is a stage of a recipe (``models.pipeline``); which tables a step uses follows from its number.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from datasets.arrays import Picture, floats
from models.networks.detector import loss, save_for_export
from models.samples.detector import Batch, collate, rotated

PARTS = ("box", "pose", "kobj", "cls", "dfl")
"""Parts of the loss, as ultralytics orders them."""
STATE = "detector-state.pt"
"""File name of the averaged weights in half precision, from which it can be trained on."""


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


def detector_step(
    batch_of: Callable[[int], Batch],
) -> Callable[[nn.Module, torch.device, int], tuple[torch.Tensor, dict[str, torch.Tensor]]]:
    """The step of this training for ``models.train.loop.train_steps``; ``batch_of`` gives a step's batch."""

    def step(net: nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        data = {key: value.to(device, non_blocking=True) for key, value in batch_of(number).items()}
        total, parts = loss(net, data["img"].float() / 255, data)
        return total / len(data["img"]), dict(zip(PARTS, parts, strict=False))

    return step


def save_checkpoint(average: nn.Module, target: Path) -> list[Path]:
    """Saves the network in ultralytics' format, and its weights in half precision beside it; returns both files."""
    beside = target.with_name(STATE)
    torch.save({key: value.half() for key, value in average.state_dict().items()}, beside)
    clean = copy.deepcopy(average)
    clean.criterion = None  # type: ignore[assignment]  # holds data of this run
    save_for_export(clean, target)
    return [target, beside]
