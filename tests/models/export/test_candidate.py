"""Trainings and exports write to a candidate's folder; the shipped weights change only if that is asked for."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from models.export.candidate import CANDIDATE, add_target_options, target_folder


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights that are shipped, in a checkout in which the commands are started."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "models" / "weights"
    folder.mkdir(parents=True)
    (folder / "detector-int8.onnx").write_bytes(b"shipped")
    return folder


def _target(shipped: Path, *words: str) -> Path:
    parser = argparse.ArgumentParser()
    add_target_options(parser)
    return target_folder(parser, parser.parse_args(words), shipped)


def test_a_candidate_begins_as_a_copy_and_is_kept(shipped: Path) -> None:
    folder = _target(shipped)
    assert folder == CANDIDATE and (folder / "detector-int8.onnx").read_bytes() == b"shipped"
    (folder / "detector-int8.onnx").unlink()
    assert not list(_target(shipped).iterdir()) and len(list(shipped.iterdir())) == 1
    assert _target(shipped, "--weights", "runs/other") == Path("runs/other")


def test_the_shipped_weights_are_written_to_only_on_demand(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("models/weights", "models/../models/weights", str(shipped)):
        with pytest.raises(SystemExit):
            _target(shipped, "--weights", name)
        assert "is shipped: name another folder for a candidate, or say --ship" in capsys.readouterr().err
    assert _target(shipped, "--ship") == shipped


def test_every_command_that_writes_weights_writes_to_a_candidate() -> None:
    """``write_manifest`` and its kin are called by no command that does not ask where to."""
    root = Path(__file__).parents[3] / "models"
    writing = ("write_manifest(", "write_fitted(")
    commands = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "argparse" in (text := path.read_text(encoding="utf-8"))
        if any(f" {name}" in text or f"({name}" in text for name in writing)
    }
    named = {path for path in commands if "target_folder(" in (root / path).read_text(encoding="utf-8")}
    assert commands == named == {"train/trust.py"}
