"""The app folder: its program stands in for Python where it starts processes, and it holds what the wheel holds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APP = ROOT / "deploy" / "app"


def entry(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs what the folder's program runs."""
    command = [sys.executable, str(APP / "entry.py"), *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-c", "import sys; print(sys.argv)", "1", "two"), "['-c', '1', 'two']"),
        (("-m", "json.tool", "--help"), "json.tool"),
        (("rules", "golden-games"), "Golden Games"),
    ],
)
def test_it_runs_what_python_would_and_else_the_command(words: tuple[str, ...], said: str) -> None:
    done = entry(*words)
    assert done.returncode == 0 and said in done.stdout, done.stderr


def test_programs_that_it_opens_have_their_own_libraries() -> None:
    shown = ("-c", "import os; print(os.environ.get('LD_LIBRARY_PATH'))")
    assert entry(*shown, LD_LIBRARY_PATH="/folder").stdout.strip() == "None"
    assert entry(*shown, LD_LIBRARY_PATH="/folder", LD_LIBRARY_PATH_ORIG="/own").stdout.strip() == "/own"


def test_it_gathers_every_package_of_the_wheel() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    tops = {name.split("/")[0] for name in wheel["wheel"]["only-include"]}
    packages = re.search(r"for package in \((.*?)\)", (APP / "handfoot.spec").read_text(encoding="utf-8"))
    assert packages is not None and set(re.findall(r'"(\w+)"', packages[1])) == tops


def test_the_lock_names_the_opencv_that_is_exchanged() -> None:
    assert re.search(r"^opencv-python==[\d.]+ ", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.skipif(os.name != "posix", reason="a launcher for Linux")
def test_the_launcher_starts_the_folder_wherever_it_lies(tmp_path: Path) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    (folder / "add-to-menu.sh").write_bytes((APP / "add-to-menu.sh").read_bytes())
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    subprocess.run(["sh", str(folder / "add-to-menu.sh")], env=env, check=True, capture_output=True)
    entries = (tmp_path / "data" / "applications" / "handfoot.desktop").read_text(encoding="utf-8")
    assert f'Exec="{folder}/handfoot"' in entries and "Terminal=true" in entries
