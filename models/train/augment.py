"""Augmentation of crops, and sampling from parts stored on disk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn.functional import affine_grid, grid_sample, interpolate

MAX_MOVE, MAX_RESIZE, MAX_TURN = 0.04, 0.06, 0.05
"""Largest translation (of half the width), change of size and rotation (radians)."""
NOISE_SHARE, NOISE = 0.3, 0.03
BLUR_SHARE, MAX_BLUR = 0.2, 2.5
"""Share of blurred pictures, and the largest factor by which they are downsampled."""


def augment(pictures: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Moves, resizes and rotates pictures (n, 3, size, size) in 0..1 a little, and varies light and noise."""
    count = len(pictures)
    turn, size = rng.uniform(-MAX_TURN, MAX_TURN, count), 1 + rng.uniform(-MAX_RESIZE, MAX_RESIZE, count)
    cos, sin, move = np.cos(turn) * size, np.sin(turn) * size, rng.uniform(-MAX_MOVE, MAX_MOVE, (2, count))
    matrices = np.stack([cos, -sin, move[0], sin, cos, move[1]], 1).reshape(count, 2, 3)
    grid = affine_grid(torch.from_numpy(matrices.astype(np.float32)), list(pictures.shape), align_corners=False)
    return vary_light(grid_sample(pictures, grid, padding_mode="border", align_corners=False), rng)


def vary_light(
    pictures: torch.Tensor, rng: np.random.Generator, noise_from: torch.Generator | None = None
) -> torch.Tensor:
    """Varies the colour gains of pictures (n, 3, height, width) in 0..1, and adds noise to some.

    ``noise_from`` is the source of the noise, on the device of the pictures; None: the global one.
    """
    count = len(pictures)
    gain = torch.from_numpy(rng.uniform(0.75, 1.3, (count, 3, 1, 1)).astype(np.float32))
    noisy = torch.from_numpy(np.flatnonzero(rng.random(count) < NOISE_SHARE)).to(pictures.device)
    varied = pictures * gain.to(pictures.device)
    noise = torch.randn((len(noisy), *pictures.shape[1:]), generator=noise_from, device=pictures.device)
    return varied.index_add_(0, noisy, noise, alpha=NOISE).clamp_(0, 1)


def blur_some(pictures: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Blurs the share BLUR_SHARE of pictures (n, 3, height, width) in place, as if taken from further away."""
    chosen = torch.from_numpy(np.flatnonzero(rng.random(len(pictures)) < BLUR_SHARE))
    if len(chosen):
        height, width = pictures.shape[2:]
        scale = 1 / rng.uniform(1.2, MAX_BLUR)
        small = interpolate(pictures[chosen], size=(round(height * scale), round(width * scale)), mode="area")
        pictures[chosen] = interpolate(small, size=(height, width), mode="bilinear", align_corners=False)
    return pictures


def random_positions(sizes: Sequence[int], count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Samples ``count`` positions uniformly from parts of these ``sizes``: part, and position in it."""
    ends = np.cumsum(sizes)
    positions = rng.integers(ends[-1], size=count)
    parts = np.searchsorted(ends, positions, "right")
    return list(zip(parts.tolist(), (positions - np.concatenate([[0], ends])[parts]).tolist(), strict=True))
