"""What some rounds of one side of a game come to, added up once for all who played on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webui.games.results.round_results import PARTS, SideResult

_LEFT, _TYPED = PARTS.index("left"), PARTS.index("typed")


@dataclass(frozen=True, slots=True)
class SideSums:
    """``books`` are numbers by kind; ``best`` are the points of the best round, ``best_number`` its number (of equal
    ones the first); ``left`` are the points of cards left, of the ``left_rounds`` in which they are known."""

    count: int
    points: int
    went_out: int
    books: tuple[int, ...]
    left: int
    left_rounds: int
    best: int
    best_number: int


def side_sums(results: Mapping[int, SideResult]) -> SideSums:
    """Adds up rounds by their numbers; of a total that was typed alone it is not known what was left."""
    points = {number: result.points for number, result in results.items()}
    best_number = max(points, key=points.__getitem__, default=0)
    left = [result.parts[_LEFT] for result in results.values() if not result.parts[_TYPED]]
    return SideSums(
        count=len(points),
        points=sum(points.values()),
        went_out=sum(result.went_out for result in results.values()),
        books=tuple(map(sum, zip(*(result.books for result in results.values()), strict=True))) or (0,) * 3,
        left=sum(left),
        left_rounds=len(left),
        best=points.get(best_number, 0),
        best_number=best_number,
    )
