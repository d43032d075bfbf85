"""Lint, formatting, types and import rules, one test each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sys.executable).parent


# a cache takes a third of the time to write, and is of use only to who runs it again
MYPY = ["mypy", *([] if (ROOT / ".mypy_cache").is_dir() else [f"--cache-dir={os.devnull}"])]


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], MYPY, ["lint-imports"]],
    ids=lambda command: " ".join(command[: 1 if command[0] == "mypy" else 2]),
)
def test_the_tool_finds_nothing(command: list[str]) -> None:
    program = str(SCRIPTS / command[0])
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_make_and_ci_run_the_test_command_of_the_readme() -> None:
    """The README's command is the only one that has to be right."""
    block = re.search(
        r"<!-- test command -->\n```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    done = subprocess.run([ROOT / ".ci" / "readme-command", "test command"], capture_output=True, text=True, check=True)
    assert block and done.stdout == block[1] and "pytest" in block[1]
    for file in ("Makefile", ".ci/run"):
        text = (ROOT / file).read_text(encoding="utf-8").replace("$$", "$")
        assert "bash -ec \"$(.ci/readme-command 'test command')\"" in text, file


def test_the_quick_tests_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    quick = re.search(r"^QUICK = (.*)$", makefile, re.MULTILINE)
    assert quick
    paths = [word.removeprefix("--ignore=") for word in quick[1].split()]
    assert len(paths) > 5 and [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    ("word", "home"),
    [
        ("ultralytics", {"models/networks/detector.py"}),
        ("onnxruntime", {"vision/engines/kinds/onnx.py", "models/export/quantize.py"}),
        ("ncnn", {"vision/engines/kinds/ncnn.py"}),
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
