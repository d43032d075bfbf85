"""The persons and signs of decks without suits: Lord, Lady, Villain, Jester and Joker; hands, feet and other pips."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from datasets.arrays import Picture, floats
from datasets.decks.signs import Mask, star

Colour = tuple[int, int, int]
SIZE = 96
INK: Colour = (25, 20, 20)
PERSONS = ("LORD", "LADY", "VILLAIN", "JESTER", "JOKER")


def _mask() -> Mask:
    return np.zeros((SIZE, SIZE), np.uint8)


def _fill(target: Picture | Mask, points: Sequence[tuple[float, float]], colour: Colour | int) -> None:
    """Fills a polygon of points in 0..1 of the width and height of ``target``."""
    height, width = target.shape[:2]
    corners = np.round(floats(points) * floats([width, height]) * 16).astype(np.int32)
    cv2.fillPoly(target, [corners], colour, cv2.LINE_AA, 4)


def _disc(
    target: Picture | Mask, x: float, y: float, rx: float, ry: float, colour: Colour | int, turn: float = 0
) -> None:
    """Fills an ellipse; all lengths are shares of the width and the height of ``target``."""
    height, width = target.shape[:2]
    axes = (max(round(rx * width), 1), max(round(ry * height), 1))
    cv2.ellipse(target, (round(x * width), round(y * height)), axes, turn, 0, 360, colour, -1, cv2.LINE_AA)


def crown(rng: np.random.Generator) -> Mask:
    """Three to five points over a band."""
    mask, tips = _mask(), int(rng.integers(3, 6))
    across = np.linspace(0.04, 0.96, 2 * tips - 1)
    upper = np.where(np.arange(2 * tips - 1) % 2, rng.uniform(0.45, 0.6), 0.12)
    _fill(mask, [*zip(across.tolist(), upper.tolist(), strict=True), (0.9, 0.95), (0.1, 0.95)], 255)
    for x in across[::2]:
        _disc(mask, float(x), 0.1, 0.06, 0.06, 255)
    cv2.line(mask, (12, 76), (84, 76), 0, 4)
    return mask


def tiara(rng: np.random.Generator) -> Mask:
    """A bow that is highest in the middle, with a drop on it."""
    mask, thick = _mask(), round(rng.uniform(9, 15))
    cv2.ellipse(mask, (48, 92), (42, 50), 0, 180, 360, 255, thick, cv2.LINE_AA)
    _fill(mask, [(0.5, 0.02), (0.64, 0.34), (0.5, 0.5), (0.36, 0.34)], 255)
    for x in (0.2, 0.8):
        _disc(mask, x, 0.4, 0.08, 0.08, 255)
    return mask


def fan(rng: np.random.Generator) -> Mask:
    """A lady's fan: ribs from one point."""
    mask, ribs = _mask(), int(rng.integers(5, 9))
    cv2.ellipse(mask, (48, 84), (46, 74), 0, 200, 340, 255, -1, cv2.LINE_AA)
    for angle in np.linspace(205, 335, ribs):
        tip = (48 + 60 * np.cos(np.radians(angle)), 84 + 90 * np.sin(np.radians(angle)))
        cv2.line(mask, (48, 88), (round(float(tip[0])), round(float(tip[1]))), 0, 3, cv2.LINE_AA)
    cv2.circle(mask, (48, 88), 7, 255, -1, cv2.LINE_AA)
    return mask


def dagger(rng: np.random.Generator) -> Mask:
    """A blade with its point down."""
    mask, wide = _mask(), rng.uniform(0.1, 0.16)
    _fill(mask, [(0.5 - wide, 0.34), (0.5 + wide, 0.34), (0.5, 1.0)], 255)
    _fill(mask, [(0.14, 0.24), (0.86, 0.24), (0.86, 0.34), (0.14, 0.34)], 255)
    _fill(mask, [(0.43, 0.06), (0.57, 0.06), (0.57, 0.26), (0.43, 0.26)], 255)
    _disc(mask, 0.5, 0.07, 0.1, 0.07, 255)
    return mask


def moustache(rng: np.random.Generator) -> Mask:
    """Two curled ends under a hat's brim."""
    mask = _mask()
    _fill(mask, [(0.26, 0.08), (0.74, 0.08), (0.7, 0.42), (0.3, 0.42)], 255)
    _fill(mask, [(0.04, 0.42), (0.96, 0.42), (0.96, 0.54), (0.04, 0.54)], 255)
    for side in (-1, 1):
        _disc(mask, 0.5 + side * 0.19, 0.77, 0.22, 0.1, 255, side * float(rng.uniform(8, 24)))
    return mask


