"""Trains the relations network on blocks of tables; a stage of a recipe (``models.pipeline``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

from models.networks.layers import run_mixed
from models.samples.relations import Batch, Rows, collate
from models.train.loop import Step

RANK_WEIGHT, SAME_WEIGHT = 0.3, 0.5
"""Weights of the ranks and of which detections show one index, against which to keep."""
OPTIONAL_WEIGHT = 0.3
"""Weight of the rank of an index that need not be read."""


def sampled(blocks: Sequence[Rows], tables: int, seed: int, number: int) -> list[Rows]:
    """Samples the tables of step ``number``."""
    rng = np.random.default_rng([seed, 76, number])
    whole, chosen = [block for block in blocks if len(block)], []
    for n in rng.integers(len(whole), size=tables).tolist():
        numbers = whole[n]["table"]
        chosen.append(whole[n][numbers == rng.choice(np.unique(numbers))])
    return chosen


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
    cross_entropy = binary_cross_entropy_with_logits
    keep_loss = cross_entropy(keep, (chosen & batch.required).float(), weight, reduction="sum") / weight.sum()
    known = batch.rank >= 0
    rank_losses = nn.functional.cross_entropy(ranks[known], batch.rank[known], reduction="none")
    rank_weight = torch.where(batch.required[known], 1.0, OPTIONAL_WEIGHT)
    rank_loss = (rank_losses * rank_weight).sum() / rank_weight.sum().clamp(min=1)
    both = batch.both.float()
    same_loss = cross_entropy(same, batch.same.float(), both, reduction="sum") / both.sum().clamp(min=1)
    return keep_loss, rank_loss, same_loss


def losses(net: nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The loss on a batch, and for the log its parts (see ``output_losses``)."""
    *inputs, names = batch.inputs
    keep, same, trust, share = run_mixed(net, *inputs)
    others = (share * inputs[2])[..., None] * names[inputs[1]]
    kept, rank, paired = output_losses(keep, trust[:, None] * names + others.sum(1), same, batch)
    return kept + RANK_WEIGHT * rank + SAME_WEIGHT * paired, {"keep": kept, "rank": rank, "same": paired}


def relations_step(tables_of_step: Callable[[int], Sequence[Rows]]) -> Step:
    """The step of this training for ``models.train.loop.train_steps``; ``tables_of_step`` gives the rows of each."""

    def step(net: nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        return losses(net, collate(tables_of_step(number)).to(device))

    return step
