"""What the trainings of verifier and placer share: views drawn at random, varied, and the steps of a training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn.functional import affine_grid, grid_sample, interpolate

MOVED, SIZED, TURNED = 0.04, 0.06, 0.05
"""Views are moved by so much of half their width at most, sized by so much, and turned by so many radians."""
NOISE_SHARE, NOISE = 0.3, 0.03
BLURRED, MOST_BLURRED = 0.2, 2.5
"""So many views are blurred, as if taken from so many times as far off at most."""


def varied(views: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Views (n, 3, size, size) in 0..1 a little moved, sized, turned, lit otherwise, and some with noise."""
    count = len(views)
    turn, size = rng.uniform(-TURNED, TURNED, count), 1 + rng.uniform(-SIZED, SIZED, count)
    cos, sin, move = np.cos(turn) * size, np.sin(turn) * size, rng.uniform(-MOVED, MOVED, (2, count))
    onto = np.stack([cos, -sin, move[0], sin, cos, move[1]], 1).reshape(count, 2, 3)
    grid = affine_grid(torch.from_numpy(onto.astype(np.float32)), list(views.shape), align_corners=False)
    return relit(grid_sample(views, grid, padding_mode="border", align_corners=False), rng)


def relit(views: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Views (n, 3, height, width) in 0..1 lit otherwise, and some with noise."""
    count = len(views)
    gain = torch.from_numpy(rng.uniform(0.75, 1.3, (count, 3, 1, 1)).astype(np.float32))
    noise = NOISE * torch.from_numpy((rng.random((count, 1, 1, 1)) < NOISE_SHARE).astype(np.float32))
    return (views * gain + noise * torch.randn_like(views)).clamp(0, 1)


def blurred(views: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Views (n, 3, height, width), of which the share BLURRED is as if taken from further off; changed in place."""
    some = torch.from_numpy(np.flatnonzero(rng.random(len(views)) < BLURRED))
    if len(some):
        height, width = views.shape[2:]
        share = 1 / rng.uniform(1.2, MOST_BLURRED)
        small = interpolate(views[some], size=(round(height * share), round(width * share)), mode="area")
        views[some] = interpolate(small, size=(height, width), mode="bilinear", align_corners=False)
    return views


def at_random(sizes: Sequence[int], batch: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """So many places in parts of these ``sizes``, all alike likely: the part, and the place in it."""
    ends = np.cumsum(sizes)
    places = rng.integers(ends[-1], size=batch)
    of = np.searchsorted(ends, places, "right")
    return list(zip(of.tolist(), (places - np.concatenate([[0], ends])[of]).tolist(), strict=True))