def cap(rng: np.random.Generator) -> Mask:
    """A jester's cap with three bells."""
    mask, droop = _mask(), rng.uniform(0.3, 0.5)
    for tip in ((0.08, droop), (0.5, 0.08), (0.92, droop)):
        _fill(mask, [(0.2, 0.78), (0.8, 0.78), tip], 255)
        _disc(mask, *tip, 0.08, 0.08, 255)
    _fill(mask, [(0.16, 0.84), (0.84, 0.84), (0.84, 0.97), (0.16, 0.97)], 255)
    return mask


def bell(rng: np.random.Generator) -> Mask:
    """A round bell with its slit."""
    mask = _mask()
    _disc(mask, 0.5, 0.55, 0.42, 0.42, 255)
    _disc(mask, 0.5, 0.1, 0.1, 0.1, 255)
    cv2.line(mask, (48, 56), (48, 96), 0, round(rng.uniform(5, 9)))
    cv2.circle(mask, (48, 56), round(rng.uniform(7, 11)), 0, -1, cv2.LINE_AA)
    return mask


def lozenges(rng: np.random.Generator) -> Mask:
    """The pattern of a harlequin's coat."""
    mask, rows = _mask(), int(rng.integers(2, 4))
    step = 1 / rows
    for row in range(rows):
        for column in range(rows):
            x, y = column * step, row * step
            corners = [(x + step / 2, y), (x + step, y + step / 2), (x + step / 2, y + step), (x, y + step / 2)]
            _fill(mask, corners, 255)
    return mask


def foot(rng: np.random.Generator) -> Mask:
    """The print of a bare foot."""
    mask = _mask()
    _disc(mask, 0.46, 0.78, 0.18, 0.2, 255)
    _disc(mask, 0.52, 0.48, 0.26, 0.22, 255)
    _fill(mask, [(0.32, 0.5), (0.62, 0.5), (0.6, 0.85), (0.3, 0.85)], 255)
    for n, x in enumerate((0.28, 0.43, 0.56, 0.67, 0.77)):
        size = 0.09 - 0.011 * n
        _disc(mask, x, 0.16 + 0.035 * n, size, size * 1.2, 255)
    return mask if rng.random() < 0.5 else np.ascontiguousarray(mask[:, ::-1])


def hand(rng: np.random.Generator) -> Mask:
    """An open hand."""
    mask = _mask()
    _disc(mask, 0.52, 0.7, 0.27, 0.28, 255)
    for x, top in ((0.32, 0.2), (0.46, 0.08), (0.6, 0.1), (0.74, 0.22)):
        cv2.line(mask, (round(x * 96), round(0.7 * 96)), (round(x * 96), round(top * 96)), 255, 10, cv2.LINE_AA)
    cv2.line(mask, (40, 78), (10, 52), 255, 12, cv2.LINE_AA)
    return mask if rng.random() < 0.5 else np.ascontiguousarray(mask[:, ::-1])


def leaf(rng: np.random.Generator) -> Mask:
    """A leaf with its rib."""
    mask = _mask()
    t = np.linspace(0, 1, 20)
    half = rng.uniform(0.28, 0.42) * np.sin(np.pi * t) ** 0.8
    right = [(0.5 + float(w), float(y)) for w, y in zip(half, t, strict=True)]
    left = [(0.5 - float(w), float(y)) for w, y in zip(half, t, strict=True)][::-1]
    _fill(mask, right + left, 255)
    cv2.line(mask, (48, 20), (48, 95), 0, 3)
    return mask


def _star(rng: np.random.Generator) -> Mask:
    return star(int(rng.integers(5, 9)), float(rng.uniform(0.35, 0.6)), SIZE)


Sign = Callable[[np.random.Generator], Mask]
SIGNS: dict[str, tuple[Sign, ...]] = {
    "LORD": (crown,),
    "LADY": (tiara, fan),
    "VILLAIN": (dagger, moustache),
    "JESTER": (cap,),
    "JOKER": (bell, lozenges, _star),
}
"""The signs that may stand for a person; one deck has one of them."""
PIPS: tuple[Sign, ...] = (foot, hand, leaf, _star, lozenges)


