"""The fixed sets, their seal, and the comparison of two candidates."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from models.evaluate import compare as compare_module
from models.evaluate import sets
from models.evaluate.compare import Outcome, Pair, main, paired, read_results, summary
from models.evaluate.paired import bootstrap, mcnemar, wilson
from models.evaluate.sets import SealedError, TableSet, fingerprint, load_set, open_set
from vision.engines.weights import FOLDER


def test_the_sealed_set_has_600_tables_and_shares_nothing_with_the_others() -> None:
    every = [load_set(name) for name in ("development", "validation", "sealed", "kinds", "sights")]
    assert len({one.seed for one in every}) == 5
    assert len(load_set("sealed").order()) == 600
    assert load_set("sealed").part == "sealed" and "sealed" not in {one.part for one in every if one.name != "sealed"}
    assert set(Counter(load_set("kinds").order()).values()) == set(Counter(load_set("sights").order()).values()) == {60}
    with pytest.raises(ValueError, match="expected a set of development, "):
        load_set("other")


def test_the_first_tables_are_of_all_kinds() -> None:
    mixed = TableSet("x", 1, "development", {"table": 6, "fan": 2})
    assert Counter(mixed.order()) == {"table": 6, "fan": 2}
    assert set(mixed.order()[:4]) == {"table", "fan"}


def test_the_sealed_set_opens_with_leave_only_and_that_is_noted(tmp_path: Path) -> None:
    log = tmp_path / "opened.jsonl"
    with pytest.raises(SealedError, match="--open-the-sealed-set"):
        open_set("sealed", False, {"first": "abc"}, log)
    assert not log.exists()
    open_set("development", False, {"first": "abc"}, log)
    assert not log.exists()
    open_set("sealed", True, {"first": "abc"}, log)
    (line,) = log.read_text().splitlines()
    assert json.loads(line)["first"] == "abc" and json.loads(line)["set"] == "sealed" and json.loads(line)["opened"]


def test_a_table_depends_on_its_set_and_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = draw_deck("drawn-5", 5)
    monkeypatch.setattr(sets, "sample_deck", lambda *_: deck)
    monkeypatch.setattr("datasets.scenes.world.sample_deck", lambda *_: deck)
    monkeypatch.setattr(sets, "SIZE", 400)
    one = TableSet("x", 3, "development", {"table": 1, "fan": 1})
    for number in range(2):
        first, second = (one.draw(number, []) for _ in range(2))
        assert np.array_equal(first.picture, second.picture) and fingerprint(first) == fingerprint(second)
        other = TableSet("y", 4, "development", {"table": 1, "fan": 1}).draw(number, [])
        assert fingerprint(other) != fingerprint(first)


def test_wilson_mcnemar_and_bootstrap_give_known_values() -> None:
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)  # Newcombe 1998, table I
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert mcnemar(0, 0) == mcnemar(4, 4) == 1.0
    assert mcnemar(1, 9) == pytest.approx(22 / 1024)
    mean, low, high = bootstrap([1.0, -1.0, 0.0, 0.0] * 50)
    assert mean == 0 and -0.12 < low < -0.05 and 0.05 < high < 0.12
    assert bootstrap([]) == (0.0, 0.0, 0.0)


def outcome(number: int, wrong: int, table: str = "-") -> Outcome:
    return Outcome(number, "table", table, 5 - wrong, wrong, 0, wrong == 2)


def pair(number: int, first: int, second: int) -> Pair:
    return outcome(number, first), outcome(number, second)


def test_only_the_same_tables_are_compared() -> None:
    first = {0: outcome(0, 1), 1: outcome(1, 0), 2: outcome(2, 0)}
    assert paired(first, {1: outcome(1, 2), 2: outcome(2, 0)}, [0, 1]) == [pair(1, 0, 2)]
    with pytest.raises(ValueError, match="1 differ \\(first: 1\\)"):
        paired(first, {1: outcome(1, 0, "other")}, [0, 1])


def test_a_summary_tells_who_was_right_alone() -> None:
    told = summary("set x", [pair(0, 0, 0), pair(1, 0, 1), pair(2, 1, 0), pair(3, 2, 0), pair(4, 1, 0)])
    assert "first: exactly right 2 = 40.0%" in told and "second: exactly right 4 = 80.0%" in told
    assert "wrong without a doubt 1 = 20.0%" in told
    assert "first alone 1, by the second alone 3: p = 0.625" in told and "first: -0.600 (" in told


def small_part(*_: object, verify: bool = False) -> list[DeckArt]:
    return [draw_deck("drawn-5", 5)]


def test_a_comparison_keeps_each_table_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Here:
        """Works in this process."""

        def __init__(self, workers: int, context: object, start: object, given: tuple[object, ...]) -> None:
            start(*given)  # type: ignore[operator]

        map = staticmethod(map)

        def __enter__(self) -> Here:
            return self

        def __exit__(self, *_: object) -> None:
            return None

    monkeypatch.setattr(compare_module, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(compare_module, "use_part", small_part)
    monkeypatch.setattr(sets, "SIZE", 400)
    given = [str(FOLDER), str(FOLDER), "--set", "kinds", "--tables", "2", "--out", str(tmp_path)]
    assert main(given) == 0
    assert "p = 1" in capsys.readouterr().out
    (kept,) = tmp_path.iterdir()
    results = read_results(kept)
    assert list(results) == [0, 1], "one candidate reads each table once"
    monkeypatch.setattr(compare_module, "ProcessPoolExecutor", None)
    assert main(given) == 0, "nothing is left to be read"
    assert main([str(FOLDER), str(kept), *given[2:]]) == 0, "results of another version"
    kept.write_text("{}")
    assert main([str(FOLDER), str(kept), *given[2:]]) == 1
    assert "expected results of an earlier comparison" in capsys.readouterr().err


def test_what_cannot_be_compared_is_told_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), str(FOLDER)]) == 1
    assert main([str(FOLDER), str(FOLDER), "--set", "sealed"]) == 1
    assert main([str(FOLDER), str(FOLDER), "--assets", str(tmp_path), "--out", str(tmp_path)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    assert told[0].startswith("expected a folder of weights") and "--open-the-sealed-set" in told[1]
    assert "missing" in told[2] and "datasets.assets.collect" in told[2]
