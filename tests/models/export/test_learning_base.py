"""What household decks are learned from is added to the weights that are there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.export.calibration import write_fitted
from models.export.learning_base import add_learning_base
from models.networks import relations
from vision.engines.load import load_relations, reads_learnt
from vision.engines.weights import has_weights, weights_report

FITTED = {"name": [0.1, 1.0, 0.5], "there": [0.2, 1.0, 0.5]}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder of the last stage of a recipe."""
    folder = tmp_path / "made"
    folder.mkdir()
    torch.save(relations.RelationsNet().state_dict(), tmp_path / "relations.pt")
    relations.export_onnx(tmp_path / "relations.pt", folder / "relations.onnx")
    (folder / "roi_head.npz").write_bytes(b"numbers")
    (folder / "roi_head.onnx").write_bytes(b"not needed")
    write_fitted(folder, FITTED)
    return folder


def test_files_are_added_and_what_was_fitted_before_stays(made: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.mkdir()
    write_fitted(weights, {"sureness": [1.0, 2.0, 3.0, 4.0]})
    assert not reads_learnt(weights)
    whole = (made / "relations.onnx").stat().st_size
    add_learning_base(made, weights)
    assert json.loads((weights / "calibration.json").read_text()) == {"sureness": [1.0, 2.0, 3.0, 4.0], **FITTED}
    assert all(row["ok"] for row in weights_report(weights)) and not has_weights("roi_head.onnx", weights)
    assert has_weights("roi_head.npz", weights) and reads_learnt(weights)
    assert (weights / "relations.onnx").stat().st_size < 0.7 * whole
    load_relations(weights)


@pytest.mark.parametrize("name", ["calibration.json", "roi_head.npz", "relations.onnx"])
def test_a_folder_that_lacks_something_changes_nothing(made: Path, tmp_path: Path, name: str) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(made, weights)
    (made / "roi_head.npz").write_bytes(b"other numbers")
    (made / name).unlink()
    before = {path.name: path.read_bytes() for path in weights.iterdir()}
    with pytest.raises(FileNotFoundError):
        add_learning_base(made, weights)
    assert {path.name: path.read_bytes() for path in weights.iterdir()} == before
