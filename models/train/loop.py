"""What every training does."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn


def learning_rate(share: float, highest: float) -> float:
    """Short warm-up, then a cosine down to a fiftieth; ``share`` of the training done, 0..1."""
    if share < 0.02:
        return highest * max(share / 0.02, 0.01)
    return highest * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(share, 1.0))))


def follow(average: torch.nn.Module, net: torch.nn.Module, decay: float) -> None:
    """Moves the averaged weights towards the trained ones."""
    trained = net.state_dict()
    for key, value in average.state_dict().items():
        if value.dtype.is_floating_point:
            value.mul_(decay).add_(trained[key].detach(), alpha=1 - decay)
        else:
            value.copy_(trained[key])


TOLD_EVERY = 100
"""After so many steps it is told how far a training is, and what it has is saved."""


def fit(
    net: nn.Module,
    lost: Callable[[nn.Module, torch.device], dict[str, torch.Tensor]],
    target: Path,
    minutes: float,
    highest: float,
    steps: int | None = None,
) -> Path:
    """Trains ``net`` for ``minutes`` (or ``steps``), at a rate up to ``highest``, and writes the mean of its last
    weights to ``target``, which it returns.

    ``lost`` draws a batch, lets the network answer on the device given, and returns its losses, which are added up.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    average = copy.deepcopy(net).to(device)
    net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.AdamW(net.parameters(), lr=highest, weight_decay=0.05)
    start, step = time.monotonic(), 0
    seen: dict[str, float] = {}
    while (share := step / steps if steps else (time.monotonic() - start) / (60 * minutes)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(share, highest)
        losses = lost(net, device)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(torch.stack([*losses.values()]).sum())
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        step += 1
        follow(average, net, min(0.999, (1 + step) / (10 + step)))
        for name, loss in losses.items():
            value = float(loss.detach())
            seen[name] = 0.99 * seen.get(name, value) + 0.01 * value
        if step % TOLD_EVERY == 0:
            print(f"{share:.3f} step {step}", *(f"{name} {loss:.4f}" for name, loss in seen.items()), flush=True)
            torch.save(average.state_dict(), target)
    torch.save(average.state_dict(), target)
    return target
