"""Ten thousand sheets in under ten seconds of one core, read from JSON lines and written as JSON."""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from pathlib import Path

import pytest

from webui.commands import score

_SHEETS = [
    json.dumps(json.loads(path.read_text(encoding="utf-8"))["sheet"])
    for path in sorted((Path(__file__).parent / "worked").glob("*-whole-round.json"))
]
NUMBER, SECONDS = 10_000, 10


def test_ten_thousand_whole_rounds_in_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f"{_SHEETS[i % len(_SHEETS)]}\n" for i in range(NUMBER))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    parser = argparse.ArgumentParser()
    score.add_parser(parser.add_subparsers())
    start = time.process_time()
    assert score.run(parser.parse_args(["score", "-", "--json"])) == 0
    took = time.process_time() - start
    assert len(capsys.readouterr().out.splitlines()) == NUMBER
    assert took < SECONDS
