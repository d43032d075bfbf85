"""The line of a season: how its games are put together, what it shows, and that its table says the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from webui.games.season.person_total import PersonTotal
from webui.games.season.season_line import season_line


def player(name: str, **days: tuple[int, int]) -> PersonTotal:
    found = PersonTotal(name)
    found.days = {day.strip("_").replace("_", "-"): sums for day, sums in days.items()}
    found.rounds = sum(rounds for _, rounds in days.values())
    return found


def test_few_days_stand_each_for_itself_and_a_day_without_games_is_passed_over() -> None:
    ann = player("Ann", _2026_11_07=(3000, 4), _2026_11_14=(-100, 1))
    bo = player("Bo", _2026_11_14=(5000, 4), _2026_11_21=(400, 4))
    line = season_line([ann, bo])
    assert line is not None and line.step == "day"
    assert line.columns == ("Nov 7, 2026", "Nov 14, 2026", "Nov 21, 2026")
    assert dict(line.rows) == {"Ann": (750, -100, None), "Bo": (None, 1250, 100)}
    assert [tick.label for tick in line.plot.along] == ["Nov 7", "Nov 14", "Nov 21"]
    curves = {curve.name: curve for curve in line.plot.curves}
    assert len(curves["Ann"].dots) == len(curves["Bo"].dots) == 2 and curves["Bo"].last == 100
    assert [x for x, _ in curves["Bo"].dots] == [231.0, 408.0]


@pytest.mark.parametrize(
    ("days", "step", "columns"),
    [
        ([f"2026_0{1 + at // 7}_{1 + at % 7:02}" for at in range(21)], "month", ("Jan 2026", "Feb 2026", "Mar 2026")),
        ([f"{2020 + at // 12}_{1 + at % 12:02}_01" for at in range(36)], "year", ("2020", "2021", "2022")),
    ],
)
def test_many_days_are_put_together_by_month_or_by_year(days: list[str], step: str, columns: tuple[str, ...]) -> None:
    line = season_line([player("Ann", **{f"_{day}": (100, 1) for day in days})])
    assert line is not None and line.step == step
    assert line.columns == columns


def test_a_single_day_has_no_line_and_six_with_the_most_rounds_are_shown() -> None:
    assert season_line([]) is None
    assert season_line([player("Ann", _2026_11_07=(3000, 4))]) is None
    many = [player(f"P{at}", _2026_11_07=(100, at), _2026_11_08=(100, at)) for at in range(1, 9)]
    line = season_line(many)
    assert line is not None and [name for name, _ in line.rows] == ["P8", "P7", "P6", "P5", "P4", "P3"]
    heights = sorted(curve.label_y for curve in line.plot.curves)
    assert all(later - earlier >= 20 for earlier, later in pairwise(heights)), "names apart"
