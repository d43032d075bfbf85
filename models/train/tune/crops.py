"""Fine-tunes index classifier and outline refiner on stored crops: ``python -m models.train.tune.crops --run runs``.

First the tables are drawn, part by part, and read by detector and outline refiner; the patches and windows stay on
disk, some 300 MB a part (see ``models.samples.crop_store``). Then both networks are trained, each on its share of the
cores. Their embeddings are held near to what they were, because the relation model was trained on them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.networks.index_classifier import IndexClassifierNet
from models.networks.layers import load_state, run_mixed
from models.networks.outline_refiner import OutlineRefinerNet
from models.samples.crop_store import StoredCrops, draw_crops
from models.samples.index_classifier import RANK_CLASSES
from models.train.augment import blur_some, vary_light
from models.train.index_classifier import losses as classifier_losses
from models.train.loop import Limit, Recipe, Step, train_loop
from models.train.options import need_checkpoints, positive
from models.train.outline_refiner import losses as refiner_losses
from vision.engines.weights import FOLDER

TABLES = 100
"""Tables per part."""
EMBEDDING_WEIGHT = 0.1
"""Weight of the change of the embeddings."""
NETWORKS = ("index_classifier", "outline_refiner")
JOKER = RANK_CLASSES.index("JK")


def _embedding_loss(embedding: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """Penalises the change of embeddings (n, size), on the logarithmic scale that the relation model uses."""
    return EMBEDDING_WEIGHT * nn.functional.mse_loss(torch.log1p(embedding), torch.log1p(before))


def _outputs(
    net: nn.Module, before: nn.Module, pictures: torch.Tensor
) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
    """Returns the network's outputs and the embeddings of the network as it was ``before``."""
    outputs = run_mixed(net, pictures)
    with torch.no_grad():
        return outputs, run_mixed(before.to(pictures.device), pictures)[3]


def classifier_step(before: IndexClassifierNet, crops: StoredCrops, batch: int, seed: int) -> Step:
    """Training step of the index classifier; embeddings of jokers may change."""
    rng = np.random.default_rng(seed)
    batches = crops.batches(batch, rng)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        pictures, *rest = next(batches)
        truth = tuple(part.to(device) for part in rest)
        outputs, embedding = _outputs(net, before, vary_light(blur_some(pictures, rng), rng).to(device))
        held = truth[0] != JOKER
        parts = {**classifier_losses(outputs, truth), "held": _embedding_loss(outputs[3][held], embedding[held])}
        return torch.stack([*parts.values()]).sum(), parts

    return step


def refiner_step(before: OutlineRefinerNet, crops: StoredCrops, batch: int, seed: int) -> Step:
    """Training step of the outline refiner."""
    rng = np.random.default_rng(seed)
    batches = crops.batches(batch, rng)

    def step(net: nn.Module, device: torch.device) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        pictures, *truth = next(batches)
        outputs, embedding = _outputs(net, before, vary_light(blur_some(pictures, rng), rng).to(device))
        loss, figures = refiner_losses(outputs, [part.to(device) for part in truth])
        held = _embedding_loss(outputs[3], embedding)
        return loss + held, {**figures, "held": held}

    return step


def tune(
    network: str,
    drawn: Sequence[Path],
    run: Path,
    minutes: float,
    highest: float = 6e-4,
    seed: int = 1,
    threads: int = 1,
    batch: int = 256,
    steps: int | None = None,
) -> Path:
    """Fine-tunes the ``network`` (one of NETWORKS) saved in ``run`` on the ``drawn`` crops, for ``minutes`` (or
    ``steps``); returns its path there."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    target = run / f"{network}.pt"
    net: nn.Module
    if network == "index_classifier":
        net, classifier = IndexClassifierNet(), IndexClassifierNet()
        load_state(net, target)
        load_state(classifier, target).eval()
        step = classifier_step(classifier, StoredCrops(drawn, "patch"), batch, seed)
    else:
        net, refiner = OutlineRefinerNet(), OutlineRefinerNet()
        load_state(net, target)
        load_state(refiner, target).eval()
        step = refiner_step(refiner, StoredCrops(drawn, "window"), batch, seed)
    recipe = Recipe(highest, weight_decay=0.05, max_gradient_norm=2.0, ema_decay=0.999)
    return train_loop(net, step, target, recipe, Limit(minutes, steps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--run", type=Path, default=Path("runs"), help="folder with index_classifier.pt and outline_refiner.pt"
    )
    parser.add_argument(
        "--weights", type=Path, default=FOLDER, help="folder with the exported detector and outline refiner"
    )
    parser.add_argument("--parts", type=int, default=40, help=f"number of parts of {TABLES} tables each")
    parser.add_argument("--first", type=int, default=1000, help="seed of the first part")
    parser.add_argument("--minutes", type=positive, default=30, help="length of the training (default: 30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    parser.add_argument("--highest", type=float, default=6e-4, help="highest learning rate (default: 0.0006)")
    options = parser.parse_args()
    need_checkpoints(parser, options.run, *(f"{network}.pt" for network in NETWORKS))
    seeds = range(options.first, options.first + options.parts)
    with get_context("spawn").Pool(options.processes) as pool:
        drawn = pool.starmap(draw_crops, [(seed, TABLES, options.weights, options.run) for seed in seeds], chunksize=1)
        threads = max(options.processes // 2, 1)
        tasks = [
            (network, drawn, options.run, options.minutes, options.highest, options.seed, threads)
            for network in NETWORKS
        ]
        for path in pool.starmap(tune, tasks, chunksize=1):
            print(f"wrote {path}")


if __name__ == "__main__":
    main()
