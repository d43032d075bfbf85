"""Trains the crop verifier on crops of drawn tables: ``python -m models.train.crop_verifier``.

First the tables are drawn, part by part, and read by the other networks; the crops stay on disk, some 90 MB a part.
Then the network is trained and exported. Last, on tables kept for it, the weights of its outputs beside the relation
model's and the confidence of cards are fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.export.calibration import calibrate, doubtful_tables
from models.export.candidate import add_target_options, target_folder
from models.export.quantize import BATCH, BATCHES, quantize
from models.export.to_onnx import write_manifest
from models.networks.crop_verifier import CropVerifierNet, export_onnx
from models.networks.layers import load_state, run_mixed
from models.samples.crop_verifier import VerifierCrops, load_crops, write_crops
from models.train.augment import augment, random_positions
from models.train.loop import Limit, Recipe, train_loop
from models.train.options import training_options
from models.train.relation_model import FEW_CARDS_SEED_OFFSET, OPTIONAL_WEIGHT, TABLES
from vision.crops.pyramid import as_input
from vision.rescore.crop_verifier import CROP_VERIFIER, INPUT

RANK_WEIGHT = 0.5
"""Weight of the rank against whether there is a readable index."""


def sample_batch(parts: Sequence[VerifierCrops], batch: int, rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
    """Samples crops at random: pictures RGB in 0..1, whether each shows an index to be read, and its rank."""
    positions = random_positions([len(part.required) for part in parts], batch, rng)
    required = np.array([parts[part].required[n] for part, n in positions], np.float32)
    rank = np.array([parts[part].rank[n] for part, n in positions])
    crops = torch.from_numpy(as_input([parts[part].crops[n] for part, n in positions]))
    return crops, torch.from_numpy(required), torch.from_numpy(rank)


def losses(
    net: nn.Module, crops: torch.Tensor, required: torch.Tensor, rank: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns two cross entropies: whether there is a readable index, and its rank.

    Indices that need not be read (a rank, but not required) do not count for the first.
    """
    shows, ranks = run_mixed(net, crops)
    known = rank >= 0
    counts = torch.where(known & (required == 0), 0.0, 1.0)
    shows_loss = cross_entropy(shows[:, 0], required, counts, reduction="sum") / counts.sum().clamp(min=1)
    rank_loss = nn.functional.cross_entropy(ranks[known], rank[known], reduction="none")
    weight = torch.where(required[known] > 0, 1.0, OPTIONAL_WEIGHT)
    return shows_loss, (rank_loss * weight).sum() / weight.sum().clamp(min=1)


def train(
    parts: Sequence[VerifierCrops],
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 128,
    highest: float = 2e-3,
    resume: Path | None = None,
    steps: int | None = None,
) -> Path:
    """Trains on ``parts`` for ``minutes`` (or ``steps``) and writes ``out``/crop_verifier.pt; returns its path."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = CropVerifierNet()
    if resume:
        load_state(net, resume)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        crops, required, rank = sample_batch(parts, batch, rng)
        shows, ranks = losses(net, augment(crops, rng).to(device), required.to(device), rank.to(device))
        return shows + RANK_WEIGHT * ranks, {"shows": shows, "rank": ranks}

    recipe = Recipe(highest, weight_decay=0.05, max_gradient_norm=2.0, ema_decay=0.999)
    return train_loop(net, step, out / "crop_verifier.pt", recipe, Limit(minutes, steps))


def install(checkpoint: Path, weights: Path, parts: Sequence[VerifierCrops]) -> None:
    """Exports a checkpoint to the folder ``weights``, in 8 bits calibrated on crops of ``parts``."""
    target, rng = weights / CROP_VERIFIER, np.random.default_rng(0)
    export_onnx(checkpoint, target)
    quantize(target, ({INPUT: sample_batch(parts, BATCH, rng)[0].numpy()} for _ in range(BATCHES)), target)
    write_manifest(weights)


def main() -> None:
    parser = training_options(__doc__, minutes=30, batch=128)
    parser.add_argument("--parts", type=int, default=100, help=f"number of parts of {TABLES} tables each")
    parser.add_argument("--few", type=int, default=4, help="number of further parts of tables with few cards")
    parser.add_argument("--kept", type=int, default=6, help="number of further parts kept for the calibration")
    parser.add_argument("--first", type=int, default=301, help="seed of the first part")
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    add_target_options(parser)
    options = parser.parse_args()
    weights = target_folder(parser, options)
    seeds = [options.first + part for part in range(options.parts + options.kept)]
    few_seeds = [options.first + options.parts + FEW_CARDS_SEED_OFFSET + part for part in range(options.few)]
    tasks = [(seed, TABLES, False, weights, options.out) for seed in seeds[: options.parts]]
    tasks += [(seed, TABLES, True, weights, options.out) for seed in few_seeds]
    kept = [(seed, TABLES, weights) for seed in seeds[options.parts :]]
    with get_context("spawn").Pool(options.processes) as pool:
        parts = load_crops(pool.starmap(write_crops, tasks, chunksize=1))
        print(f"{sum(len(part.required) for part in parts)} crops")
        path = train(parts, options.out, options.minutes, options.seed, options.batch, options.highest, options.resume)
        install(path, weights, parts)
        tables = [table for part in pool.starmap(doubtful_tables, kept, chunksize=1) for table in part]
        calibrate(tables, weights)


if __name__ == "__main__":
    main()
