"""Several processes that train one network together, started by torchrun.

On a CPU, several processes of one thread each use several cores better than one process of several threads.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn


@dataclass(frozen=True, slots=True)
class Processes:
    """This process's ``rank`` and the number (``count``) of processes that train together."""

    rank: int = 0
    count: int = 1

    @property
    def first(self) -> bool:
        """Whether this process logs and saves."""
        return self.rank == 0

    def average_gradients(self, net: nn.Module) -> None:
        """Gives every process the mean of all their gradients."""
        if self.count == 1:
            return
        gradients = [parameter.grad for parameter in net.parameters() if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(flat)
        start = 0
        for gradient in gradients:
            gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient) / self.count)
            start += gradient.numel()

    def agreed(self, share: float) -> float:
        """Returns the first process's ``share`` in all of them: their clocks differ, and all must stop together."""
        if self.count == 1:
            return share
        value = torch.tensor([share], dtype=torch.float64)
        dist.broadcast(value, 0)
        return float(value)


SINGLE = Processes()


def join_processes() -> Processes:
    """Joins the processes that torchrun started; a single one otherwise."""
    if "WORLD_SIZE" not in os.environ:
        return SINGLE
    dist.init_process_group("gloo")
    return Processes(dist.get_rank(), dist.get_world_size())
