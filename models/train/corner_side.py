"""Trains the placer on views of indices on drawn tables: ``python -m models.train.corner_side``.

First it draws the tables, part by part; the views stay on disk, some 400 MB a part. It begins with what the verifier
has learnt to see, where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.export.quantize import BATCH, BATCHES, quantize
from models.export.to_onnx import note_hashes
from models.networks.corner_side import PlacerNet, export_onnx
from models.networks.layers import mixed_precision, restored, training_options
from models.samples.corner_side import Placed, show, shown_in
from models.train.augment import at_random, varied
from models.train.loop import fit
from vision.crops.pyramid import as_input
from vision.engines.weights import FOLDER
from vision.rescore.corner_side import CORNER_SIDE

TABLES = 150
"""A part has so many."""


def begun(net: PlacerNet, verifier: Path) -> PlacerNet:
    """``net`` with the convolutions of the verifier saved at ``verifier``, which sees cards at about the same size."""
    known, own = torch.load(verifier, map_location="cpu", weights_only=True), net.state_dict()
    alike = [name for name, numbers in own.items() if name in known and known[name].shape == numbers.shape]
    net.load_state_dict({**own, **{name: known[name].to(own[name].dtype) for name in alike}})
    return net


def train(
    parts: Sequence[Placed],
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
    net = PlacerNet()
    if resume:
        restored(net, resume)
    elif verifier:
        begun(net, verifier)

    def lost(net: nn.Module, device: torch.device) -> dict[str, torch.Tensor]:
        places = at_random(sizes, batch, rng)
        views = varied(torch.from_numpy(as_input([parts[part].views[n] for part, n in places])), rng).to(device)
        right = torch.tensor([float(parts[part].right[n]) for part, n in places], device=device)
        with mixed_precision(device.type):
            said = net(views.contiguous(memory_format=torch.channels_last))[:, 0].float()
        return {"right": cross_entropy(said, right)}

    return fit(net, lost, out / "corner_side.pt", minutes, highest, steps)


def install(checkpoint: Path, weights: Path, parts: Sequence[Placed]) -> None:
    """Exports the placer saved at ``checkpoint`` to ``weights``, in 8 bits as its views of ``parts`` tell."""
    target, rng = weights / CORNER_SIDE, np.random.default_rng(0)
    export_onnx(checkpoint, target)
    sizes = [len(part.right) for part in parts]
    some = (at_random(sizes, BATCH, rng) for _ in range(BATCHES))
    quantize(target, (as_input([parts[part].views[n] for part, n in places]) for places in some), target)
    note_hashes(weights)


def main() -> None:
    parser = training_options(__doc__, minutes=30)
    parser.set_defaults(batch=128)
    parser.add_argument("--parts", type=int, default=26, help=f"of {TABLES} tables each")
    parser.add_argument("--first", type=int, default=702, help="seed of the first part")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--verifier", type=Path, help="a checkpoint of the verifier to begin with")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="what is trained goes there")
    given = parser.parse_args()
    shown = [(given.first + part, TABLES, given.out) for part in range(given.parts)]
    with get_context("spawn").Pool(given.processes) as pool:
        parts = shown_in(pool.starmap(show, shown, chunksize=1))
    print(f"{sum(len(part.right) for part in parts)} views")
    path = train(parts, given.out, given.minutes, given.seed, given.batch, given.highest, given.verifier, given.resume)
    install(path, given.weights, parts)


if __name__ == "__main__":
    main()
