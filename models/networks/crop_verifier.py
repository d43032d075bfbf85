"""The verifier's network: a small convolutional network that sees what lies round an index."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import body, even, restored
from vision.rescore.crop_verifier import VIEW
from vision.rescore.features import RANKS

HIDDEN = 128


class VerifierNet(nn.Module):
    """Views (n, 3, size, size) RGB in 0..1 to whether each shows an index in its middle that can be read (n, 1), before
    the logistic function, and its rank (n, RANKS), before softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.body = body((24, 32, 64, 64, 96, 96, 128), (VIEW.size, VIEW.size), hidden=HIDDEN, dropout=0.3)
        self.shows = nn.Linear(HIDDEN, 1)
        self.rank = nn.Linear(HIDDEN, RANKS)

    def forward(self, views: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.body(even(views))
        return self.shows(seen), self.rank(seen)


def load(path: Path) -> VerifierNet:
    """The verifier saved at ``path``, ready to verify."""
    return restored(VerifierNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved verifier to ONNX with a free number of views; returns ``target``."""
    outputs = ["shows", "rank"]
    torch.onnx.export(
        load(checkpoint),
        (torch.zeros(2, 3, VIEW.size, VIEW.size),),
        str(target),
        input_names=["views"],
        output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ["views", *outputs]},
        opset_version=17,
        dynamo=False,
    )
    return target
