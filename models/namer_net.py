"""The namer: a small convolutional network that names the corner patch of a card."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.namer_data import RANK_CLASSES
from scorer.faces import SUITS
from vision.patches import PATCH_HEIGHT, PATCH_WIDTH


def block(inward: int, outward: int, stride: int) -> nn.Sequential:
    """A 3 x 3 convolution, normed and rectified."""
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU(inplace=True)
    )


def even(pictures: torch.Tensor) -> torch.Tensor:
    """Pictures (n, 3, h, w) each brought to the same mean and contrast, so that a dim table looks like a bright one."""
    mean = pictures.mean((1, 2, 3), keepdim=True)
    spread = ((pictures - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
    return (pictures - mean) / (spread + 0.05)


class Namer(nn.Module):
    """Patches (n, 3, 96, 48) RGB in 0..1 to rank scores (n, 15) and suit scores (n, 4), both before softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 24, 2),
            block(24, 32, 1),
            block(32, 64, 2),
            block(64, 64, 1),
            block(64, 128, 2),
            block(128, 128, 1),
            block(128, 160, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(160 * (PATCH_HEIGHT // 16) * (PATCH_WIDTH // 16), 192),
            nn.ReLU(inplace=True),
        )
        self.rank = nn.Linear(192, len(RANK_CLASSES))
        self.suit = nn.Linear(192, len(SUITS))

    def forward(self, patches: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.body(even(patches))
        return self.rank(seen), self.suit(seen)


def load(path: Path) -> Namer:
    """The namer saved at ``path``, ready to name."""
    net = Namer()
    state = torch.load(path, map_location="cpu", weights_only=True)
    net.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in state.items()})
    return net.eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved namer to ONNX with a free number of patches; returns ``target``."""
    net = load(checkpoint)
    example = torch.zeros(2, 3, PATCH_HEIGHT, PATCH_WIDTH)
    torch.onnx.export(
        net,
        (example,),
        str(target),
        input_names=["patches"],
        output_names=["rank", "suit"],
        dynamic_axes={"patches": {0: "n"}, "rank": {0: "n"}, "suit": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    return target
