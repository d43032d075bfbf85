"""Lint, formatting, types and import rules, one test each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports"]],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_tool_finds_nothing(command: list[str]) -> None:
    program = str(SCRIPTS / command[0])
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("word", "home"),
    [
        ("ultralytics", {"vision/engines/ultralytics_detector.py", "models/networks/detector.py"}),
        ("onnxruntime", {"vision/engines/load.py", "models/export/quantize.py"}),
        ("ncnn", {"vision/engines/ncnn_session.py"}),
        ("sqlalchemy", {"webui/storage/"}),
        ("VideoCapture", {"vision/cameras/opencv_capture.py"}),
        ("picamera2", {"vision/cameras/pi.py"}),
    ],
)
def test_an_outside_library_is_named_in_one_place(word: str, home: set[str]) -> None:
    lines = [
        (path.relative_to(ROOT).as_posix(), line.strip())
        for room in ("scorer", "vision", "webui", "datasets", "models")
        for path in sorted((ROOT / room).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    uses = {
        name for name, line in lines if line.startswith((f"import {word}", f"from {word}")) or f"cv2.{word}" in line
    }
    assert uses
    assert all(any(name.startswith(place) for place in home) for name in uses), uses
