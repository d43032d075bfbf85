"""Plots of curves, as of a game's running totals, in SVG user units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webui.games.progress import GameProgress
from webui.wording import points_text

WIDTH, HEIGHT = 420, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 54, 12, 14, 28
_STEPS = (1, 2, 2.5, 5, 10)
"""Steps between grid lines, relative to a power of ten."""
_LABEL_HEIGHT = 20
_SIGNS_ALONG = 44
"""Signs of labels that fit beside each other along the axis, with a gap after each."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A grid line: its position along its axis, and its label."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve: its name and the y of that, its last value, its path in SVG notation, and its marks."""

    name: str
    last: int
    path: str
    dots: tuple[tuple[float, float], ...]
    label_y: float


@dataclass(frozen=True, slots=True)
class Plot:
    """Points (y) over what ``along`` names (x)."""

    along: tuple[Tick, ...]
    points: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    bottom: float = HEIGHT - _BOTTOM
    top: float = _TOP
    width: int = WIDTH
    height: int = HEIGHT


def plot_totals(progress: GameProgress) -> Plot | None:
    """The plot of a game's running totals from 0 on, None before its first agreed round."""
    if not progress.points:
        return None
    totals = [(0,) * len(progress.game.sides), *progress.running.values()]
    lines = [(side.name, [points[at] for points in totals]) for at, side in enumerate(progress.game.sides)]
    return plot_lines(lines, ["", *(str(number) for number in range(1, len(totals)))], first_dot=1)


def plot_lines(lines: Sequence[tuple[str, Sequence[int | None]]], labels: Sequence[str], first_dot: int = 0) -> Plot:
    """A plot of several curves over the same places; a curve goes on past a place where it has no value.

    Args:
        lines: for each curve its name and its values, of which one at least is known.
        labels: what each place along the axis is called, two at least; empty for one without a name.
        first_dot: the first place at which values are marked.
    """
    known = [value for _, values in lines for value in values if value is not None]
    low, high, step = _scale(min(known), max(known))
    apart = (WIDTH - _LEFT - _RIGHT) / (len(labels) - 1)

    def y(value: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    places = [[(at, value) for at, value in enumerate(values) if value is not None] for _, values in lines]
    label_heights = _spread_labels([y(found[-1][1]) for found in places])
    curves = tuple(
        Curve(
            name,
            found[-1][1],
            " ".join(f"{_LEFT + apart * at:.1f},{y(value):.1f}" for at, value in found),
            tuple((_LEFT + apart * at, y(value)) for at, value in found if at >= first_dot),
            label_y,
        )
        for (name, _), found, label_y in zip(lines, places, label_heights, strict=True)
    )
    every = -(-max(map(len, labels)) * len(labels) // _SIGNS_ALONG)
    named = tuple(Tick(_LEFT + apart * at, label) for at, label in enumerate(labels) if label and at % every == 0)
    return Plot(named, tuple(Tick(y(value), points_text(value)) for value in range(low, high + 1, step)), curves)


def _scale(low: int, high: int) -> tuple[int, int, int]:
    """The lowest and highest grid line, which enclose all totals, and the step between grid lines."""
    rough = max(1, high - low) / 5
    size = 10 ** math.floor(math.log10(rough))
    step = max(1, round(next(factor * size for factor in _STEPS if factor * size >= rough)))
    return math.floor(low / step) * step, max(math.ceil(high / step), math.floor(low / step) + 1) * step, step


def _spread_labels(ends: list[float]) -> list[float]:
    """The heights of the names at the ends of the curves, moved so that they do not overlap."""
    placed = dict.fromkeys(range(len(ends)), 0.0)
    last = -math.inf
    for side in sorted(placed, key=ends.__getitem__):
        last = placed[side] = max(ends[side], last + _LABEL_HEIGHT)
    overflow = last - (HEIGHT - _BOTTOM)
    return [placed[side] - max(0.0, overflow) for side in range(len(ends))]
