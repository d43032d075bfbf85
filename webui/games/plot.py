"""The plot of a game's running totals, in SVG user units."""

from __future__ import annotations

import math
from dataclasses import dataclass

from webui.games.progress import GameProgress

WIDTH, HEIGHT = 420, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 54, 12, 14, 28
_STEPS = (1, 2, 2.5, 5, 10)
"""Steps between grid lines, relative to a power of ten."""
_LABEL_HEIGHT = 20


@dataclass(frozen=True, slots=True)
class Tick:
    """A grid line: its position along its axis, and its label."""

    at: float
    label: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One side's totals after each round as positions in the plot, and the y of its name."""

    name: str
    total: int
    dots: tuple[tuple[float, float], ...]
    label_y: float

    @property
    def path(self) -> str:
        """The dots in SVG notation."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.dots)


@dataclass(frozen=True, slots=True)
class Plot:
    """Running totals (y) over the rounds (x), beginning with 0 points before the first round."""

    rounds: tuple[Tick, ...]
    points: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    bottom: float = HEIGHT - _BOTTOM
    top: float = _TOP
    width: int = WIDTH
    height: int = HEIGHT


def plot_totals(progress: GameProgress) -> Plot | None:
    """The plot of a game, None before its first agreed round."""
    if not progress.points:
        return None
    totals = [(0,) * len(progress.game.sides), *progress.running.values()]
    low, high, step = _scale(min(map(min, totals)), max(map(max, totals)))
    round_width = (WIDTH - _LEFT - _RIGHT) / (len(totals) - 1)

    def x(index: int) -> float:
        return _LEFT + round_width * index

    def y(points: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - points) / (high - low)

    round_ticks = tuple(Tick(x(index), number) for index, number in enumerate(progress.points, 1))
    point_ticks = tuple(Tick(y(points), points) for points in range(low, high + 1, step))
    label_heights = _spread_labels([y(totals[-1][side]) for side in progress.sides])
    curves = tuple(
        Curve(
            progress.game.sides[side].name,
            totals[-1][side],
            tuple((x(index), y(points[side])) for index, points in enumerate(totals)),
            label_heights[side],
        )
        for side in progress.sides
    )
    return Plot(round_ticks, point_ticks, curves)


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
