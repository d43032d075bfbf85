"""Times of the stages of a reading."""

from __future__ import annotations

from models.evaluate.stage_times import TIMED, Clock, measure, table, timed_reader


def test_times_every_stage_and_restores_the_functions() -> None:
    before = {name: getattr(owner, function) for name, (owner, function) in TIMED.items()}
    clock = Clock()
    with timed_reader(clock) as timed:
        cards, spent = measure(timed, clock, table(10, (640, 480), 3), repeats=1)
    assert cards > 0
    assert {*TIMED, "networks", "all"} == set(spent)
    assert spent["networks"] < spent["all"]
    assert sum(spent[stage] for stage in ("detect", "look")) < spent["all"]
    assert {name: getattr(owner, function) for name, (owner, function) in TIMED.items()} == before
