"""Goes on training namer and settler on one store of drawn views: ``python -m models.train.tune_crops --run runs``.

First it draws the tables, part by part, and lets finder and settler look at them; the patches and windows stay on disk,
some 300 MB a part (``close_views``). From these both learn, each on its share of the cores. What they make of views
for the judge is held near to what it was, so that the judge understands it as before.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.networks.index_classifier import Namer
from models.networks.layers import mixed_precision, restored
from models.networks.outline_refiner import SettlerNet
from models.samples.crop_store import Views, draw_views
from models.samples.index_classifier import NONE, RANK_CLASSES
from models.train.augment import blurred, relit
from models.train.loop import fit
from models.train.outline_refiner import losses as settler_losses
from vision.engines.weights import FOLDER

TABLES = 100
"""A part has so many."""
SUIT_WEIGHT = 0.5
HELD = 0.1
"""How much it counts that what is seen stays what it was."""
KINDS = ("index_classifier", "outline_refiner")
JOKER = RANK_CLASSES.index("JK")
Lost = Callable[[nn.Module, torch.device], dict[str, torch.Tensor]]


def _held(seen: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """How far what is ``seen`` (n, EMBEDDING_SIZE) is from what it was, ``before``: in logarithms."""
    return HELD * nn.functional.mse_loss(torch.log1p(seen.float()), torch.log1p(before.float()))


def namer_lost(before: Namer, views: Views, batch: int, seed: int) -> Lost:
    """The namer's losses on the next batch; of jokers it may see other things than ``before``."""
    rng = np.random.default_rng(seed)
    batches = views.batches(batch, rng)

    def lost(net: nn.Module, device: torch.device) -> dict[str, torch.Tensor]:
        given, *truth = next(batches)
        ranks, suits, shifts = (part.to(device) for part in truth)
        given = relit(blurred(given, rng), rng).to(device, memory_format=torch.channels_last)
        with mixed_precision(device.type):
            rank, suit, shift, seen = net(given)
            with torch.no_grad():
                was = before.to(device)(given)[3]
        real, same = ranks != NONE, ranks != JOKER
        return {
            "rank": nn.functional.cross_entropy(rank.float(), ranks, label_smoothing=0.03),
            "suit": SUIT_WEIGHT
            * nn.functional.cross_entropy(suit.float(), suits, ignore_index=-1, label_smoothing=0.03),
            "shift": nn.functional.smooth_l1_loss(shift.float()[real], shifts[real], beta=0.1),
            "held": _held(seen[same], was[same]),
        }

    return lost


def settler_lost(before: SettlerNet, views: Views, batch: int, seed: int) -> Lost:
    """The settler's losses on the next batch."""
    rng = np.random.default_rng(seed)
    batches = views.batches(batch, rng)

    def lost(net: nn.Module, device: torch.device) -> dict[str, torch.Tensor]:
        given, *truth = next(batches)
        given = relit(blurred(given, rng), rng).to(device, memory_format=torch.channels_last)
        with mixed_precision(device.type):
            answers = net(given)
            with torch.no_grad():
                was = before.to(device)(given)[3]
        return {
            "settles": settler_losses(answers, [part.to(device) for part in truth])[0],
            "held": _held(answers[3], was),
        }

    return lost


def tune(
    kind: str,
    drawn: Sequence[Path],
    run: Path,
    minutes: float,
    highest: float = 6e-4,
    seed: int = 1,
    threads: int = 1,
    batch: int = 256,
    steps: int | None = None,
) -> Path:
    """Goes on training the "index_classifier" or "outline_refiner" saved in ``run`` on what was ``drawn``, for
    ``minutes`` (or ``steps``); returns its path there."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    target = run / f"{kind}.pt"
    lost: Lost
    net: nn.Module
    if kind == "index_classifier":
        net, before = restored(Namer(), target), restored(Namer(), target).eval()
        lost = namer_lost(before, Views(drawn, "patch"), batch, seed)
    else:
        net, settled = restored(SettlerNet(), target), restored(SettlerNet(), target).eval()
        lost = settler_lost(settled, Views(drawn, "window"), batch, seed)
    return fit(net, lost, target, minutes, highest, steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--run", type=Path, default=Path("runs"), help="the folder with index_classifier.pt and outline_refiner.pt"
    )
    parser.add_argument("--weights", type=Path, default=FOLDER, help="exported weights, for finder and settler")
    parser.add_argument("--parts", type=int, default=40, help=f"of {TABLES} tables each")
    parser.add_argument("--first", type=int, default=1000, help="seed of the first part")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--highest", type=float, default=6e-4, help="highest learning rate")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.parts)
    with get_context("spawn").Pool(given.processes) as pool:
        drawn = pool.starmap(draw_views, [(seed, TABLES, given.weights, given.run) for seed in seeds], chunksize=1)
        threads = max(given.processes // 2, 1)
        tasks = [(kind, drawn, given.run, given.minutes, given.highest, given.seed, threads) for kind in KINDS]
        for path in pool.starmap(tune, tasks, chunksize=1):
            print(f"wrote {path}")


if __name__ == "__main__":
    main()
