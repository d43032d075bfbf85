"""The settler's network: a small convolutional network that sees how far an outline is off."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.namer_net import block, even
from vision.settler import WINDOW_SIZE

CELLS = -(-WINDOW_SIZE // 16)


class SettlerNet(nn.Module):
    """Windows (n, 3, size, size) RGB in 0..1 to corner shifts (n, 8), right hand (n, 1) and real (n, 1), the last two
    before the logistic function."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 24, 2),
            block(24, 32, 1),
            block(32, 64, 2),
            block(64, 64, 1),
            block(64, 96, 2),
            block(96, 96, 1),
            block(96, 128, 2),
            nn.Flatten(),
            nn.Dropout(0.05),
            nn.Linear(128 * CELLS * CELLS, 160),
            nn.ReLU(inplace=True),
        )
        self.shift = nn.Linear(160, 8)
        self.right = nn.Linear(160, 1)
        self.real = nn.Linear(160, 1)

    def forward(self, windows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        seen = self.body(even(windows))
        return self.shift(seen), self.right(seen), self.real(seen)


def load(path: Path) -> SettlerNet:
    """The settler saved at ``path``, ready to settle."""
    net = SettlerNet()
    state = torch.load(path, map_location="cpu", weights_only=True)
    net.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in state.items()})
    return net.eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved settler to ONNX with a free number of windows; returns ``target``."""
    outputs = ["shift", "right", "real"]
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
