"""RoI head: says of a detection, from two crops, where its card lies, whether it is an index, and what it looks like.

Everything but the last linear layers knows no rank: the embedding is what a deck's head names, the standard deck's
here.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from models.networks.layers import conv_features, export_to_onnx, load_state, normalise_contrast
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.detect.detections import ROI_EMBEDDING
from vision.detect.vocabulary import STANDARD_VOCABULARY, Vocabulary
from vision.recognise.deck_head import DeckHead, Linear
from vision.recognise.roi_head import INPUTS, OUTPUTS

EMBEDDING, GEOMETRY = ROI_EMBEDDING, 128
"""Size of the embedding, and of the hidden layer from which geometry and p_index are read."""
INDEX_CHANNELS, AROUND_CHANNELS = (16, 24, 48, 48, 96, 96, 128), (16, 24, 32, 40, 64, 64, 96)
INDEX_NARROW, AROUND_NARROW = 40, 24
"""Channels of the convolutions of each crop, and to which the last ones are reduced before the linear layers."""


class RoiOutputs(NamedTuple):
    """Outputs for n detections: shifts of the corners (n, 8), logits of the right-hand corner and of being an index
    (n, 1), embedding (n, EMBEDDING), and logits of rank (n, R) and suit (n, S)."""

    shifts: torch.Tensor
    right: torch.Tensor
    real: torch.Tensor
    embedding: torch.Tensor
    rank: torch.Tensor
    suit: torch.Tensor


class RoiHeadNet(nn.Module):
    """Maps index crops (n, 3, 96, 72) and wide crops (n, 3, 112, 112), RGB in 0..1, to the fields of
    ``RoiOutputs``, with ranks and suits of a ``vocabulary``."""

    def __init__(self, vocabulary: Vocabulary = STANDARD_VOCABULARY) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.index, index_size = conv_features(INDEX_CHANNELS, INDEX_SIZE, INDEX_NARROW)
        self.around, around_size = conv_features(AROUND_CHANNELS, AROUND_SIZE, AROUND_NARROW)
        both = index_size + around_size
        self.embed = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(index_size, 192), nn.ReLU(True), nn.Linear(192, EMBEDDING, bias=False)
        )
        self.embed_norm = nn.BatchNorm1d(EMBEDDING)
        self.geometry = nn.Sequential(nn.Dropout(0.05), nn.Linear(both, GEOMETRY), nn.ReLU(True))
        self.shift = nn.Linear(GEOMETRY, 8)
        self.right, self.real = nn.Linear(GEOMETRY, 1), nn.Linear(GEOMETRY, 1)
        self.rank = nn.Linear(EMBEDDING, len(vocabulary.ranks))
        self.suit = nn.Linear(EMBEDDING, len(vocabulary.suits))

    def forward(self, index: torch.Tensor, around: torch.Tensor) -> tuple[torch.Tensor, ...]:
        near, far = self.index(normalise_contrast(index)), self.around(normalise_contrast(around))
        embedding = self.embed_norm(self.embed(near))
        hidden = self.geometry(torch.cat([near, far], 1))
        placed = (self.shift(hidden), self.right(hidden), self.real(hidden))
        return (*placed, embedding, self.rank(embedding), self.suit(embedding))


class Rankless(nn.Module):
    """A network without its last layers, which are a deck's."""

    def __init__(self, net: RoiHeadNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, index: torch.Tensor, around: torch.Tensor) -> tuple[torch.Tensor, ...]:
        outputs: tuple[torch.Tensor, ...] = self.net(index, around)
        return outputs[: len(OUTPUTS)]


def load(path: Path) -> RoiHeadNet:
    """Loads a checkpoint of the standard deck for inference."""
    return load_state(RoiHeadNet(), path).eval()


def export_onnx(net: RoiHeadNet, target: Path) -> Path:
    """Exports a network to ONNX with a variable number of detections; returns ``target``."""
    example = (torch.zeros(2, 3, INDEX_SIZE[1], INDEX_SIZE[0]), torch.zeros(2, 3, AROUND_SIZE[1], AROUND_SIZE[0]))
    return export_to_onnx(Rankless(net).eval(), example, target, INPUTS, OUTPUTS)


def deck_head(net: RoiHeadNet) -> DeckHead:
    """The last layers of a network, those that know a deck."""
    rank, suit = (Linear(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in (net.rank, net.suit))
    return DeckHead(net.vocabulary, rank, suit)
