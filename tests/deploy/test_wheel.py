"""The wheel holds what a table and learning its cards need, weights included, and works from any folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "webui" / "samples"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it."""
    pytest.importorskip("hatchling", reason="needs hatchling: pip install hatchling")
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_has_five_packages_and_no_checkpoints(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "scorer",
        "vision",
        "webui",
        "datasets",
        "models",
    }
    assert not [name for name in names if name.endswith((".pt", ".pyc"))]
    rooms = {name.split("/")[1] for name in names if name.startswith("models/")}
    assert rooms == {"__init__.py", "learn", "samples"}
    rooms = {name.split("/")[1] for name in names if name.startswith("datasets/")}
    assert rooms == {"__init__.py", "arrays.py", "decks", "scenes"}, "films are for testing"


def test_the_wheel_has_every_file_of_its_packages(names: set[str]) -> None:
    for package in ("scorer", "vision", "webui", "datasets/decks", "datasets/scenes", "models/learn"):
        files = {path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*") if path.is_file()}
        assert {file for file in files if "__pycache__" not in file} <= names


def test_the_wheel_has_the_shipped_weights(wheel: Path, names: set[str]) -> None:
    shipped = {path.name: path.read_bytes() for path in (ROOT / "models" / "weights").iterdir()}
    assert {name.removeprefix("vision/weights/") for name in names if name.startswith("vision/weights/")} == set(
        shipped
    )
    with zipfile.ZipFile(wheel) as archive:
        assert all(archive.read(f"vision/weights/{name}") == data for name, data in shipped.items())


def test_an_installed_wheel_reads_a_photo_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    photo = sorted(SAMPLE.glob("*.jpg"))[0]
    done = subprocess.run(
        [sys.executable, "-m", "webui.cli", "scan", "--json", str(photo)],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["cards"]) > 10
    code = "import models.learn.__main__, vision.engines.weights as weights; print(weights.FOLDER)"
    where = subprocess.run(
        [sys.executable, "-c", code],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(where.stdout.strip()) == site / "vision" / "weights"
