"""Trains the detector from scratch on drawn tables: ``python -m models.train.detector --minutes 60``.

On a CPU, several processes are faster: ``OMP_NUM_THREADS=1 torchrun --nproc-per-node 2 -m models.train.detector``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from datasets.decks.splits import training_decks
from models.networks.detector import build, loss, save_for_export
from models.networks.layers import load_state
from models.samples.detector import STORED_BATCHES, TableStream, batches
from models.train.loop import Limit, Progress, Recipe, figures_text, train_loop
from models.train.options import training_options
from models.train.processes import join_processes

PARTS = ("box", "pose", "kobj", "cls", "dfl")
"""Parts of the loss, as ultralytics orders them."""


def recipe(highest: float) -> Recipe:
    """The detector's hyper-parameters."""
    return Recipe(
        highest, weight_decay=0.02, max_gradient_norm=10.0, ema_decay=0.996, betas=(0.9, 0.98), decay_vectors=False
    )


def train(
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 16,
    size: int = 640,
    workers: int = 1,
    highest: float = 2e-3,
    resume: Path | None = None,
    steps: int | None = None,
    begin: float = 0.0,
    freeze: int = 0,
) -> Path:
    """Trains for ``minutes`` (or ``steps``) and writes ``out``/detector.pt and detector-state.pt; returns the former.

    ``resume`` is a detector-state.pt to continue from, ``begin`` the share of the whole training done before it, so
    that the learning rate continues where it was. The first ``freeze`` layers are not trained, which saves time: they
    process the largest feature maps.
    """
    processes = join_processes()
    torch.manual_seed(seed)
    net = build()
    if resume:
        load_state(net, resume)
    net.train()
    for layer in net.model[:freeze]:
        layer.requires_grad_(False).eval()
    decks = training_decks(drawn=0)
    stream = TableStream(decks, seed * 100 + processes.rank, size, store=STORED_BATCHES * batch)
    samples = batches(stream, batch, workers)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        data = {key: value.to(device, non_blocking=True) for key, value in next(samples).items()}
        total, parts = loss(net, data["img"].float() / 255, data)
        return total / batch, dict(zip(PARTS, parts, strict=False))

    return train_loop(
        net,
        step,
        out / "detector.pt",
        recipe(highest),
        Limit(minutes, steps, begin),
        log_every=25,
        log_text=_log_text(batch * processes.count),
        save=_save,
        processes=processes,
    )


def _log_text(batch: int) -> Callable[[Progress], str]:
    return lambda progress: f"{progress.step * batch / progress.seconds:.1f} img/s {figures_text(progress)}"


def _save(average: nn.Module, target: Path) -> None:
    """Saves the averaged weights in half precision, and the network in ultralytics' format."""
    state = {key: value.half() for key, value in average.state_dict().items()}
    torch.save(state, target.with_name("detector-state.pt"))
    clean = copy.deepcopy(average)
    clean.criterion = None  # type: ignore[assignment]  # holds data of this run
    save_for_export(clean, target)


def main() -> None:
    parser = training_options(__doc__, minutes=60, batch=16)
    parser.add_argument("--begin", type=float, default=0.0, help="share of the training done before the checkpoint")
    parser.add_argument(
        "--freeze", type=int, default=0, help="number of first layers that are not trained (5: 1.6 times as fast)"
    )
    options = parser.parse_args()
    path = train(
        options.out,
        options.minutes,
        options.seed,
        options.batch,
        workers=options.workers,
        highest=options.highest,
        resume=options.resume,
        begin=options.begin,
        freeze=options.freeze,
    )
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
