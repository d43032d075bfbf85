"""Trains the relations network on blocks of tables; a stage of a recipe (``models.pipeline``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from models.networks.layers import run_mixed
from models.networks.relations import RelationsNet
from models.samples.relation_model import Batch, Sample, collate
from models.samples.relations import Rows, samples_of
from models.train.relation_model import RANK_WEIGHT, SAME_WEIGHT, output_losses


def standardise(net: RelationsNet, blocks: Sequence[Rows]) -> None:
    """Has the network take its inputs relative to their mean in ``blocks``, in their standard deviations."""
    told = np.concatenate([np.asarray(block["told"]) for block in blocks])
    if len(told):
        net.mean.copy_(torch.from_numpy(told.mean(0)))
        net.spread.copy_(torch.from_numpy(told.std(0) + 1e-3))


def sampled(blocks: Sequence[Rows], tables: int, seed: int, number: int) -> list[Sample]:
    """Samples the tables of step ``number``."""
    rng = np.random.default_rng([seed, 76, number])
    whole, chosen = [block for block in blocks if len(block)], []
    for n in rng.integers(len(whole), size=tables).tolist():
        numbers = whole[n]["table"]
        chosen += samples_of(whole[n][numbers == rng.choice(np.unique(numbers))])
    return chosen


def losses(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The loss on a batch, and for the log its parts (see ``output_losses``)."""
    *inputs, names = batch.inputs
    keep, same, trust, share = run_mixed(net, *inputs)
    others = (share * inputs[2])[..., None] * names[inputs[1]]
    kept, rank, paired = output_losses(keep, trust[:, None] * names + others.sum(1), same, batch)
    return kept + RANK_WEIGHT * rank + SAME_WEIGHT * paired, {"keep": kept, "rank": rank, "same": paired}


def relations_step(
    tables_of: Callable[[int], Sequence[Sample]],
) -> Callable[[nn.Module, torch.device, int], tuple[torch.Tensor, dict[str, torch.Tensor]]]:
    """The step of this training for ``models.train.loop.train_steps``; ``tables_of`` are those of a step."""

    def step(net: nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        return losses(net, collate(tables_of(number)).to(device))

    return step


@torch.no_grad()
def evaluate(net: nn.Module, samples: Sequence[Sample]) -> dict[str, float]:
    """The mean losses of a network over tables."""
    each = [losses(net.eval(), collate([sample]))[1] for sample in samples]
    return {name: float(np.mean([float(parts[name]) for parts in each])) for name in (each[0] if each else ())}
