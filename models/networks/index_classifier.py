"""The namer: a small convolutional network that names the corner patch of a card."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import body, even, restored
from models.samples.index_classifier import RANK_CLASSES
from scorer.faces import SUITS
from vision.crops.index_patch import PATCH_HEIGHT, PATCH_WIDTH
from vision.recognise.index_classifier import EMBEDDING_SIZE


class Namer(nn.Module):
    """Patches (n, 3, height, width) RGB in 0..1 to rank scores (n, 15) and suit scores (n, 4), both before softmax, and
    to where the card's corner lies, (n, 2) SHIFT_UNITs along and down from the patch's own; last, what was seen, (n,
    EMBEDDING_SIZE)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = body(
            (24, 32, 64, 64, 128, 128, 160), (PATCH_WIDTH, PATCH_HEIGHT), hidden=EMBEDDING_SIZE, dropout=0.2
        )
        self.rank = nn.Linear(EMBEDDING_SIZE, len(RANK_CLASSES))
        self.suit = nn.Linear(EMBEDDING_SIZE, len(SUITS))
        self.shift = nn.Linear(EMBEDDING_SIZE, 2)

    def forward(self, patches: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        seen = self.body(even(patches))
        return self.rank(seen), self.suit(seen), self.shift(seen), seen


def load(path: Path) -> Namer:
    """The namer saved at ``path``, ready to name."""
    return restored(Namer(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved namer to ONNX with a free number of patches; returns ``target``."""
    net = load(checkpoint)
    outputs = ["rank", "suit", "shift", "seen"]
    example = torch.zeros(2, 3, PATCH_HEIGHT, PATCH_WIDTH)
    torch.onnx.export(
        net,
        (example,),
        str(target),
        input_names=["patches"],
        output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ["patches", *outputs]},
        opset_version=17,
        dynamo=False,
    )
    return target
