"""Crop verifier: tells from a crop round a detection whether it shows a readable index, and its rank."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import conv_body, export_to_onnx, load_state, normalise_contrast
from vision.detect.detections import RANK_COUNT
from vision.rescore.crop_verifier import VIEW

HIDDEN = 128


class CropVerifierNet(nn.Module):
    """Maps crops (n, 3, size, size) RGB in 0..1 to the logit that a readable index is at the centre, (n, 1), and the
    logits of its rank, (n, RANK_COUNT)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = conv_body((24, 32, 64, 64, 96, 96, 128), (VIEW.size, VIEW.size), hidden=HIDDEN, dropout=0.3)
        self.shows = nn.Linear(HIDDEN, 1)
        self.rank = nn.Linear(HIDDEN, RANK_COUNT)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        embedding = self.body(normalise_contrast(crops))
        return self.shows(embedding), self.rank(embedding)


def load(path: Path) -> CropVerifierNet:
    """Loads a checkpoint for inference."""
    return load_state(CropVerifierNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint to ONNX with a variable number of crops; returns ``target``."""
    example = (torch.zeros(2, 3, VIEW.size, VIEW.size),)
    return export_to_onnx(load(checkpoint), example, target, ["views"], ["shows", "rank"])
