"""Outline refiner: corrects the predicted outline of one card, from a rectified window on it."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import conv_body, export_to_onnx, load_state, normalise_contrast
from vision.crops.card_window import WINDOW_SIZE
from vision.detect.detections import WINDOW_EMBEDDING


class OutlineRefinerNet(nn.Module):
    """Maps windows (n, 3, size, size) RGB in 0..1 to the shifts of the four corners (n, 8), the logit that the index is
    in the right-hand corner (n, 1), the logit that it is an index at all (n, 1), and the embedding (n,
    WINDOW_EMBEDDING)."""

    def __init__(self) -> None:
        super().__init__()
        size = (WINDOW_SIZE, WINDOW_SIZE)
        self.body = conv_body((24, 32, 64, 64, 96, 96, 128), size, hidden=WINDOW_EMBEDDING, dropout=0.05)
        self.shift = nn.Linear(WINDOW_EMBEDDING, 8)
        self.right = nn.Linear(WINDOW_EMBEDDING, 1)
        self.real = nn.Linear(WINDOW_EMBEDDING, 1)

    def forward(self, windows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        embedding = self.body(normalise_contrast(windows))
        return self.shift(embedding), self.right(embedding), self.real(embedding), embedding


def load(path: Path) -> OutlineRefinerNet:
    """Loads a checkpoint for inference."""
    return load_state(OutlineRefinerNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint to ONNX with a variable number of windows; returns ``target``."""
    example = (torch.zeros(2, 3, WINDOW_SIZE, WINDOW_SIZE),)
    return export_to_onnx(load(checkpoint), example, target, ["windows"], ["shift", "right", "real", "seen"])
