"""Trains the verifier on views of finds on drawn tables: ``python -m models.train.crop_verifier``.

First it draws the tables, part by part, and lets the other networks and the judge look at them; the views stay on disk,
some 90 MB a part. Then it trains, writes the verifier to the weights, and fits, on tables kept for it, what its word
counts and how often a card is named right that is named so surely.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.export.calibration import calibrate, doubted_on
from models.export.quantize import BATCH, BATCHES, quantize
from models.export.to_onnx import note_hashes
from models.networks.crop_verifier import VerifierNet, export_onnx
from models.networks.layers import mixed_precision, restored, training_options
from models.samples.crop_verifier import Shown, show, shown_in
from models.train.augment import at_random, varied
from models.train.loop import fit
from models.train.relation_model import DOUBTFUL_WEIGHT, FEW_FROM, TABLES
from vision.crops.pyramid import as_input
from vision.engines.weights import FOLDER
from vision.rescore.crop_verifier import CROP_VERIFIER

RANK_WEIGHT = 0.5
"""How much it counts which rank is seen, against whether there is an index."""


def batch_of(parts: Sequence[Shown], batch: int, rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
    """So many views at random, RGB in 0..1, whether each is asked for, and its rank."""
    places = at_random([len(part.asked) for part in parts], batch, rng)
    asked = np.array([parts[part].asked[n] for part, n in places], np.float32)
    rank = np.array([parts[part].rank[n] for part, n in places])
    given = torch.from_numpy(as_input([parts[part].views[n] for part, n in places]))
    return given, torch.from_numpy(asked), torch.from_numpy(rank)


def losses(
    net: nn.Module, views: torch.Tensor, asked: torch.Tensor, rank: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """How far off the verifier is: in whether there is an index that can be read, and in its rank; cross entropies.

    Of an index that nobody is asked to read it may say either.
    """
    with mixed_precision(views.device.type):
        shows, ranks = (said.float() for said in net(views.contiguous(memory_format=torch.channels_last)))
    known = rank >= 0
    counts = torch.where(known & (asked == 0), 0.0, 1.0)
    showing = cross_entropy(shows[:, 0], asked, counts, reduction="sum") / counts.sum().clamp(min=1)
    naming = nn.functional.cross_entropy(ranks[known], rank[known], reduction="none")
    heed = torch.where(asked[known] > 0, 1.0, DOUBTFUL_WEIGHT)
    return showing, (naming * heed).sum() / heed.sum().clamp(min=1)


def train(
    parts: Sequence[Shown],
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
    net = restored(VerifierNet(), resume) if resume else VerifierNet()

    def lost(net: nn.Module, device: torch.device) -> dict[str, torch.Tensor]:
        views, asked, rank = batch_of(parts, batch, rng)
        showing, naming = losses(net, varied(views, rng).to(device), asked.to(device), rank.to(device))
        return {"shows": showing, "rank": RANK_WEIGHT * naming}

    return fit(net, lost, out / "crop_verifier.pt", minutes, highest, steps)


def install(checkpoint: Path, weights: Path, parts: Sequence[Shown]) -> None:
    """Exports the verifier saved at ``checkpoint`` to ``weights``, in 8 bits as its views of ``parts`` tell."""
    target, rng = weights / CROP_VERIFIER, np.random.default_rng(0)
    export_onnx(checkpoint, target)
    quantize(target, (batch_of(parts, BATCH, rng)[0].numpy() for _ in range(BATCHES)), target)
    note_hashes(weights)


def main() -> None:
    parser = training_options(__doc__, minutes=30)
    parser.set_defaults(batch=128)
    parser.add_argument("--parts", type=int, default=100, help=f"of {TABLES} tables each")
    parser.add_argument("--few", type=int, default=4, help="parts beside them of tables with few cards")
    parser.add_argument("--kept", type=int, default=6, help="parts beside them, kept for the calibration")
    parser.add_argument("--first", type=int, default=301, help="seed of the first part")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--weights", type=Path, default=FOLDER, help="the other networks; what is trained goes there")
    given = parser.parse_args()
    shown = [(given.first + part, TABLES, False, given.weights, given.out) for part in range(given.parts)]
    first_few = given.first + given.parts + FEW_FROM
    shown += [(first_few + part, TABLES, True, given.weights, given.out) for part in range(given.few)]
    kept = [(given.first + given.parts + part, TABLES, given.weights) for part in range(given.kept)]
    with get_context("spawn").Pool(given.processes) as pool:
        parts = shown_in(pool.starmap(show, shown, chunksize=1))
        print(f"{sum(len(part.asked) for part in parts)} views")
        path = train(parts, given.out, given.minutes, given.seed, given.batch, given.highest, given.resume)
        install(path, given.weights, parts)
        calibrate([table for part in pool.starmap(doubted_on, kept, chunksize=1) for table in part], given.weights)


if __name__ == "__main__":
    main()
