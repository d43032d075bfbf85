"""How far the clock is believed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from webui.storage.clock import FIRST_RELEASE, judge, parsed

NOW = datetime(2031, 3, 14, 20, tzinfo=UTC)


def days_ago(*days: float) -> list[datetime]:
    return [NOW - timedelta(days=day) for day in days]


@pytest.mark.parametrize(
    ("written", "believed", "contradicted"),
    [
        pytest.param([], None, None, id="nothing to compare with"),
        pytest.param([0.1, 0.2, 5], 0, None, id="a new installation"),
        pytest.param([0.1, 20, 40, 9000], 0, None, id="steady for a month"),
        pytest.param([1095, 1096], 1095, 1095, id="three years ahead"),
        pytest.param([0.1, 1095, 1096], 1095, 1095, id="three years ahead, and played on"),
        pytest.param([0.1, 29, 1095], 1095, 1095, id="not yet steady for a month"),
        pytest.param([0.1, 25, 31, 1095], 0, None, id="steady for a month after a break"),
        pytest.param([-0.04, 1], 0, None, id="an hour back"),
        pytest.param([-3650, 1], None, -3650, id="ten years back"),
        pytest.param([0.1, -1095, 1], 0, None, id="ahead once, and set right"),
        pytest.param([0.1, -500, 600], 600, 600, id="ahead once, and set half right"),
    ],
)
def test_the_clock_is_compared_with_what_was_written(
    written: list[float], believed: float | None, contradicted: float | None
) -> None:
    found = judge(NOW, days_ago(*written))
    assert found.clock == NOW
    assert found.believed == (None if believed is None else days_ago(believed)[0])
    assert found.contradicted_by == (None if contradicted is None else days_ago(contradicted)[0])


def test_a_clock_before_the_first_release_is_not_believed() -> None:
    unset = datetime(1970, 1, 1, tzinfo=UTC)
    found = judge(unset, [unset])
    assert (found.believed, found.contradicted_by) == (None, FIRST_RELEASE)


def test_no_more_is_read_than_needed() -> None:
    def endless() -> object:
        time = NOW
        while True:
            time -= timedelta(days=1)
            assert NOW - time < timedelta(days=40)
            yield time

    assert judge(NOW, endless()).believed == NOW  # type: ignore[arg-type]


def test_times_are_parsed() -> None:
    assert parsed("2031-03-14T20:00:00+00:00") == parsed("2031-03-14T20:00:00") == NOW
    assert parsed("some evening") is None
