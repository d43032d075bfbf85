"""Trains the relation model on the other networks' output on drawn tables: ``python -m models.train.relation_model``.

First the tables are drawn, part by part, and read by the other networks. Then the network is trained and exported, and
the confidence of cards is fitted on tables kept for it. The crop verifier is trained after it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.export.calibration import UNCALIBRATED, fit_confidence, write_calibration
from models.export.candidate import add_target_options, target_folder
from models.export.storage import store_fp16
from models.networks.layers import run_mixed
from models.networks.relation_model import RelationNet, export_onnx, load_weights
from models.samples.reader_output import LabelledTable, read_tables
from models.samples.relation_model import Batch, Sample, collate, sample_of
from models.train.loop import Limit, Progress, Recipe, train_loop
from models.train.options import checkpoint_file
from vision.engines.load import load_relation_model
from vision.rescore.relation_model import RELATION_MODEL

TABLES = 100
"""Tables per part."""
FEW_CARDS_SEED_OFFSET = 100
"""Added to the seeds of parts of tables with few cards."""
RANK_WEIGHT, SAME_WEIGHT = 0.3, 0.5
"""Weights of the ranks and of which detections show one index, against which to keep."""
OPTIONAL_WEIGHT = 0.3
"""Weight of the rank of an index that need not be read."""


class OneCycle:
    """One-cycle schedule over ``steps`` steps, for one training."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._scheduler: torch.optim.lr_scheduler.OneCycleLR | None = None

    def __call__(self, optimizer: torch.optim.Optimizer, share: float, highest: float) -> None:
        if self._scheduler is None:
            self._scheduler = torch.optim.lr_scheduler.OneCycleLR(
                optimizer, highest, total_steps=self._steps, pct_start=0.1
            )
        else:
            self._scheduler.step()


def labelled_tables(seed: int, few: bool, weights: Path) -> list[LabelledTable]:
    """Reads one part's tables; those with ``few`` cards if asked for."""
    return read_tables(seed, 0, TABLES, weights, few)


def samples_of_part(seed: int, few: bool, weights: Path) -> list[Sample]:
    """Returns the samples of one part, a table each."""
    return [sample_of(table) for table in labelled_tables(seed, few, weights) if len(table.detections)]


