"""Corner side classifier: tells from a crop round an index in which upper corner of its card it is."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import conv_body, export_to_onnx, load_state, normalise_contrast
from vision.rescore.corner_side import VIEW

HIDDEN = 128


class CornerSideNet(nn.Module):
    """Maps crops (n, 3, size, size) RGB in 0..1 to the logit of the right-hand corner, (n, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = conv_body((24, 32, 64, 64, 96, 96, 128), (VIEW.size, VIEW.size), hidden=HIDDEN, dropout=0.2)
        self.right = nn.Linear(HIDDEN, 1)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        right: torch.Tensor = self.right(self.body(normalise_contrast(crops)))
        return right


def load(path: Path) -> CornerSideNet:
    """Loads a checkpoint for inference."""
    return load_state(CornerSideNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint to ONNX with a variable number of crops; returns ``target``."""
    return export_to_onnx(load(checkpoint), (torch.zeros(2, 3, VIEW.size, VIEW.size),), target, ["views"], ["right"])
