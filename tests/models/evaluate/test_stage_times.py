"""The stages of a look, each with its time."""

from __future__ import annotations

from models.evaluate.stage_times import JUDGED, NAMES, Clock, measure, table, timed_reader
from vision import reader


def test_every_stage_is_timed_and_nothing_stays_changed() -> None:
    before = {name: getattr(reader, name) for name in NAMES}
    clock = Clock()
    with timed_reader(clock) as timed:
        cards, spent = measure(timed, clock, table(10, (640, 480), 3), looks=1)
    assert cards > 0
    assert {*NAMES.values(), *JUDGED, "networks", "all"} == set(spent)
    assert spent["networks"] < spent["all"]
    assert sum(spent[stage] for stage in ("find", "closely")) < spent["all"]
    assert {name: getattr(reader, name) for name in NAMES} == before
