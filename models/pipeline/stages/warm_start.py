"""Stage that makes a RoI head of an outline refiner and an index classifier: it says what both said, and is trained on
from there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.networks.index_classifier import IndexClassifierNet
from models.networks.index_classifier import load as load_classifier
from models.networks.layers import STRIDE, normalise_contrast
from models.networks.outline_refiner import OutlineRefinerNet
from models.networks.outline_refiner import load as load_refiner
from models.networks.roi_head import EMBEDDING, INDEX_CHANNELS, INDEX_HIDDEN, RoiHeadNet
from models.pipeline.run_folder import Run
from models.pipeline.stages.roi_head import RESULT, blocks_of
from models.samples.index_classifier import RANK_CLASSES
from models.samples.roi_head import Samples
from models.train.roi_head import as_tensors
from scorer.faces import SUITS
from vision.crops.index_patch import PATCH_HEIGHT, PATCH_WIDTH
from vision.crops.roi_crops import INDEX_SIZE

HIDDEN = -2
"""Place of the linear layer in ``models.networks.layers.conv_body``."""
CELLS = (INDEX_SIZE[1] // STRIDE, INDEX_SIZE[0] // STRIDE)
PATCH_CELLS = (PATCH_HEIGHT // STRIDE, PATCH_WIDTH // STRIDE)
"""Rows and columns of the last convolution of the index crop, and of the index classifier's patch. The patch begins at
the card's corner, the index crop about a cell before it, in both directions."""


def _moved(weight: torch.Tensor) -> torch.Tensor:
    """Weights (hidden, channels * cells) on the patch as weights on the index crop, where it lies a cell further right
    and down."""
    cells = weight.reshape(len(weight), INDEX_CHANNELS[-1], *PATCH_CELLS)
    moved = torch.zeros(*cells.shape[:2], *CELLS)
    moved[:, :, 1:, 1:] = cells[:, :, : CELLS[0] - 1, : CELLS[1] - 1]
    return moved.flatten(1)


def _directions(names: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
    """Rows (EMBEDDING, hidden), orthonormal: the span of ``names`` (outputs, hidden), then where ``seen`` (n, hidden)
    varies most beside it."""
    span = torch.linalg.qr(names.T)[0]
    rest = (seen - seen.mean(0)) @ (torch.eye(seen.shape[1]) - span @ span.T)
    most = torch.linalg.svd(rest, full_matrices=False)[2][: EMBEDDING - span.shape[1]]
    return torch.cat([span.T, most])


@torch.no_grad()
def warm_start(classifier: IndexClassifierNet, refiner: OutlineRefinerNet, samples: Samples) -> RoiHeadNet:
    """A RoI head with the convolutions and outputs of both networks.

    ``samples`` give the mean and deviation of each number of the embedding. Shifts, side and p_index are the
    refiner's; the names are the classifier's, and the embedding keeps what they are made of.
    """
    net = RoiHeadNet().eval()
    index = dict(classifier.body.state_dict())
    last = f"{len(classifier.body) + HIDDEN}.weight"
    net.index.load_state_dict({**index, last: _moved(index[last])})
    net.around.load_state_dict(refiner.body.state_dict())
    for own, other in ((net.shift, refiner.shift), (net.right, refiner.right), (net.real, refiner.real)):
        own.weight[:, :INDEX_HIDDEN] = 0
        own.weight[:, INDEX_HIDDEN:], own.bias[:] = other.weight, other.bias
    ranks = [RANK_CLASSES.index(rank) for rank in net.vocabulary.ranks]
    suits = [SUITS.index(suit) for suit in net.vocabulary.suits]
    near = net.index(normalise_contrast(as_tensors(samples, torch.device("cpu"))["index"]))
    names = torch.cat([classifier.rank.weight[ranks], classifier.suit.weight[suits]])
    net.embed.weight[:] = _directions(names, near)
    flat = near @ net.embed.weight.T
    net.embed_norm.running_mean, net.embed_norm.running_var = flat.mean(0), flat.var(0)
    spread = (flat.var(0) + net.embed_norm.eps).sqrt()
    for layer, old, kept in ((net.rank, classifier.rank, ranks), (net.suit, classifier.suit, suits)):
        _name_as(layer, old.weight[kept] @ net.embed.weight.T, old.bias[kept], flat.mean(0), spread)
    return net


def _name_as(
    layer: nn.Linear, weight: torch.Tensor, bias: torch.Tensor, mean: torch.Tensor, spread: torch.Tensor
) -> None:
    """Has a ``layer`` on normalised numbers say what ``weight`` and ``bias`` say of the numbers themselves."""
    layer.weight[:], layer.bias[:] = weight * spread, bias + weight @ mean


def start(run: Run) -> list[Path]:
    """Makes the network from the parents: detector, index classifier, outline refiner.

    Settings: ``count`` of blocks for the statistics, ``world``, ``blocks``.
    """
    classifier, refiner = load_classifier(run.parent_file(1)), load_refiner(run.parent_file(2))
    draw = blocks_of(run, "training", run.parent_file())()
    drawn = np.concatenate([np.asarray(draw(number)) for number in range(int(run.spec.settings["count"]))])
    result = run.folder / RESULT
    torch.save(warm_start(classifier, refiner, drawn[drawn["rank"] >= 0]).state_dict(), result)
    return [result]
