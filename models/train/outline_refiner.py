"""Trains the outline refiner on the detector's output on drawn tables: ``python -m models.train.outline_refiner``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from datasets.decks.splits import training_decks
from models.networks.layers import load_state, run_mixed
from models.networks.outline_refiner import OutlineRefinerNet
from models.samples.index_classifier import STORED_BATCHES
from models.samples.outline_refiner import WindowStream, batches
from models.train.loop import Limit, Recipe, train_loop
from models.train.options import training_options
from vision.engines.weights import FOLDER


def losses(
    outputs: Sequence[torch.Tensor], truth: Sequence[torch.Tensor]
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Returns the loss, and for the log: the mean error that remains (card widths and heights), and the shares of
    corners (left or right) and of real indices that are predicted correctly.

    ``outputs`` are shifts (n, 8), logits of the right-hand corner and of being real (n, 1), ...; ``truth`` the same as
    shifts and 0 or 1.
    """
    shifts, rights, reals = truth
    shift, right, real = outputs[:3]
    error = (shift - shifts).abs() * reals
    count = reals.sum().clamp(min=1)
    cross_entropy = nn.functional.binary_cross_entropy_with_logits
    side = (cross_entropy(right, rights, reduction="none") * reals).sum() / count
    total = error.sum() / count + 0.5 * side + 0.5 * cross_entropy(real, reals)
    with torch.no_grad():
        figures = {
            "off": error.sum() / count / 8,
            "side": (((right > 0) == (rights > 0)) * reals).sum() / count,
            "real": ((real > 0) == (reals > 0)).float().mean(),
        }
    return total, figures


def train(
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 256,
    workers: int = 1,
    highest: float = 2e-3,
    weights: Path = FOLDER,
    resume: Path | None = None,
    steps: int | None = None,
) -> Path:
    """Trains for ``minutes`` (or ``steps``) on what the detector of ``weights`` finds.

    Writes ``out``/outline_refiner.pt and returns its path.
    """
    torch.manual_seed(seed)
    net = OutlineRefinerNet()
    if resume:
        load_state(net, resume)
    stream = WindowStream(training_decks(drawn=0), seed, weights, STORED_BATCHES * batch)
    samples = batches(stream, batch, workers)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        windows, *truth = (part.to(device) for part in next(samples))
        return losses(run_mixed(net, windows), truth)

    recipe = Recipe(highest, weight_decay=0.03, max_gradient_norm=5.0, ema_decay=0.997)
    return train_loop(net, step, out / "outline_refiner.pt", recipe, Limit(minutes, steps), log_every=25)


def main() -> None:
    parser = training_options(__doc__, minutes=25)
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder with the exported detector")
    options = parser.parse_args()
    path = train(
        options.out,
        options.minutes,
        options.seed,
        options.batch,
        options.workers,
        options.highest,
        weights=options.weights,
        resume=options.resume,
    )
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