def draw_person(rng: np.random.Generator, canvas: Picture, kind: str, palette: Sequence[Colour]) -> None:
    """Draws one of PERSONS, head and shoulders, over the whole of ``canvas``, (height, width, 3) BGR."""
    robe, trim, hat = (palette[int(n)] for n in rng.permutation(len(palette))[:3])
    skin = tuple(int(v) for v in floats([150, 180, 225]) * rng.uniform(0.4, 1.1))
    skin = (min(skin[0], 255), min(skin[1], 255), min(skin[2], 255))
    hair = (int(rng.integers(10, 90)), int(rng.integers(20, 130)), int(rng.integers(30, 200)))
    neck, head = rng.uniform(0.6, 0.68), rng.uniform(0.38, 0.44)
    if kind == "LADY":
        _disc(canvas, 0.5, head + 0.08, 0.3, 0.27, hair)
    _fill(
        canvas, [(0.05, 1.0), (0.22, neck + 0.08), (0.42, neck), (0.58, neck), (0.78, neck + 0.08), (0.95, 1.0)], robe
    )
    _fill(canvas, [(0.36, neck), (0.64, neck), (0.5, 0.98)], trim)
    if kind in ("JESTER", "JOKER"):
        for n in range(5):
            x = 0.14 + 0.18 * n
            _fill(canvas, [(x - 0.09, neck + 0.08), (x + 0.09, neck + 0.08), (x, neck + 0.26)], (robe, trim)[n % 2])
            _disc(canvas, x, neck + 0.27, 0.03, 0.02, hat)
    _disc(canvas, 0.5, head, 0.2, 0.2, INK)
    _disc(canvas, 0.5, head, 0.19, 0.19, skin)
    if kind == "LORD":
        _fill(canvas, [(0.31, head + 0.05), (0.69, head + 0.05), (0.6, head + 0.27), (0.4, head + 0.27)], hair)
        _disc(canvas, 0.5, head + 0.08, 0.09, 0.04, skin)
    if kind == "VILLAIN":
        _fill(canvas, [(0.28, head - 0.07), (0.72, head - 0.07), (0.68, head + 0.03), (0.32, head + 0.03)], INK)
        for side in (-1, 1):
            _disc(canvas, 0.5 + side * 0.09, head + 0.1, 0.1, 0.025, INK, side * 18)
    for side in (-1, 1):
        _disc(canvas, 0.5 + side * 0.08, head - 0.02, 0.03, 0.018, (245, 245, 245) if kind == "VILLAIN" else INK)
    if kind == "LADY":
        for side in (-1, 1):
            _disc(canvas, 0.5 + side * 0.2, head + 0.12, 0.03, 0.03, hat)
    wide = {"JOKER": 0.13, "JESTER": 0.09}.get(kind, 0.05)
    if kind != "VILLAIN":
        _disc(canvas, 0.5, head + 0.1, wide, 0.02 if kind != "JOKER" else 0.04, (40, 40, 190))
    _hat(canvas, kind, head, hat, trim)


def _hat(canvas: Picture, kind: str, head: float, hat: Colour, trim: Colour) -> None:
    """What each of PERSONS wears, by which one tells them apart."""
    low = head - 0.12
    if kind == "LORD":
        spikes = [(0.28, low - 0.22), (0.39, low - 0.1), (0.5, low - 0.24), (0.61, low - 0.1), (0.72, low - 0.22)]
        _fill(canvas, [(0.3, low), *spikes, (0.7, low)], (40, 190, 235))
        for x, y in spikes[::2]:
            _disc(canvas, x, y, 0.03, 0.025, hat)
    elif kind == "LADY":
        _fill(canvas, [(0.32, low), (0.4, low - 0.1), (0.5, low - 0.2), (0.6, low - 0.1), (0.68, low)], trim)
        _disc(canvas, 0.5, low - 0.08, 0.035, 0.035, hat)
    elif kind == "VILLAIN":
        _fill(canvas, [(0.32, low - 0.25), (0.68, low - 0.25), (0.66, low), (0.34, low)], INK)
        _fill(canvas, [(0.2, low - 0.02), (0.8, low - 0.02), (0.8, low + 0.03), (0.2, low + 0.03)], INK)
        _fill(canvas, [(0.34, low - 0.07), (0.66, low - 0.07), (0.66, low - 0.02), (0.34, low - 0.02)], hat)
    elif kind == "JESTER":
        for n, tip in enumerate(((0.1, low + 0.02), (0.5, low - 0.25), (0.9, low + 0.02))):
            _fill(canvas, [(0.3, low + 0.03), (0.7, low + 0.03), tip], (hat, trim, hat)[n])
            _disc(canvas, *tip, 0.045, 0.035, (40, 190, 235))
    else:
        _fill(canvas, [(0.3, low + 0.03), (0.7, low + 0.03), (0.82, low - 0.24), (0.5, low - 0.14)], hat)
        _disc(canvas, 0.83, low - 0.24, 0.05, 0.04, trim)
