"""The shipped weights are accepted, altered and missing ones refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from vision.engines.weights import FOLDER, fastest_path, networks_hash, weights_path, weights_report
from vision.errors import WeightsError
from vision.reader import load_reader

MOST_BYTES = 20 * 1024 * 1024


def test_the_shipped_weights_are_complete_and_below_20_mb() -> None:
    networks = ("detector.onnx", "detector-int8.onnx", "roi_head-int8.onnx", "relations.onnx")
    names = {*networks, "standard.deck.npz", "calibration.json"}
    assert {line["name"] for line in weights_report()} == names
    assert all(line["ok"] for line in weights_report())
    assert {path.name for path in FOLDER.iterdir()} == {*names, "weights.json"}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


def test_altered_weights_are_refused_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(FOLDER, folder)
    with (folder / "detector-int8.onnx").open("ab") as file:
        file.write(b"x")
    assert [line["ok"] for line in weights_report(folder) if line["name"] == "detector-int8.onnx"] == [False]
    with pytest.raises(WeightsError, match="not the shipped ones"):
        load_reader(weights=folder)


def test_networks_in_8_bits_are_preferred(tmp_path: Path) -> None:
    assert fastest_path("detector") == FOLDER / "detector-int8.onnx"
    shutil.copytree(FOLDER, tmp_path / "weights")
    (tmp_path / "weights" / "detector-int8.onnx").unlink()
    with pytest.raises(WeightsError, match="found none"):
        fastest_path("detector", tmp_path / "weights")
    manifest = tmp_path / "weights" / "weights.json"
    manifest.write_text(manifest.read_text().replace("detector-int8.onnx", "another.onnx"))
    assert fastest_path("detector", tmp_path / "weights").name == "detector.onnx"


def test_other_weights_have_another_hash(tmp_path: Path) -> None:
    networks = ("detector", "roi_head")
    shutil.copy(FOLDER / "weights.json", tmp_path)
    same = networks_hash(networks, tmp_path)
    assert same == networks_hash(networks)
    manifest = tmp_path / "weights.json"
    listed = json.loads(manifest.read_text())
    listed["detector-int8.onnx"]["sha256"] = "0" * 64
    manifest.write_text(json.dumps(listed))
    assert networks_hash(networks, tmp_path) != same
    with pytest.raises(WeightsError, match="expected 'juggler"):
        networks_hash(("juggler",), tmp_path)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"weights\.json"):
        weights_path("detector.onnx", tmp_path)
    shutil.copy(FOLDER / "weights.json", tmp_path)
    with pytest.raises(WeightsError, match="found none"):
        weights_path("detector.onnx", tmp_path)


def test_what_is_said_of_weights_names_no_folder_above_theirs(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    folder.mkdir()
    said = []
    for name in ("detector.onnx", "detector.onnx", "another.onnx"):
        with pytest.raises(WeightsError) as refused:
            weights_path(name, folder)
        said.append(str(refused.value))
        shutil.copy(FOLDER / "weights.json", folder)
    assert len(set(said)) == 3 and not any(str(tmp_path) in sentence for sentence in said)
