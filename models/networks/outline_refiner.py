"""The settler's network: a small convolutional network that sees how far an outline is off."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import body, even, restored
from vision.crops.card_window import WINDOW_SIZE
from vision.recognise.outline_refiner import EMBEDDING_SIZE


class SettlerNet(nn.Module):
    """Windows (n, 3, size, size) RGB in 0..1 to corner shifts (n, 8), right hand (n, 1) and real (n, 1), these two
    before the logistic function, and what was seen, (n, EMBEDDING_SIZE)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = body((24, 32, 64, 64, 96, 96, 128), (WINDOW_SIZE, WINDOW_SIZE), hidden=EMBEDDING_SIZE, dropout=0.05)
        self.shift = nn.Linear(EMBEDDING_SIZE, 8)
        self.right = nn.Linear(EMBEDDING_SIZE, 1)
        self.real = nn.Linear(EMBEDDING_SIZE, 1)

    def forward(self, windows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        seen = self.body(even(windows))
        return self.shift(seen), self.right(seen), self.real(seen), seen


def load(path: Path) -> SettlerNet:
    """The settler saved at ``path``, ready to settle."""
    return restored(SettlerNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved settler to ONNX with a free number of windows; returns ``target``."""
    outputs = ["shift", "right", "real", "seen"]
    torch.onnx.export(
        load(checkpoint),
        (torch.zeros(2, 3, WINDOW_SIZE, WINDOW_SIZE),),
        str(target),
        input_names=["windows"],
        output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ["windows", *outputs]},
        opset_version=17,
        dynamo=False,
    )
    return target
