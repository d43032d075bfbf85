"""Trains the corner side classifier on crops of drawn tables: ``python -m models.train.corner_side``.

First the tables are drawn, part by part; the crops stay on disk, some 400 MB a part. The training starts from the
convolutions of the crop verifier, if one is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.export.candidate import add_target_options, target_folder
from models.export.quantize import BATCH, BATCHES, quantize
from models.export.to_onnx import write_manifest
from models.networks.corner_side import CornerSideNet, export_onnx
from models.networks.layers import load_state, run_mixed
from models.samples.corner_side import CornerSideCrops, load_crops, write_crops
from models.train.augment import augment, random_positions
from models.train.loop import Limit, Recipe, train_loop
from models.train.options import checkpoint_file, training_options
from vision.crops.pyramid import as_input
from vision.rescore.corner_side import CORNER_SIDE, INPUT

TABLES = 150
"""Tables per part."""


def with_verifier_layers(net: CornerSideNet, verifier: Path) -> CornerSideNet:
    """Copies the layers of equal shape from a crop verifier's checkpoint: it sees cards at about the same size."""
    source, own = torch.load(verifier, map_location="cpu", weights_only=True), net.state_dict()
    shared = [name for name, value in own.items() if name in source and source[name].shape == value.shape]
    net.load_state_dict({**own, **{name: source[name].to(own[name].dtype) for name in shared}})
    return net


def train(
    parts: Sequence[CornerSideCrops],
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 128,
    highest: float = 2e-3,
    verifier: Path | None = None,
    resume: Path | None = None,
    steps: int | None = None,
) -> Path:
    """Trains on ``parts`` for ``minutes`` (or ``steps``) and writes ``out``/corner_side.pt; returns its path."""
    torch.manual_seed(seed)
    rng, sizes = np.random.default_rng(seed), [len(part.right) for part in parts]
    net = CornerSideNet()
    if resume:
        load_state(net, resume)
    elif verifier:
        with_verifier_layers(net, verifier)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        positions = random_positions(sizes, batch, rng)
        crops = torch.from_numpy(as_input([parts[part].crops[n] for part, n in positions]))
        right = torch.tensor([float(parts[part].right[n]) for part, n in positions], device=device)
        loss = cross_entropy(run_mixed(net, augment(crops, rng).to(device))[:, 0], right)
        return loss, {"right": loss}

    recipe = Recipe(highest, weight_decay=0.05, max_gradient_norm=2.0, ema_decay=0.999)
    return train_loop(net, step, out / "corner_side.pt", recipe, Limit(minutes, steps))


def install(checkpoint: Path, weights: Path, parts: Sequence[CornerSideCrops]) -> None:
    """Exports a checkpoint to the folder ``weights``, in 8 bits calibrated on crops of ``parts``."""
    target, rng = weights / CORNER_SIDE, np.random.default_rng(0)
    export_onnx(checkpoint, target)
    sizes = [len(part.right) for part in parts]
    chosen = (random_positions(sizes, BATCH, rng) for _ in range(BATCHES))
    shown = ({INPUT: as_input([parts[part].crops[n] for part, n in positions])} for positions in chosen)
    quantize(target, shown, target)
    write_manifest(weights)


def main() -> None:
    parser = training_options(__doc__, minutes=30, batch=128)
    parser.add_argument("--parts", type=int, default=26, help=f"number of parts of {TABLES} tables each")
    parser.add_argument("--first", type=int, default=702, help="seed of the first part")
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    parser.add_argument("--verifier", type=checkpoint_file, help="a checkpoint of the crop verifier to start from")
    add_target_options(parser)
    options = parser.parse_args()
    weights = target_folder(parser, options)
    tasks = [(options.first + part, TABLES, options.out) for part in range(options.parts)]
    with get_context("spawn").Pool(options.processes) as pool:
        parts = load_crops(pool.starmap(write_crops, tasks, chunksize=1))
    print(f"{sum(len(part.right) for part in parts)} crops")
    path = train(
        parts,
        options.out,
        options.minutes,
        options.seed,
        options.batch,
        options.highest,
        options.verifier,
        options.resume,
    )
    install(path, weights, parts)


if __name__ == "__main__":
    main()
