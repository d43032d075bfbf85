"""The placer's network: a small convolutional network that sees in which upper corner of its card an index stands."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import body, even, restored
from vision.rescore.corner_side import VIEW

HIDDEN = 128


class PlacerNet(nn.Module):
    """Views (n, 3, size, size) RGB in 0..1 to whether the index in each stands in the right-hand corner, (n, 1), before
    the logistic function."""

    def __init__(self) -> None:
        super().__init__()
        self.body = body((24, 32, 64, 64, 96, 96, 128), (VIEW.size, VIEW.size), hidden=HIDDEN, dropout=0.2)
        self.right = nn.Linear(HIDDEN, 1)

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        right: torch.Tensor = self.right(self.body(even(views)))
        return right


def load(path: Path) -> PlacerNet:
    """The placer saved at ``path``, ready to place."""
    return restored(PlacerNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved placer to ONNX with a free number of views; returns ``target``."""
    torch.onnx.export(
        load(checkpoint),
        (torch.zeros(2, 3, VIEW.size, VIEW.size),),
        str(target),
        input_names=["views"],
        output_names=["right"],
        dynamic_axes={name: {0: "n"} for name in ("views", "right")},
        opset_version=17,
        dynamo=False,
    )
    return target
