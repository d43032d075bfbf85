"""Trains the RoI head on blocks of samples: the losses, a batch, and its augmentation.

The training is a stage of a recipe (``models.pipeline``); which samples a step uses follows from its number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize, smooth_l1_loss

from models.networks.layers import run_mixed
from models.networks.roi_head import RoiOutputs
from models.samples.roi_head import NO_IDENTITY, UNKNOWN, Samples
from models.train.loop import Step

NOISE_SHARE, NOISE = 0.3, 0.03
GAINS = (0.75, 1.3)
"""Range of the gain of each colour."""
Batch = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class RoiLossWeights:
    """Weights of the losses; ``contrast`` is that of equal faces of one deck against all others in the batch, by
    embedding (Khosla and others, *Supervised contrastive learning*, 2020), ``temperature`` its softness. ``focus`` is
    how much more what is hard to tell from an index counts: the exponent of the focal loss (Lin and others, *Focal loss
    for dense object detection*, 2017)."""

    shifts: float = 4.0
    right: float = 0.5
    real: float = 1.0
    rank: float = 1.0
    suit: float = 0.4
    contrast: float = 0.2
    temperature: float = 0.15
    label_smoothing: float = 0.03
    shift_beta: float = 0.03
    focus: float = 0.0


@dataclass(frozen=True, slots=True)
class RoiAugmentation:
    """Augmentation of crops: shares of a batch that are blurred as if from further away, that lose their colour, that
    are shown as negatives, and with their channels mixed."""

    blurred: float = 0.2
    largest_blur: float = 2.5
    grey: float = 0.05
    negative: float = 0.0
    mixed: float = 0.0


def sample_rows(blocks: Sequence[Samples], batch: int, seed: int, number: int) -> Samples:
    """Samples the batch of step ``number``: one half at random, and to each of these another sample of the same face
    and deck, where its block has one."""
    rng, first = np.random.default_rng([seed, 72, number]), batch - batch // 2
    picked = []
    for number, count in enumerate(rng.multinomial(first, [1 / len(blocks)] * len(blocks)).tolist()):
        block = blocks[number]
        rows = rng.integers(len(block), size=count)
        identities, places = np.asarray(block["identity"]), np.arange(len(block))
        others = []
        for row in rows[: min(count, batch // 2)].tolist():
            is_like = (identities == identities[row]) & (identities != NO_IDENTITY) & (places != row)
            like = np.flatnonzero(is_like)
            others.append(int(like[rng.integers(len(like))]) if len(like) else int(rng.integers(len(block))))
        picked.append((block[rows], block[others]))
    halves = [np.concatenate([part[half] for part in picked]) for half in (0, 1)]
    return np.concatenate([halves[0], halves[1][: batch // 2]])


def as_tensors(rows: Samples, device: torch.device) -> Batch:
    """Moves samples to the device, crops as (n, 3, height, width) RGB in 0..1."""
    batch = {}
    # copies: a column of one row alone counts as contiguous as it is, with steps that PyTorch does not take
    for name in ("index", "around"):
        pictures = torch.from_numpy(rows[name].copy()).to(device, non_blocking=True)
        batch[name] = pictures.flip(3).permute(0, 3, 1, 2).float() / 255
    for name in ("shifts", "right", "real", "rank", "suit", "identity"):
        column = torch.from_numpy(rows[name].copy()).to(device, non_blocking=True)
        batch[name] = column if column.is_floating_point() else column.long()
    return batch


def augmented(
    pictures: torch.Tensor, settings: RoiAugmentation, rng: np.random.Generator, noise_from: torch.Generator
) -> torch.Tensor:
    """Varies light and noise of crops (n, 3, height, width), and blurs and greys some."""
    count, (height, width) = len(pictures), pictures.shape[2:]
    order = torch.from_numpy(rng.permutation(count)).to(pictures.device)
    blurred = order[: round(settings.blurred * count)]
    if len(blurred):
        scale = 1 / rng.uniform(1.2, settings.largest_blur)
        size = (round(height * scale), round(width * scale))
        small = nn.functional.interpolate(pictures[blurred], size=size, mode="area")
        pictures[blurred] = nn.functional.interpolate(small, size=(height, width), mode="bilinear")
    grey = order[count - round(settings.grey * count) :]
    pictures[grey] = pictures[grey].mean(1, keepdim=True).expand(-1, 3, -1, -1)
    return vary_light(pictures, rng, noise_from)


def vary_light(pictures: torch.Tensor, rng: np.random.Generator, noise_from: torch.Generator) -> torch.Tensor:
    """Varies the colour gains of pictures (n, 3, height, width) in 0..1, and adds noise to some.

    ``noise_from`` is the source of the noise, on the device of the pictures.
    """
    count = len(pictures)
    gain = torch.from_numpy(rng.uniform(*GAINS, (count, 3, 1, 1)).astype(np.float32))
    noisy = torch.from_numpy(np.flatnonzero(rng.random(count) < NOISE_SHARE)).to(pictures.device)
    varied = pictures * gain.to(pictures.device)
    noise = torch.randn((len(noisy), *pictures.shape[1:]), generator=noise_from, device=pictures.device)
    return varied.index_add_(0, noisy, noise, alpha=NOISE).clamp_(0, 1)


def recoloured(batch: Batch, settings: RoiAugmentation, rng: np.random.Generator) -> Batch:
    """Shows some samples as negatives and some with their channels mixed, both crops of one alike."""
    count, device = len(batch["index"]), batch["index"].device
    negative = torch.from_numpy(rng.random(count) < settings.negative).to(device)[:, None, None, None]
    mixes = np.tile(np.eye(3), (count, 1, 1))
    for n in np.flatnonzero(rng.random(count) < settings.mixed):
        mixes[n] = np.eye(3)[rng.permutation(3)] + rng.uniform(0, 0.5, (3, 3))
    mixes = mixes / mixes.sum(2, keepdims=True)
    onto = torch.from_numpy(mixes.astype(np.float32)).to(device)
    made = {}
    for name in ("index", "around"):
        mixed = torch.einsum("nij,njhw->nihw", onto, batch[name])
        made[name] = torch.where(negative, 1 - mixed, mixed)
    return batch | made


def losses(outputs: RoiOutputs, batch: Batch, weights: RoiLossWeights) -> tuple[torch.Tensor, Batch]:
    """Returns the loss, and for the log: mean error of the corners (card widths and heights), shares of right sides,
    indices, ranks and suits, and the contrast."""
    real, known = batch["real"], (batch["rank"] >= 0)
    placed = (real > 0).float()
    count = placed.sum().clamp(min=1)
    distance = smooth_l1_loss(outputs.shifts, batch["shifts"], beta=weights.shift_beta, reduction="none").mean(1)
    side = binary_cross_entropy_with_logits(outputs.right[:, 0], batch["right"].float(), reduction="none")
    told = (real != UNKNOWN).float()
    index = binary_cross_entropy_with_logits(outputs.real[:, 0], (real == 1).float(), reduction="none")
    if weights.focus:
        index = index * (1 - torch.exp(-index.detach())) ** weights.focus
    smoothing = weights.label_smoothing
    rank = cross_entropy(outputs.rank, batch["rank"].masked_fill(~known, -100), label_smoothing=smoothing)
    suit = cross_entropy(outputs.suit, batch["suit"].masked_fill(batch["suit"] < 0, -100), label_smoothing=smoothing)
    parts = {
        "shifts": (distance * placed).sum() / count,
        "right": (side * placed).sum() / count,
        "real": (index * told).sum() / told.sum().clamp(min=1),
        "rank": rank.nan_to_num(),
        "suit": suit.nan_to_num(),
        "contrast": contrast(outputs.embedding, batch["identity"], weights.temperature),
    }
    total = torch.stack([getattr(weights, name) * value for name, value in parts.items()]).sum()
    return total, figures(outputs, batch) | {"loss": total.detach(), "contrast": parts["contrast"].detach()}


def contrast(embedding: torch.Tensor, identity: torch.Tensor, temperature: float) -> torch.Tensor:
    """Supervised contrastive loss: embeddings of one identity should be nearer to each other than to any other."""
    usable = identity != NO_IDENTITY
    codes, names = normalize(embedding[usable], dim=1), identity[usable]
    if len(names) < 2:
        return embedding.sum() * 0
    itself = torch.eye(len(names), dtype=torch.bool, device=names.device)
    same = (names[:, None] == names[None]) & ~itself
    logits = (codes @ codes.T / temperature).masked_fill(itself, -1e4)
    likely = (logits.log_softmax(1) * same).sum(1) / same.sum(1).clamp(min=1)
    paired = same.any(1).float()
    return -(likely * paired).sum() / paired.sum().clamp(min=1)


@torch.no_grad()
def figures(outputs: RoiOutputs, batch: Batch) -> Batch:
    """Shares that are right, and the mean error of the corners, of a batch."""
    real, known, suited = batch["real"] == 1, batch["rank"] >= 0, batch["suit"] >= 0

    def mean(values: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
        return (values.float() * where).sum() / where.sum().clamp(min=1)

    return {
        "off": mean((outputs.shifts - batch["shifts"]).abs().mean(1), real),
        "side_right": mean((outputs.right[:, 0] > 0) == (batch["right"] > 0), real),
        "index_right": mean((outputs.real[:, 0] > 0) == real, batch["real"] != UNKNOWN),
        "rank_right": mean(outputs.rank.argmax(1) == batch["rank"], known & real),
        "suit_right": mean(outputs.suit.argmax(1) == batch["suit"], suited & real),
    }


def prepare(rows: Samples, augmentation: RoiAugmentation, device: torch.device, seed: int, number: int) -> Batch:
    """Makes the batch of step ``number`` of its samples: tensors on the device, crops augmented."""
    rng = np.random.default_rng([seed, 73, number])
    noise_from = torch.Generator(device).manual_seed((seed << 32) + number)
    batch = as_tensors(rows, device)
    if augmentation.negative or augmentation.mixed:
        batch = recoloured(batch, augmentation, rng)
    return batch | {name: augmented(batch[name], augmentation, rng, noise_from) for name in ("index", "around")}


def roi_step(batch_of: Callable[[int], Batch], weights: RoiLossWeights) -> Step:
    """The step of this training for ``models.train.loop.train_steps``; ``batch_of`` gives a step's batch, prepared."""

    def step(net: nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, Batch]:
        batch = batch_of(number)
        return losses(RoiOutputs(*run_mixed(net, batch["index"], batch["around"])), batch, weights)

    return step
