"""Table surfaces: wood, felt, cloth, carpet, stone and plain colours."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, floats


def noise(rng: np.random.Generator, height: int, width: int, cells: tuple[int, int]) -> Floats:
    """Returns smooth noise (height, width) of mean 0 and deviation about 1, with ``cells`` (rows, columns) of bumps."""
    small = rng.normal(0, 1, (max(cells[0], 2), max(cells[1], 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _colour(rng: np.random.Generator) -> Floats:
    """Samples a surface colour, BGR; browns, greens, greys and white are more likely."""
    pick = rng.random()
    if pick < 0.3:
        base = floats([60, 100, 150]) * rng.uniform(0.4, 1.5)
    elif pick < 0.45:
        base = floats([50, 110, 40]) * rng.uniform(0.5, 1.4)
    elif pick < 0.75:
        base = floats([1, 1, 1]) * rng.uniform(20, 235) + rng.normal(0, 6, 3).astype(np.float32)
    else:
        base = rng.uniform(20, 230, 3).astype(np.float32)
    return np.asarray(base, np.float32)


def _wood(rng: np.random.Generator, height: int, width: int) -> Floats:
    grain = noise(rng, height, width, (int(rng.integers(40, 200)), int(rng.integers(2, 7))))
    rings = np.sin(noise(rng, height, width, (int(rng.integers(3, 9)), 3)) * rng.uniform(3, 9))
    field = grain * rng.uniform(4, 16) + rings * rng.uniform(2, 14)
    if rng.random() < 0.5:  # planks
        step = int(rng.integers(60, 240))
        offset = np.repeat(rng.normal(0, 14, height // step + 1), step)[:height]
        field = field + offset[:, None].astype(np.float32)
        field[::step] -= 40
    return np.asarray(np.rot90(field) if rng.random() < 0.5 and height == width else field, np.float32)


def _checks(rng: np.random.Generator, picture: Floats) -> None:
    height, width = picture.shape[:2]
    step = int(rng.integers(14, 90))
    other = _colour(rng)
    down = (np.arange(height) // step) % 2
    across = (np.arange(width) // step) % 2
    share = (down[:, None] + across[None, :]).astype(np.float32)[..., None] * rng.uniform(0.2, 0.5)
    picture[:] = picture * (1 - share) + other * share


def _flowers(rng: np.random.Generator, picture: Floats) -> None:
    height, width = picture.shape[:2]
    colours = [tuple(float(v) for v in _colour(rng)) for _ in range(3)]
    size = int(rng.integers(6, 40))
    for _ in range(int(height * width / (size * size * rng.uniform(12, 40)))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        for petal in range(5):
            a = petal * 2 * np.pi / 5
            spot = (round(x + size * 0.5 * np.cos(a)), round(y + size * 0.5 * np.sin(a)))
            cv2.circle(picture, spot, max(size // 3, 1), colours[x % 3], -1)
        cv2.circle(picture, (x, y), max(size // 4, 1), colours[(x + 1) % 3], -1)


def _lines(rng: np.random.Generator, picture: Floats) -> None:
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(3, 40))):
        ends = rng.integers(0, max(height, width), 4)
        colour = tuple(float(v) for v in _colour(rng))
        cv2.line(picture, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])), colour, int(rng.integers(1, 12)))


def _shapes(rng: np.random.Generator, picture: Floats) -> None:
    """Draws large plain areas: a table mat, the table's edge and the floor beyond it."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        colour = tuple(float(v) for v in _colour(rng))
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        size = (int(rng.uniform(0.1, 0.5) * width), int(rng.uniform(0.1, 0.5) * height))
        if rng.random() < 0.5:
            cv2.ellipse(picture, centre, size, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((centre, (size[0] * 2.0, size[1] * 2.0), float(rng.uniform(0, 180))))
            cv2.fillPoly(picture, [box.astype(np.int32)], colour, cv2.LINE_AA)


def draw_background(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Draws an empty table, (height, width, 3) BGR."""
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = _colour(rng)
    pick = rng.random()
    if pick < 0.25:
        picture += _wood(rng, height, width)[..., None] * floats([0.7, 0.9, 1.0])
    elif pick < 0.37:
        _checks(rng, picture)
    elif pick < 0.45:
        _flowers(rng, picture)
    elif pick < 0.5:
        _lines(rng, picture)
    elif pick < 0.65:  # carpet, granite, knitted blankets
        fine = int(rng.integers(40, 300))
        picture += noise(rng, height, width, (fine, fine))[..., None] * rng.uniform(5, 35)
    if rng.random() < 0.25:
        _shapes(rng, picture)
    picture += noise(rng, height, width, (5, 5))[..., None] * rng.uniform(0, 10)
    if rng.random() < 0.5:
        picture += rng.standard_normal((height, width), np.float32)[..., None] * rng.uniform(1, 9)
    return np.clip(picture, 0, 255).astype(np.uint8)
