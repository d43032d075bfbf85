"""Trains the index classifier from scratch on drawn corners: ``python -m models.train.index_classifier``."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from datasets.decks.splits import held_out_decks, training_decks
from models.networks.index_classifier import IndexClassifierNet
from models.networks.layers import load_state, run_mixed
from models.samples.index_classifier import NO_INDEX, STORED_BATCHES, Batch, PatchStream, batches
from models.train.loop import Limit, Progress, Recipe, figures_text, train_loop
from models.train.options import training_options

SUIT_WEIGHT = 0.5
LABEL_SMOOTHING = 0.03
SHIFT_BETA = 0.1
"""SHIFT_UNITs below which the loss of a shift is quadratic."""


def losses(outputs: tuple[torch.Tensor, ...], truth: tuple[torch.Tensor, ...]) -> dict[str, torch.Tensor]:
    """Weighted losses of ``outputs`` (rank, suit, shift, ...) against ``truth`` (ranks, suits, shifts)."""
    rank, suit, shift, *_ = outputs
    ranks, suits, shifts = truth
    real = ranks != NO_INDEX
    cross_entropy = nn.functional.cross_entropy
    return {
        "rank": cross_entropy(rank, ranks, label_smoothing=LABEL_SMOOTHING),
        "suit": SUIT_WEIGHT * cross_entropy(suit, suits, ignore_index=-1, label_smoothing=LABEL_SMOOTHING),
        "shift": nn.functional.smooth_l1_loss(shift[real], shifts[real], beta=SHIFT_BETA),
    }


def validate(net: nn.Module, data: Batch) -> tuple[float, float, float, float]:
    """Returns the shares of indices with the right rank, of suits that are right, and of patches without an index that
    are classified so; and the median error of the card's corner in SHIFT_UNITs."""
    device = next(net.parameters()).device
    images, ranks, suits, shifts = (part.to(device) for part in data)
    with torch.no_grad():
        rank_scores, suit_scores, predicted_shifts, _ = net(images)
    right_rank, right_suit = rank_scores.argmax(1) == ranks, suit_scores.argmax(1) == suits
    real = ranks != NO_INDEX
    return (
        float(right_rank[real].float().mean()),
        float(right_suit[suits >= 0].float().mean()),
        float(right_rank[~real].float().mean()),
        float((predicted_shifts - shifts)[real].norm(dim=1).median()),
    )


def train(
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 256,
    workers: int = 1,
    highest: float = 2e-3,
    resume: Path | None = None,
    steps: int | None = None,
    validation_size: int = 1000,
    stream: PatchStream | None = None,
) -> Path:
    """Trains for ``minutes`` (or ``steps``) and writes ``out``/index_classifier.pt; returns its path.

    ``stream`` replaces the usual patches. Every 50 steps ``validation_size`` patches of held-out decks are classified.
    """
    torch.manual_seed(seed)
    net = IndexClassifierNet()
    if resume:
        load_state(net, resume)
    held_out = PatchStream(held_out_decks(), seed + 1000, each=1, store=validation_size * 3 // 2)
    validation = next(batches(held_out, validation_size, 0))
    stream = stream or PatchStream(training_decks(drawn=0), seed, store=STORED_BATCHES * batch)
    samples = batches(stream, batch, workers)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        images, *truth = (part.to(device) for part in next(samples))
        parts = losses(run_mixed(net, images), tuple(truth))
        return torch.stack([*parts.values()]).sum(), parts

    def log_text(progress: Progress) -> str:
        rank, suit, none, shift = validate(progress.average, validation)
        held_out = f"held-out decks: rank {rank:.4f} suit {suit:.4f} none {none:.4f} shift {shift:.3f}"
        return f"{figures_text(progress)}; {held_out}"

    recipe = Recipe(highest, weight_decay=0.03, max_gradient_norm=None, ema_decay=0.997)
    target = out / "index_classifier.pt"
    return train_loop(net, step, target, recipe, Limit(minutes, steps), log_every=50, log_text=log_text)


def main() -> None:
    options = training_options(__doc__, minutes=15).parse_args()
    path = train(
        options.out,
        options.minutes,
        options.seed,
        options.batch,
        options.workers,
        options.highest,
        resume=options.resume,
    )
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
