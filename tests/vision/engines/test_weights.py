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
MOST_BYTES_TO_LEARN_FROM = 5_000_000


def test_the_shipped_weights_are_complete_and_below_20_mb() -> None:
    quantized = [f"{name}-int8" for name in ("detector", "outline_refiner", "index_classifier")]
    names = (
        "detector",
        "outline_refiner",
        "index_classifier",
        "relation_model",
        "crop_verifier",
        "corner_side",
        "relations",
        "roi_head-graph",
        *quantized,
    )
    others = {"calibration.json", "roi_head.npz"}
    assert {line["name"] for line in weights_report()} == {*(f"{name}.onnx" for name in names), *others}
    assert all(line["ok"] for line in weights_report())
    assert sum(path.stat().st_size for path in FOLDER.glob("*.onnx")) < MOST_BYTES
    assert (FOLDER / "roi_head.npz").stat().st_size < MOST_BYTES_TO_LEARN_FROM


def test_altered_weights_are_refused_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(FOLDER, folder)
    with (folder / "index_classifier-int8.onnx").open("ab") as file:
        file.write(b"x")
    assert [line["ok"] for line in weights_report(folder) if line["name"] == "index_classifier-int8.onnx"] == [False]
    with pytest.raises(WeightsError, match="not the shipped ones"):
        load_reader(weights=folder)


def test_networks_in_8_bits_are_preferred(tmp_path: Path) -> None:
    assert fastest_path("index_classifier") == FOLDER / "index_classifier-int8.onnx"
    shutil.copytree(FOLDER, tmp_path / "weights")
    (tmp_path / "weights" / "index_classifier-int8.onnx").unlink()
    with pytest.raises(WeightsError, match="found none"):
        fastest_path("index_classifier", tmp_path / "weights")
    manifest = tmp_path / "weights" / "weights.json"
    manifest.write_text(manifest.read_text().replace("index_classifier-int8.onnx", "another.onnx"))
    assert fastest_path("index_classifier", tmp_path / "weights").name == "index_classifier.onnx"


def test_other_weights_have_another_hash(tmp_path: Path) -> None:
    networks = ("outline_refiner", "index_classifier")
    shutil.copy(FOLDER / "weights.json", tmp_path)
    same = networks_hash(networks, tmp_path)
    assert same == networks_hash(networks)
    manifest = tmp_path / "weights.json"
    listed = json.loads(manifest.read_text())
    listed["index_classifier-int8.onnx"]["sha256"] = "0" * 64
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


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(WeightsError, match="onnx or ultralytics"):
        load_reader("abacus")


@pytest.mark.parametrize("name", ["detector.pt", "detector.PTH", "detector.pkl"])
def test_a_pickle_is_never_loaded(tmp_path: Path, name: str) -> None:
    bait, trace = tmp_path / name, tmp_path / "was-run"
    bait.write_bytes(b"cpathlib\nPath\n(V" + str(trace).encode() + b"\ntR(i__main__\nx\n.")
    with pytest.raises(WeightsError, match=r"got the pickle detector\."):
        load_reader("ultralytics", exported=bait)
    assert not trace.exists()
