"""Building blocks, checkpoints and mixed precision shared by all networks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

Net = TypeVar("Net", bound=nn.Module)
STRIDE = 16
"""Downsampling factor of ``conv_body``."""


def _conv_block(in_channels: int, out_channels: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, stride, 1, bias=False), nn.BatchNorm2d(out_channels), nn.ReLU(True)
    )


def conv_body(channels: Sequence[int], size: tuple[int, int], hidden: int, dropout: float) -> nn.Sequential:
    """Seven 3 x 3 convolutions with ``channels``, every other one with stride 2, then one hidden layer.

    Maps pictures (n, 3, h, w) of ``size`` (w, h) to embeddings (n, hidden).
    """
    cells = -(-size[0] // STRIDE) * -(-size[1] // STRIDE)
    blocks = [_conv_block(a, b, 2 - i % 2) for i, (a, b) in enumerate(zip((3, *channels), channels, strict=False))]
    head = [nn.Flatten(), nn.Dropout(dropout), nn.Linear(channels[-1] * cells, hidden), nn.ReLU(inplace=True)]
    return nn.Sequential(*blocks, *head)


def normalise_contrast(pictures: torch.Tensor) -> torch.Tensor:
    """Brings pictures (n, 3, h, w) to mean 0 and about the same contrast, so that dim and bright tables look alike."""
    mean = pictures.mean((1, 2, 3), keepdim=True)
    deviation = ((pictures - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
    return (pictures - mean) / (deviation + 0.05)


def load_state(net: Net, path: Path) -> Net:
    """Loads the weights that ``save_state`` or PyTorch saved at ``path``, of any precision, into ``net``; returns
    ``net``."""
    state: dict[str, torch.Tensor]
    if path.suffix == ".npz":
        with np.load(path) as file:
            state = {name: torch.from_numpy(file[name]) for name in file.files}
    else:
        state = torch.load(path, map_location="cpu", weights_only=True)
    net.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in state.items()})
    return net


def save_state(net: nn.Module, path: Path) -> Path:
    """Saves the weights of ``net`` in half precision; returns ``path``. A file that ends in .npz has plain arrays,
    without pickles."""
    state = {
        name: (value.half() if value.is_floating_point() else value).cpu() for name, value in net.state_dict().items()
    }
    if path.suffix == ".npz":
        np.savez(path, allow_pickle=False, **{name: value.numpy() for name, value in state.items()})
    else:
        torch.save(state, path)
    return path


def mixed_precision(device: str) -> torch.autocast:
    """Computes in bfloat16 where ``device`` ("cpu", "cuda") is fast at it, in float32 elsewhere.

    A processor without instructions for it takes two to eight times as long for a convolution in bfloat16.
    """
    capabilities = torch.cpu.get_capabilities() if device == "cpu" else {"amx_bf16": True}
    fast = bool(capabilities.get("amx_bf16") or capabilities.get("avx512_bf16"))
    return torch.autocast(device, torch.bfloat16, enabled=fast)


def run_mixed(net: nn.Module, *inputs: torch.Tensor) -> Any:
    """Runs ``net`` in mixed precision, pictures in channels-last order; returns its outputs as float32."""
    ready = [part.contiguous(memory_format=torch.channels_last) if part.ndim == 4 else part for part in inputs]
    with mixed_precision(inputs[0].device.type):
        outputs = net(*ready)
    return _as_float32(outputs)


def _as_float32(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float()
    if isinstance(value, dict):
        return {key: _as_float32(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_as_float32(item) for item in value)
    return value


def export_to_onnx(
    net: nn.Module,
    example: tuple[torch.Tensor, ...],
    target: Path,
    inputs: Sequence[str],
    outputs: Sequence[str],
) -> Path:
    """Exports ``net`` to ONNX with a variable first axis of all inputs and outputs; returns ``target``.

    The runtime code asks for these names, so they are part of the shipped files' format.
    """
    torch.onnx.export(
        net,
        example,
        str(target),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in [*inputs, *outputs]},
        opset_version=17,
        dynamo=False,
    )
    return target
