"""Relation model: a graph attention network over all detections of a picture."""

from __future__ import annotations

import re
from pathlib import Path

import torch
from torch import nn

from models.networks.layers import State, export_to_onnx, load_state
from vision.detect.detections import PATCH_EMBEDDING, RANK_COUNT, WINDOW_EMBEDDING
from vision.rescore.features import FIRST_RANK_FEATURE, LOG_PROBABILITY_SCALE, NODE_FEATURES
from vision.rescore.pair_features import EDGE_FEATURES, NEIGHBOURS
from vision.rescore.relation_model import INPUT_NAMES, OUTPUT_NAMES

WIDTH, EDGE_WIDTH, HEADS, LAYERS, HEAD_WIDTH = 96, 48, 4, 3, 64
PATCH_WIDTH, WINDOW_WIDTH = 48, 32
"""Sizes to which the embeddings of index classifier and outline refiner are reduced."""
MASKED = -1e4
RENAMED = {"find": "node", "kept": "keep", "heed": "attention", "word": "value", "heard": "combine", "think": "mlp"}
"""Names of the network's and its layers' parts in old checkpoints, and today's."""


class Layer(nn.Module):
    """Each detection attends to its neighbours, combines the weighted mean and the maximum of their messages, and
    passes the sum through a small MLP; both steps are residual."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.own, self.other = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.between = nn.Linear(EDGE_WIDTH, WIDTH)
        self.attention, self.value = nn.Linear(WIDTH, HEADS), nn.Linear(WIDTH, WIDTH)
        self.combine = nn.Linear(2 * WIDTH, WIDTH)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * WIDTH, WIDTH)
        )

    def forward(
        self, nodes: torch.Tensor, neighbours: torch.Tensor, exists: torch.Tensor, edges: torch.Tensor
    ) -> torch.Tensor:
        normed, mask = self.before(nodes), exists[..., None]
        messages = torch.relu(self.own(normed)[:, None] + self.other(normed)[neighbours] + self.between(edges))
        attention = self.attention(messages).masked_fill(~mask, MASKED).softmax(1) * mask
        values = self.value(messages).unflatten(2, (HEADS, WIDTH // HEADS))
        mean = (attention[..., None] * values).sum(1).flatten(1)
        maximum = messages.masked_fill(~mask, 0).amax(1)
        nodes = nodes + self.combine(torch.cat([mean, maximum], 1))
        result: torch.Tensor = nodes + self.mlp(self.after(nodes))
        return result


class RelationNet(nn.Module):
    """Maps the features of n detections (see ``vision.rescore.relation_model.model_inputs``) to logits: whether to keep
    each, (n,); its ranks, (n, RANK_COUNT); whether it shows the same index as each neighbour, (n, NEIGHBOURS)."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, dropout: float = 0.1, embedding_dropout: float = 0.3) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(NODE_FEATURES))
        self.register_buffer("spread", torch.ones(NODE_FEATURES))
        self.embedding_dropout = nn.Dropout(embedding_dropout)
        self.patch = nn.Linear(PATCH_EMBEDDING, PATCH_WIDTH)
        self.window = nn.Linear(WINDOW_EMBEDDING, WINDOW_WIDTH)
        self.node = nn.Sequential(
            nn.Linear(NODE_FEATURES + PATCH_WIDTH + WINDOW_WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH)
        )
        self.edge = nn.Sequential(
            nn.Linear(EDGE_FEATURES, EDGE_WIDTH), nn.GELU(), nn.Linear(EDGE_WIDTH, EDGE_WIDTH), nn.GELU()
        )
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.keep, self.rank = (
            nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, HEAD_WIDTH), nn.GELU(), nn.Linear(HEAD_WIDTH, outputs))
            for outputs in (1, RANK_COUNT)
        )
        self.own, self.other = nn.Linear(WIDTH, HEAD_WIDTH), nn.Linear(WIDTH, HEAD_WIDTH)
        self.between = nn.Linear(EDGE_WIDTH, HEAD_WIDTH)
        self.same = nn.Sequential(nn.GELU(), nn.Linear(HEAD_WIDTH, 1))

    def forward(
        self,
        features: torch.Tensor,
        patches: torch.Tensor,
        windows: torch.Tensor,
        neighbours: torch.Tensor,
        exists: torch.Tensor,
        edge_features: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        reduced = [
            torch.relu(reduce(self.embedding_dropout(torch.log1p(embedding))))
            for reduce, embedding in ((self.patch, patches), (self.window, windows))
        ]
        nodes = self.node(torch.cat([(features - self.mean) / self.spread, *reduced], 1))
        edges = self.edge(edge_features)
        for layer in self.layers:
            nodes = layer(nodes, neighbours, exists, edges)
        pairs = self.own(nodes)[:, None] + self.other(nodes)[neighbours] + self.between(edges)
        given_ranks = features[:, FIRST_RANK_FEATURE : FIRST_RANK_FEATURE + RANK_COUNT] * LOG_PROBABILITY_SCALE
        ranks = given_ranks + self.rank(nodes)
        return self.keep(nodes)[:, 0], ranks, self.same(pairs)[..., 0]


def current_names(state: State) -> State:
    """Translates a state dict of an old checkpoint to today's names (see RENAMED)."""
    parts = "|".join(RENAMED)
    return {
        re.sub(rf"^((?:layers\.\d+\.)?)({parts})\.", lambda match: f"{match[1]}{RENAMED[match[2]]}.", key): value
        for key, value in state.items()
    }


def load_weights(net: RelationNet, path: Path) -> RelationNet:
    """Loads a checkpoint, old or new, into ``net``; returns ``net``."""
    return load_state(net, path, current_names)


def load(path: Path) -> RelationNet:
    """Loads a checkpoint for inference."""
    return load_weights(RelationNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint to ONNX with a variable number of detections; returns ``target``."""
    count = 3
    example = (
        torch.zeros(count, NODE_FEATURES),
        torch.zeros(count, PATCH_EMBEDDING),
        torch.zeros(count, WINDOW_EMBEDDING),
        torch.zeros(count, NEIGHBOURS, dtype=torch.int64),
        torch.ones(count, NEIGHBOURS, dtype=torch.bool),
        torch.zeros(count, NEIGHBOURS, EDGE_FEATURES),
    )
    return export_to_onnx(load(checkpoint), example, target, INPUT_NAMES, OUTPUT_NAMES)
