"""Rounds scored by hand, one file each in ``worked/`` with the sum in ``comment``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorer.rules import list_rules, load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet

_FILES = sorted((Path(__file__).parent / "worked").glob("*.json"))


def _load(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_worked_round(path: Path) -> None:
    worked = _load(path)
    sheet = read_sheet(worked["sheet"])
    found = [
        {
            "total": side.total,
            "violations": [[violation.code, violation.where] for violation in side.violations],
            "lines": [[line.reason, line.points] for line in side.lines],
        }
        for side in score(sheet, load_rules(sheet.rules)).sides
    ]
    assert found == worked["expected"]


def test_every_rule_set_has_a_worked_round() -> None:
    assert {_load(path)["sheet"]["rules"] for path in _FILES} == set(list_rules())
