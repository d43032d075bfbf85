"""The detector alone: what it finds of the indices of drawn tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table, draw_table
from models.evaluate import indices
from models.evaluate.indices import Matched, main, matched
from models.evaluate.sets import TableSet
from vision.arrays import floats
from vision.detect.detections import Detections
from vision.engines.weights import FOLDER


@pytest.fixture(scope="module")
def table() -> Table:
    return draw_table(np.random.default_rng(5), [draw_deck("toy", 3)], (480, 480), card_pixels=110, clean=True)


def detections(table: Table, scores: list[float]) -> Detections:
    """Detections of the first indices, with these scores."""
    chosen = table.indices[: len(scores)]
    boxes = floats([[*index.patch.min(0), *index.patch.max(0)] for index in chosen])
    return Detections(boxes, floats(scores), floats([index.quad for index in chosen]))


def test_true_boxes_are_found_and_a_second_look_at_one_is_wrong(table: Table) -> None:
    scores = [0.9 - 0.01 * n for n in range(len(table.indices))]
    whole = matched(table, detections(table, scores))
    assert whole.found == whole.indices == len(table.indices) and whole.wrong == 0
    assert whole.average_precision == pytest.approx(1.0)
    one = detections(table, [0.9])
    twice = matched(table, Detections.concat([one, one]))
    assert (twice.found, twice.wrong) == (1, 1)


def test_what_lies_nowhere_near_is_wrong_and_faint_scores_do_not_count(table: Table) -> None:
    one = detections(table, [0.9, 0.1])
    away = Detections(one.boxes + 4000, floats([0.8, 0.7]), one.quads + 4000)
    seen = matched(table, Detections.concat([one, away]))
    assert (seen.found, seen.wrong) == (1, 2)
    assert matched(table, Detections.empty()) == Matched(len(table.indices), (), ())


def test_average_precision_of_a_known_order() -> None:
    assert Matched(4, (0.9, 0.8, 0.7, 0.6), (True, False, True, True)).average_precision == pytest.approx(
        (1 + 0.75 + 0.75) / 4
    )
    both = Matched(1, (0.9,), (True,)).with_more(Matched(2, (0.5,), (False,)))
    assert (both.indices, both.found, both.wrong) == (3, 1, 1)


def test_the_command_compares_weights_on_a_set(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(indices, "use_part", lambda *_: [])
    monkeypatch.setattr(TableSet, "draw", lambda *_: table)
    assert main([str(FOLDER), "--kind", "bent", "--tables", "1"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"bent, {FOLDER}: ") and f"of {len(table.indices)} indices" in line
    assert float(line.split("average precision ")[1]) > 0.5
    assert main([str(FOLDER), "--kind", "other"]) == 1
    assert "expected a kind of set sights" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(Path("none")), "--set", "sealed"])
