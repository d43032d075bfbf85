"""The last layers of a RoI head for more ranks than it knows: fitted to its embeddings before all of it learns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from models.networks.layers import run_mixed
from models.networks.roi_head import RoiHeadNet, RoiOutputs
from models.samples.roi_head import Samples
from models.train.roi_head import as_tensors
from scorer.faces import Face
from vision.detect.vocabulary import NO_SUIT, STANDARD_VOCABULARY, Vocabulary

STEPS, RATE = 200, 0.02
"""Steps of the fit, and its learning rate."""
BATCH = 64


def household_vocabulary(faces: Sequence[Face]) -> Vocabulary:
    """The standard deck's ranks and suits, and after them those that only the household's ``faces`` have."""
    standard = STANDARD_VOCABULARY
    ranks = tuple(dict.fromkeys((*standard.ranks, *(face.rank for face in faces))))
    return Vocabulary(ranks, standard.suits or NO_SUIT, tuple(dict.fromkeys((*standard.faces, *faces))))


def widened(net: RoiHeadNet, vocabulary: Vocabulary) -> RoiHeadNet:
    """A copy of a network with the outputs of a larger vocabulary; those that it had keep their weights."""
    wide = RoiHeadNet(vocabulary)
    state = wide.state_dict()
    for name, value in net.state_dict().items():
        if state[name].shape == value.shape:
            state[name] = value.clone()
        else:  # a last layer: the outputs of the old vocabulary come first
            state[name] = torch.zeros_like(state[name])
            state[name][: len(value)] = value
    wide.load_state_dict(state)
    return wide


@torch.no_grad()
def _embeddings(net: RoiHeadNet, rows: Samples) -> torch.Tensor:
    parts = []
    for start in range(0, len(rows), BATCH):
        batch = as_tensors(rows[start : start + BATCH], torch.device("cpu"))
        parts.append(RoiOutputs(*run_mixed(net, batch["index"], batch["around"])).embedding)
    return torch.cat(parts)


def fit_heads(net: RoiHeadNet, blocks: Sequence[Samples]) -> None:
    """Fits the last layers of ``net`` alone to the samples of ``blocks`` that have a face."""
    net.eval()
    shown = [block["rank"] >= 0 for block in blocks]
    ranks, suits = (
        torch.cat([_classes(block[name][faces]) for block, faces in zip(blocks, shown, strict=True)])
        for name in ("rank", "suit")
    )
    embeddings = torch.cat([_embeddings(net, block[faces]) for block, faces in zip(blocks, shown, strict=True)])
    suits = suits.masked_fill(suits < 0, -100)
    layers = [*net.rank.parameters(), *net.suit.parameters()]
    optimizer = torch.optim.Adam(layers, lr=RATE)
    for _ in range(STEPS):
        loss = cross_entropy(net.rank(embeddings), ranks)
        loss = loss + cross_entropy(net.suit(embeddings), suits).nan_to_num()
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        optimizer.step()
    net.train()


def _classes(column: NDArray[np.int8]) -> torch.Tensor:
    return torch.from_numpy(column.astype(np.int64))
