"""Many sheets at once, read from JSON lines and written as JSON: each gets what it gets alone."""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

import pytest

from webui.commands import score

_SHEETS = [
    json.dumps(json.loads(path.read_text(encoding="utf-8"))["sheet"])
    for path in sorted((Path(__file__).parents[1] / "worked").glob("*-whole-round.json"))
]
NUMBER = 200


def test_many_whole_rounds_are_each_scored_as_they_are_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    score.add_parser(parser.add_subparsers())

    def scored(sheets: list[str]) -> list[str]:
        lines = "".join(f"{sheet}\n" for sheet in sheets)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        assert score.run(parser.parse_args(["score", "-", "--json"])) == 0
        return capsys.readouterr().out.splitlines()

    alone = [json.loads(line) for sheet in _SHEETS for line in scored([sheet])]
    assert len(alone) == len(_SHEETS) > 1
    together = [json.loads(line) for line in scored([_SHEETS[n % len(_SHEETS)] for n in range(NUMBER)])]
    assert together == [alone[n % len(alone)] for n in range(NUMBER)]
