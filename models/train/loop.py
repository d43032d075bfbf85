"""The training by steps that all networks share."""

from __future__ import annotations

import copy
import io
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from webui.storage.files.atomic_files import replace_file

Step = Callable[[nn.Module, torch.device, int], tuple[torch.Tensor, Mapping[str, torch.Tensor]]]
"""Runs the network on the batch of the step of a number, from which everything random about it follows; returns the
loss and the figures to log."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyper-parameters of a training.

    Attributes:
        highest_rate: highest learning rate.
        weight_decay: weight decay of AdamW.
        max_gradient_norm: bound of the gradient's norm.
        ema_decay: decay of the averaged weights, reached after a warm-up.
        betas: coefficients of AdamW.
        decay_vectors: whether biases and normalisation weights decay too.
        steady: the number of steps before the rate falls along a cosine, of which up to 100 are a warm-up; a training
            that may go on later sets all of its steps.
    """

    highest_rate: float
    weight_decay: float
    max_gradient_norm: float
    ema_decay: float
    steady: int
    betas: tuple[float, float] = (0.9, 0.999)
    decay_vectors: bool = True

    def rate(self, number: int, steps: int) -> float:
        """The learning rate of step ``number`` of ``steps``."""
        if number < self.steady:
            return self.highest_rate * min((number + 1) / min(100, self.steady), 1)
        fallen = (number - self.steady) / max(steps - self.steady, 1)
        return self.highest_rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * fallen)))

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
) -> nn.Module:
    """Trains ``net`` for ``steps`` steps and returns the network with averaged weights.

    Every ``save_every`` steps the whole training (network, average, optimizer, step, random states) is written to the
    file ``state``. Where that file exists, the training goes on from there, exactly as if it had never stopped. Every
    ``log_every`` steps ``log`` is called with the step and the mean figures.
    """
    device = best_device()
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
    """Writes the whole state of a training."""
    states = {"net": net.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict()}
    random = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        random["cuda"] = torch.cuda.get_rng_state()
    written = io.BytesIO()
    torch.save({**states, "step": step, "random": random}, written)
    replace_file(path, written.getvalue())


def _load_training(path: Path, net: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Restores the state of a training; returns the number of steps done, 0 where there is none."""
    if not path.exists():
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
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
