"""The training by steps that all networks share."""

from __future__ import annotations

import copy
import io
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from webui.storage.files.atomic_files import replace_file

_log = logging.getLogger(__name__)
Step = Callable[[nn.Module, torch.device, int], tuple[torch.Tensor, Mapping[str, torch.Tensor]]]
"""Runs the network on the batch of the step of a number, from which everything random about it follows; returns the
loss and the figures to log."""


def learning_rate(share: float, highest: float) -> float:
    """Short linear warm-up, then a cosine down to a fiftieth; ``share`` is the share of the training done, 0..1."""
    if share < 0.02:
        return highest * max(share / 0.02, 0.01)
    return highest * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(share, 1.0))))


def steady_rate(number: int, steps: int, steady: int, highest: float) -> float:
    """Rate of step ``number`` of ``steps``: a warm-up of 100, ``highest`` up to step ``steady``, then a cosine."""
    if number < steady:
        return highest * min((number + 1) / 100, 1)
    return highest * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (number - steady) / max(steps - steady, 1))))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyper-parameters of a training.

    Attributes:
        highest_rate: highest learning rate.
        weight_decay: weight decay of AdamW.
        max_gradient_norm: bound of the gradient's norm; None for no clipping.
        ema_decay: decay of the averaged weights, reached after a warm-up.
        betas: coefficients of AdamW.
        decay_vectors: whether biases and normalisation weights decay too.
        steady: the number of steps at the highest rate before the cosine; a training that may go on later sets all of
            its steps. 0 for the rates of ``learning_rate``.
    """

    highest_rate: float
    weight_decay: float
    max_gradient_norm: float | None
    ema_decay: float
    betas: tuple[float, float] = (0.9, 0.999)
    decay_vectors: bool = True
    steady: int = 0

    def rate(self, number: int, steps: int) -> float:
        """The learning rate of step ``number`` of ``steps``."""
        if self.steady:
            return steady_rate(number, steps, self.steady, self.highest_rate)
        return learning_rate(number / steps, self.highest_rate)

    def optimizer(self, net: nn.Module) -> torch.optim.Optimizer:
        """AdamW over the parameters that are not frozen."""
        trained = [parameter for parameter in net.parameters() if parameter.requires_grad]
        decayed = [parameter for parameter in trained if self.decay_vectors or parameter.ndim > 1]
        plain = [parameter for parameter in trained if not (self.decay_vectors or parameter.ndim > 1)]
        groups = [{"params": decayed, "weight_decay": self.weight_decay}, {"params": plain, "weight_decay": 0.0}]
        return torch.optim.AdamW([group for group in groups if group["params"]], lr=self.highest_rate, betas=self.betas)


def train_steps(
    net: nn.Module,
    step: Step,
    recipe: Recipe,
    steps: int,
    state: Path,
    *,
    seed: int = 0,
    save_every: int = 500,
    log_every: int = 50,
    log: Callable[[int, dict[str, float]], None] = lambda number, figures: None,
    saved: Callable[[nn.Module], None] = lambda average: None,
    device: torch.device | None = None,
) -> nn.Module:
    """Trains ``net`` for ``steps`` steps and returns the network with averaged weights.

    Every ``save_every`` steps the whole training (network, average, optimizer, step, random states) is written to the
    file ``state``, and ``saved`` is called with the average. Where that file exists, the training goes on from there,
    exactly as if it had never stopped; from the state before it where it is damaged. Every ``log_every`` steps ``log``
    is called with the step and the mean figures.
    """
    device = device or best_device()
    net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = copy.deepcopy(net).eval()
    optimizer = recipe.optimizer(net)
    done = _load_training(state, net, average, optimizer)
    sums: dict[str, torch.Tensor] = {}
    for number in range(done, steps):
        torch.manual_seed((seed << 32) + number)
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate(number, steps)
        loss, figures = step(net, device, number)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        if recipe.max_gradient_norm is not None:
            nn.utils.clip_grad_norm_(net.parameters(), recipe.max_gradient_norm)
        optimizer.step()
        update_average(average, net, min(recipe.ema_decay, (2 + number) / (11 + number)))
        for name, value in figures.items():  # on the device: reading them would wait for it
            sums[name] = sums.get(name, torch.zeros((), device=device)) + value.detach()
        if (number + 1) % log_every == 0 or number + 1 == steps:
            count = number % log_every + 1
            log(number + 1, {name: float(value) / count for name, value in sums.items()})
            sums.clear()
        if (number + 1) % save_every == 0 or number + 1 == steps:
            _save_training(state, net, average, optimizer, number + 1)
            saved(average)
    return average


def update_average(average: nn.Module, net: nn.Module, decay: float) -> None:
    """Moves the averaged weights towards the trained ones (exponential moving average), in few calls, which a GPU
    needs."""
    with torch.no_grad():
        trained = net.state_dict()
        moving = [(value, trained[name]) for name, value in average.state_dict().items()]
        numbers = [pair for pair in moving if pair[0].dtype.is_floating_point]
        torch._foreach_lerp_([mean for mean, _ in numbers], [new for _, new in numbers], 1 - decay)
        for mean, new in moving:
            if not mean.dtype.is_floating_point:
                mean.copy_(new)


def _save_training(path: Path, net: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer, step: int) -> None:
    """Writes the whole state of a training; the one before it stays, should the disk lose this one."""
    states = {"net": net.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict()}
    random = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        random["cuda"] = torch.cuda.get_rng_state()
    written = io.BytesIO()
    torch.save({**states, "step": step, "random": random}, written)
    if path.exists():
        path.replace(_before(path))
    replace_file(path, written.getvalue())


def steps_done(state: Path) -> int:
    """The number of steps of a stopped training, whose state is in this file; 0 where there is none."""
    found = _whole_state(state)
    return int(found["step"]) if found else 0


def remove_training(state: Path) -> None:
    """Removes the state of a training."""
    for path in (state, _before(state)):
        path.unlink(missing_ok=True)


def _before(state: Path) -> Path:
    return state.with_suffix(".before")


def _whole_state(path: Path) -> dict[str, Any] | None:
    """The newest state of a training that can be read; None where there is none. One that cannot is removed."""
    for file in (path, _before(path)):
        try:
            state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
            return state
        except FileNotFoundError:
            continue
        except Exception as error:  # PyTorch raises whatever its parts do where a file is cut off
            _log.warning("the state of a training in %s cannot be read: %s", file.name, error)
            file.unlink()
    return None


def _load_training(path: Path, net: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Restores the state of a training; returns the number of steps done, 0 where there is none."""
    state = _whole_state(path)
    if state is None:
        return 0
    net.load_state_dict(state["net"])
    average.load_state_dict(state["average"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"]["cpu"])
    if torch.cuda.is_available() and "cuda" in state["random"]:
        torch.cuda.set_rng_state(state["random"]["cuda"])
    return int(state["step"])


def best_device() -> torch.device:
    """The GPU if there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
