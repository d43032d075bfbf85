"""The plot of a game's progress, in the units of its picture: the page draws it as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass

from webui.games.progress import GameProgress

WIDTH, HEIGHT = 420, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 54, 12, 14, 28
_STEPS = (1, 2, 2.5, 5, 10)
_LABEL_ROOM = 20


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: where, and what is written at it."""

    at: float
    label: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One side's totals after each round: its points in the picture, and where its name is written."""

    name: str
    total: int
    dots: tuple[tuple[float, float], ...]
    label_y: float

    @property
    def path(self) -> str:
        """The points as SVG has them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.dots)


@dataclass(frozen=True, slots=True)
class Plot:
    """Running totals over the rounds; x grows with the round, from 0 points before the first."""

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
    """The plot of a game; None before its first round is confirmed."""
    if not progress.points:
        return None
    totals = [(0,) * len(progress.game.sides), *progress.running.values()]
    low, high, step = _scale(min(map(min, totals)), max(map(max, totals)))
    across = (WIDTH - _LEFT - _RIGHT) / (len(totals) - 1)

    def x(at: int) -> float:
        return _LEFT + across * at

    def y(points: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - points) / (high - low)

    rounds = tuple(Tick(x(at), number) for at, number in enumerate(progress.points, 1))
    marks = tuple(Tick(y(points), points) for points in range(low, high + 1, step))
    ends = [y(totals[-1][side]) for side in progress.sides]
    labels = _apart(ends)
    curves = tuple(
        Curve(
            progress.game.sides[side].name,
            totals[-1][side],
            tuple((x(at), y(points[side])) for at, points in enumerate(totals)),
            labels[side],
        )
        for side in progress.sides
    )
    return Plot(rounds, marks, curves)


def _scale(low: int, high: int) -> tuple[int, int, int]:
    """Round numbers that hold all totals, and the step between grid lines."""
    rough = max(1, high - low) / 5
    size = 10 ** math.floor(math.log10(rough))
    step = max(1, round(next(factor * size for factor in _STEPS if factor * size >= rough)))
    return math.floor(low / step) * step, max(math.ceil(high / step), math.floor(low / step) + 1) * step, step


def _apart(ends: list[float]) -> list[float]:
    """Heights for the names at the ends of curves, moved so that none covers another."""
    placed = dict.fromkeys(range(len(ends)), 0.0)
    last = -math.inf
    for side in sorted(placed, key=ends.__getitem__):
        last = placed[side] = max(ends[side], last + _LABEL_ROOM)
    over = last - (HEIGHT - _BOTTOM)
    return [placed[side] - max(0.0, over) for side in range(len(ends))]
