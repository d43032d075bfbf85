"""The benchmark of pages runs to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.webui.benchmark import ALL_GAMES, PAGES


@pytest.mark.by_hand
def test_a_toy_run_measures_each_page_and_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.webui.benchmark", "--toy"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-1000:]
    told = [line.split()[0] for line in done.stdout.splitlines()]
    assert told == ["all", "page", *(path.format(last=3) for path in PAGES), ALL_GAMES[0]]