def losses(net: nn.Module, samples: Sequence[Sample]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns the ``output_losses`` of a network on tables."""
    batch = collate(samples)
    keep, ranks, same = run_mixed(net, *batch.inputs)
    return output_losses(keep, ranks, same, batch)


def output_losses(
    keep: torch.Tensor, ranks: torch.Tensor, same: torch.Tensor, batch: Batch
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns three cross entropies of a network's logits: which detections to keep, their ranks, and which show the
    same index.

    Of each index one detection is to be kept: among those with the right rank the one that the network scores highest.
    Of an index that need not be read, that detection may be kept or not.
    """
    index, count = batch.index.clamp(min=0), int(batch.index.max()) + 2
    right = (batch.rank >= 0) & (ranks.argmax(1) == batch.rank)
    scores = keep.detach().masked_fill(~right, -torch.inf)
    best = torch.full((count,), -torch.inf, device=keep.device).scatter_reduce(0, index, scores, "amax")
    chosen = right & (scores == best[index])
    weight = 1 - (chosen & ~batch.required).float()
    keep_loss = cross_entropy(keep, (chosen & batch.required).float(), weight, reduction="sum") / weight.sum()
    known = batch.rank >= 0
    rank_losses = nn.functional.cross_entropy(ranks[known], batch.rank[known], reduction="none")
    rank_weight = torch.where(batch.required[known], 1.0, OPTIONAL_WEIGHT)
    rank_loss = (rank_losses * rank_weight).sum() / rank_weight.sum().clamp(min=1)
    both = batch.both.float()
    same_loss = cross_entropy(same, batch.same.float(), both, reduction="sum") / both.sum().clamp(min=1)
    return keep_loss, rank_loss, same_loss


def validate(net: nn.Module, samples: Sequence[Sample]) -> list[float]:
    """Returns the mean of ``losses`` over validation tables."""
    net.eval()
    with torch.no_grad():
        each = [[float(loss) for loss in losses(net, [sample])] for sample in samples]
    return [float(mean) for mean in np.mean(each, axis=0)]


def train(
    samples: Sequence[Sample],
    validation: Sequence[Sample],
    out: Path,
    epochs: int,
    seed: int = 0,
    tables: int = 12,
    highest: float = 2e-3,
    resume: Path | None = None,
) -> Path:
    """Trains on ``samples``, about ``tables`` of them in a batch, for ``epochs``; writes ``out``/relation_model.pt and
    returns its path. After each epoch it prints the losses on ``validation``."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = RelationNet()
    if resume:
        load_weights(net, resume)
    else:
        features = np.concatenate([sample.inputs["told"] for sample in samples])
        net.mean.copy_(torch.from_numpy(features.mean(0)))
        net.spread.copy_(torch.from_numpy(features.std(0) + 1e-3))
    batches = max(len(samples) // tables, 1)

    def chosen() -> Iterator[list[Sample]]:
        while True:
            for numbers in np.array_split(rng.permutation(len(samples)), batches):
                yield [samples[i] for i in numbers]

    stream = chosen()

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        keep, rank, same = losses(net, next(stream))
        return keep + RANK_WEIGHT * rank + SAME_WEIGHT * same, {"keep": keep, "rank": rank, "same": same}

    def log_text(progress: Progress) -> str:
        keep, ranks, same = validate(progress.average, validation)
        figures = f"validation tables: keep {keep:.4f}, ranks {ranks:.4f}, same {same:.4f}"
        return f"epoch {progress.step // batches}, {progress.seconds / 60:.1f} minutes; {figures}"

    recipe = Recipe(
        highest, weight_decay=0.02, max_gradient_norm=1.0, ema_decay=0.999, schedule=OneCycle(epochs * batches)
    )
    return train_loop(
        net,
        step,
        out / "relation_model.pt",
        recipe,
        Limit(0, epochs * batches),
        log_every=batches,
        log_text=log_text,
        device=torch.device("cpu"),
    )


def install(checkpoint: Path, kept: Sequence[LabelledTable], weights: Path) -> None:
    """Exports a checkpoint to the folder ``weights``, and fits the confidence of cards to the tables ``kept`` for it.

    Until the crop verifier is trained again, the relation model's scores count alone.
    """
    export_onnx(checkpoint, weights / RELATION_MODEL)
    store_fp16(weights / RELATION_MODEL)
    write_calibration(weights, UNCALIBRATED)
    model = load_relation_model(weights)
    write_calibration(weights, fit_confidence([(table, model.score(table.detections)) for table in kept]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", type=int, default=89, help=f"number of parts of {TABLES} tables each")
    parser.add_argument("--few", type=int, default=10, help="number of further parts of tables with few cards")
    parser.add_argument("--kept", type=int, default=2, help="number of further parts kept for the calibration")
    parser.add_argument("--seed", type=int, default=301, help="seed of the first part")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--highest", type=float, default=2e-3, help="highest learning rate (default: 0.002)")
    parser.add_argument("--resume", type=checkpoint_file, help="a relation_model.pt to continue from")
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder for checkpoints (default: runs)")
    add_target_options(parser)
    options = parser.parse_args()
    weights = target_folder(parser, options)
    seeds = [options.seed + part for part in range(options.parts + options.kept)]
    few_seeds = [options.seed + FEW_CARDS_SEED_OFFSET + part for part in range(options.few)]
    tasks = [(seed, False, weights) for seed in seeds[: options.parts]]
    tasks += [(seed, True, weights) for seed in few_seeds]
    with get_context("spawn").Pool(options.processes) as pool:
        samples = [sample for part in pool.starmap(samples_of_part, tasks, chunksize=1) for sample in part]
        kept_tasks = [(seed, False, weights) for seed in seeds[options.parts :]]
        kept = [table for part in pool.starmap(labelled_tables, kept_tasks, chunksize=1) for table in part]
    print(f"{len(samples)} tables, {sum(len(sample.index) for sample in samples)} detections")
    validation = [sample_of(table) for table in kept if len(table.detections)]
    checkpoint = train(samples, validation, options.out, options.epochs, highest=options.highest, resume=options.resume)
    install(checkpoint, kept, weights)


if __name__ == "__main__":
    main()
