"""Index classifier: reads rank and suit from the rectified patch of a card's corner."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import conv_body, export_to_onnx, load_state, normalise_contrast
from models.samples.index_classifier import RANK_CLASSES
from scorer.faces import SUITS
from vision.crops.index_patch import PATCH_HEIGHT, PATCH_WIDTH
from vision.detect.detections import PATCH_EMBEDDING


class IndexClassifierNet(nn.Module):
    """Maps patches (n, 3, height, width) RGB in 0..1 to rank logits (n, 15), suit logits (n, 4), the offset of the
    card's corner from the patch's, (n, 2) in SHIFT_UNITs along and down, and the embedding (n, PATCH_EMBEDDING)."""

    def __init__(self) -> None:
        super().__init__()
        size = (PATCH_WIDTH, PATCH_HEIGHT)
        self.body = conv_body((24, 32, 64, 64, 128, 128, 160), size, hidden=PATCH_EMBEDDING, dropout=0.2)
        self.rank = nn.Linear(PATCH_EMBEDDING, len(RANK_CLASSES))
        self.suit = nn.Linear(PATCH_EMBEDDING, len(SUITS))
        self.shift = nn.Linear(PATCH_EMBEDDING, 2)

    def forward(self, patches: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        embedding = self.body(normalise_contrast(patches))
        return self.rank(embedding), self.suit(embedding), self.shift(embedding), embedding


def load(path: Path) -> IndexClassifierNet:
    """Loads a checkpoint for inference."""
    return load_state(IndexClassifierNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint to ONNX with a variable number of patches; returns ``target``."""
    example = (torch.zeros(2, 3, PATCH_HEIGHT, PATCH_WIDTH),)
    return export_to_onnx(load(checkpoint), example, target, ["patches"], ["rank", "suit", "shift", "seen"])
