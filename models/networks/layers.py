"""What the networks have in common, the two small ones above all: settler and namer."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import torch
from torch import nn

Net = TypeVar("Net", bound=nn.Module)
STRIDE = 16
"""By how much ``body`` shrinks a picture."""


def _block(inward: int, outward: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU(inplace=True)
    )


def body(channels: Sequence[int], size: tuple[int, int], hidden: int, dropout: float) -> nn.Sequential:
    """Seven 3 x 3 convolutions of so many ``channels``, every other one halving the picture, then one hidden layer;
    pictures (n, 3, h, w) of ``size`` (w, h) to (n, hidden)."""
    cells = -(-size[0] // STRIDE) * -(-size[1] // STRIDE)
    blocks = [_block(a, b, 2 - i % 2) for i, (a, b) in enumerate(zip((3, *channels), channels, strict=False))]
    last = [nn.Flatten(), nn.Dropout(dropout), nn.Linear(channels[-1] * cells, hidden), nn.ReLU(inplace=True)]
    return nn.Sequential(*blocks, *last)


def even(pictures: torch.Tensor) -> torch.Tensor:
    """Pictures (n, 3, h, w) each brought to the same mean and contrast, so that a dim table looks like a bright one."""
    mean = pictures.mean((1, 2, 3), keepdim=True)
    spread = ((pictures - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
    return (pictures - mean) / (spread + 0.05)


def restored(net: Net, path: Path) -> Net:
    """``net`` with the weights saved at ``path``, in whatever precision."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    net.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in state.items()})
    return net


def mixed_precision(device: str) -> torch.autocast:
    """Reckons in bfloat16 where ``device`` ("cpu", "cuda") does so fast, in single precision elsewhere: a processor
    that has no instructions for it takes two to eight times as long for a convolution in bfloat16."""
    able = torch.cpu.get_capabilities() if device == "cpu" else {"amx_bf16": True}
    return torch.autocast(device, torch.bfloat16, enabled=bool(able.get("amx_bf16") or able.get("avx512_bf16")))


def training_options(about: str | None, minutes: float) -> argparse.ArgumentParser:
    """A parser with the options that every training has."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--highest", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--resume", type=Path, help="a checkpoint to go on from")
    return parser
