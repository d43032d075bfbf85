"""Relations: a graph attention network over all detections of a picture that is told no rank."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.networks.layers import export_to_onnx, load_state
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import EDGE_FEATURES, INPUT_NAMES, NODE_FEATURES, OUTPUT_NAMES

WIDTH, EDGE_WIDTH, HEADS, LAYERS, HEAD_WIDTH = 96, 48, 4, 3, 64
MASKED, DROPOUT = -1e4, 0.1


class Layer(nn.Module):
    """Each detection attends to its neighbours, combines the weighted mean and the maximum of their messages, and
    passes the sum through a small MLP; both steps are residual."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.own, self.other = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.between = nn.Linear(EDGE_WIDTH, WIDTH)
        self.attention, self.value = nn.Linear(WIDTH, HEADS), nn.Linear(WIDTH, WIDTH)
        self.combine = nn.Linear(2 * WIDTH, WIDTH)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(2 * WIDTH, WIDTH)
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


class RelationsNet(nn.Module):
    """Maps the inputs of ``vision.rescore.relations.relation_inputs`` of n detections to logits: whether to keep each,
    (n,), and whether it shows the same index as each neighbour, (n, NEIGHBOURS); and to the weights with which its own
    name, (n,), and those of its neighbours, (n, NEIGHBOURS), count."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(NODE_FEATURES))
        self.register_buffer("spread", torch.ones(NODE_FEATURES))
        self.node = nn.Sequential(nn.Linear(NODE_FEATURES, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))
        self.edge = nn.Sequential(
            nn.Linear(EDGE_FEATURES, EDGE_WIDTH), nn.GELU(), nn.Linear(EDGE_WIDTH, EDGE_WIDTH), nn.GELU()
        )
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.each = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, HEAD_WIDTH), nn.GELU(), nn.Linear(HEAD_WIDTH, 2)
        )
        self.own, self.other = nn.Linear(WIDTH, HEAD_WIDTH), nn.Linear(WIDTH, HEAD_WIDTH)
        self.between = nn.Linear(EDGE_WIDTH, HEAD_WIDTH)
        self.pair = nn.Sequential(nn.GELU(), nn.Linear(HEAD_WIDTH, 2))

    def forward(
        self, told: torch.Tensor, neighbours: torch.Tensor, exists: torch.Tensor, between: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        nodes, edges = self.node((told - self.mean) / self.spread), self.edge(between)
        for layer in self.layers:
            nodes = layer(nodes, neighbours, exists, edges)
        keep, trust = self.each(nodes).unbind(1)
        pairs = self.own(nodes)[:, None] + self.other(nodes)[neighbours] + self.between(edges)
        same, share = self.pair(pairs).unbind(2)
        return keep, same, 1 + trust, 0.2 * share


def load(path: Path) -> RelationsNet:
    """Loads a checkpoint for inference."""
    return load_state(RelationsNet(), path).eval()


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint to ONNX with a variable number of detections; returns ``target``."""
    example = (
        torch.zeros(3, NODE_FEATURES),
        torch.zeros(3, NEIGHBOURS, dtype=torch.int64),
        torch.ones(3, NEIGHBOURS, dtype=torch.bool),
        torch.zeros(3, NEIGHBOURS, EDGE_FEATURES),
    )
    return export_to_onnx(load(checkpoint), example, target, INPUT_NAMES, OUTPUT_NAMES)
