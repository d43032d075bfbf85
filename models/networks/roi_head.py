"""RoI head: says of a detection, from two crops, where its card lies, whether it is an index, and what it looks like.

Everything but the last linear layers knows no rank: the embedding is what a deck's head names, the standard deck's
here.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from models.networks.layers import conv_body, export_to_onnx, load_state, normalise_contrast
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.detect.detections import ROI_EMBEDDING
from vision.detect.vocabulary import STANDARD_VOCABULARY, Vocabulary
from vision.recognise.deck_head import DeckHead, Linear
from vision.recognise.roi_head import INPUTS, OUTPUTS

STATE = "roi_head.npz"
"""File name in a folder of weights of the whole network, from which it can be trained on."""
EMBEDDING = ROI_EMBEDDING
INDEX_CHANNELS, AROUND_CHANNELS = (24, 32, 64, 64, 128, 128, 160), (24, 32, 64, 64, 96, 96, 128)
INDEX_HIDDEN, AROUND_HIDDEN = 192, 128
"""Channels of the convolutions of each crop, and the size of the hidden layer after them."""


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
    """Maps index crops (n, 3, 112, 80) and wide crops (n, 3, 96, 96), RGB in 0..1, to the fields of
    ``RoiOutputs``, with ranks and suits of a ``vocabulary``."""

    def __init__(self, vocabulary: Vocabulary = STANDARD_VOCABULARY) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.index = conv_body(INDEX_CHANNELS, INDEX_SIZE, INDEX_HIDDEN, dropout=0.15)
        self.around = conv_body(AROUND_CHANNELS, AROUND_SIZE, AROUND_HIDDEN, dropout=0.05)
        self.embed = nn.Linear(INDEX_HIDDEN, EMBEDDING, bias=False)
        self.embed_norm = nn.BatchNorm1d(EMBEDDING)
        both = INDEX_HIDDEN + AROUND_HIDDEN
        self.shift, self.right, self.real = nn.Linear(both, 8), nn.Linear(both, 1), nn.Linear(both, 1)
        self.rank = nn.Linear(EMBEDDING, len(vocabulary.ranks))
        self.suit = nn.Linear(EMBEDDING, len(vocabulary.suits))

    def forward(self, index: torch.Tensor, around: torch.Tensor) -> tuple[torch.Tensor, ...]:
        near, far = self.index(normalise_contrast(index)), self.around(normalise_contrast(around))
        embedding, both = self.embed_norm(self.embed(near)), torch.cat([near, far], 1)
        placed = (self.shift(both), self.right(both), self.real(both))
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
    return export_to_onnx(Rankless(net).eval(), _example(), target, INPUTS, OUTPUTS)


def _example() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.zeros(2, 3, INDEX_SIZE[1], INDEX_SIZE[0]), torch.zeros(2, 3, AROUND_SIZE[1], AROUND_SIZE[0])


def deck_head(net: RoiHeadNet) -> DeckHead:
    """The last layers of a network, those that know a deck."""
    rank, suit = (Linear(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in (net.rank, net.suit))
    return DeckHead(net.vocabulary, rank, suit)
