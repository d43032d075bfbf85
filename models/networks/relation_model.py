"""The judge: a small network over all finds of a picture, each of which hears its neighbours."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import restored
from vision.recognise import index_classifier, outline_refiner
from vision.rescore import features
from vision.rescore.features import LOG_PROBABILITY_SCALE, RANKS, RANKS_FROM
from vision.rescore.pair_features import EDGE_FEATURES, NEIGHBOURS
from vision.rescore.relation_model import INPUT_NAMES

WIDE, EDGE, HEADS, LAYERS, LAST = 96, 48, 4, 3, 64
OF_PATCH, OF_WINDOW = 48, 32
"""So many numbers the judge makes of what the namer and the settler saw."""
NOT_HEARD = -1e4


class Layer(nn.Module):
    """Each find hears its neighbours, weighed by attention and the loudest of all, and thinks it over."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
        self.own, self.other, self.between = nn.Linear(WIDE, WIDE), nn.Linear(WIDE, WIDE), nn.Linear(EDGE, WIDE)
        self.heed, self.word = nn.Linear(WIDE, HEADS), nn.Linear(WIDE, WIDE)
        self.heard = nn.Linear(2 * WIDE, WIDE)
        self.think = nn.Sequential(nn.Linear(WIDE, 2 * WIDE), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * WIDE, WIDE))

    def forward(
        self, finds: torch.Tensor, places: torch.Tensor, there: torch.Tensor, between: torch.Tensor
    ) -> torch.Tensor:
        ready, heard = self.before(finds), there[..., None]
        said = torch.relu(self.own(ready)[:, None] + self.other(ready)[places] + self.between(between))
        heed = self.heed(said).masked_fill(~heard, NOT_HEARD).softmax(1) * heard
        words = self.word(said).unflatten(2, (HEADS, WIDE // HEADS))
        weighed = (heed[..., None] * words).sum(1).flatten(1)
        loudest = said.masked_fill(~heard, 0).amax(1)
        finds = finds + self.heard(torch.cat([weighed, loudest], 1))
        thought: torch.Tensor = finds + self.think(self.after(finds))
        return thought


class JudgeNet(nn.Module):
    """What is told of n finds (``vision.rescore.relation_model.model_inputs``) to whether each is to be kept (n,), its
    ranks (n, RANKS), and whether it shows the same index as each of its neighbours (n, NEIGHBOURS): before the logistic
    function or softmax."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, dropout: float = 0.1, blurred: float = 0.3) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features.NODE_FEATURES))
        self.register_buffer("spread", torch.ones(features.NODE_FEATURES))
        self.blurred = nn.Dropout(blurred)
        self.patch, self.window = (
            nn.Linear(index_classifier.EMBEDDING_SIZE, OF_PATCH),
            nn.Linear(outline_refiner.EMBEDDING_SIZE, OF_WINDOW),
        )
        self.find = nn.Sequential(
            nn.Linear(features.NODE_FEATURES + OF_PATCH + OF_WINDOW, WIDE), nn.GELU(), nn.Linear(WIDE, WIDE)
        )
        self.edge = nn.Sequential(nn.Linear(EDGE_FEATURES, EDGE), nn.GELU(), nn.Linear(EDGE, EDGE), nn.GELU())
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.kept, self.rank = (
            nn.Sequential(nn.LayerNorm(WIDE), nn.Linear(WIDE, LAST), nn.GELU(), nn.Linear(LAST, says))
            for says in (1, RANKS)
        )
        self.own, self.other, self.between = nn.Linear(WIDE, LAST), nn.Linear(WIDE, LAST), nn.Linear(EDGE, LAST)
        self.same = nn.Sequential(nn.GELU(), nn.Linear(LAST, 1))

    def forward(
        self,
        told: torch.Tensor,
        patches: torch.Tensor,
        windows: torch.Tensor,
        places: torch.Tensor,
        there: torch.Tensor,
        between: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        seen = [
            torch.relu(look(self.blurred(torch.log1p(numbers))))
            for look, numbers in ((self.patch, patches), (self.window, windows))
        ]
        finds = self.find(torch.cat([(told - self.mean) / self.spread, *seen], 1))
        edges = self.edge(between)
        for layer in self.layers:
            finds = layer(finds, places, there, edges)
        pairs = self.own(finds)[:, None] + self.other(finds)[places] + self.between(edges)
        ranks = told[:, RANKS_FROM : RANKS_FROM + RANKS] * LOG_PROBABILITY_SCALE + self.rank(finds)
        return self.kept(finds)[:, 0], ranks, self.same(pairs)[..., 0]


def load(path: Path) -> JudgeNet:
    """The judge saved at ``path``, ready to judge."""
    return restored(JudgeNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a saved judge to ONNX with a free number of finds; returns ``target``."""
    count = 3
    example = (
        torch.zeros(count, features.NODE_FEATURES),
        torch.zeros(count, index_classifier.EMBEDDING_SIZE),
        torch.zeros(count, outline_refiner.EMBEDDING_SIZE),
        torch.zeros(count, NEIGHBOURS, dtype=torch.int64),
        torch.ones(count, NEIGHBOURS, dtype=torch.bool),
        torch.zeros(count, NEIGHBOURS, EDGE_FEATURES),
    )
    outputs = ["kept", "rank", "same"]
    torch.onnx.export(
        load(checkpoint),
        example,
        str(target),
        input_names=list(INPUT_NAMES),
        output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in [*INPUT_NAMES, *outputs]},
        opset_version=17,
        dynamo=False,
    )
    return target
