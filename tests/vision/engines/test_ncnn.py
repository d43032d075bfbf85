"""The networks converted for NCNN: made from the shipped files, with the results of ONNX Runtime up to rounding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.crops.card_window import crop_windows
from vision.crops.pyramid import as_input, pyramid
from vision.detect.detections import ClassScores, Detections
from vision.detect.detector import OnnxDetector
from vision.engines.load import load_detector, load_small_networks, onnx_session
from vision.engines.ncnn_convert import check_converted, convert_networks, free_size
from vision.engines.ncnn_session import NcnnNetwork
from vision.engines.weights import weights_path
from vision.errors import WeightsError
from vision.geometry import plausible
from vision.images.decode import load_photo, photos_in
from vision.reader import CardReader
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from webui.settings import SAMPLES

MADE_FOR_ONE_SIZE = """7767517
5 6
Input in0 0 1 in0
Convolution conv 1 1 in0 a 0=128 1=1
Reshape flat 1 1 a b 0=437 1=128 2=2
Reshape back 1 1 b c 0=23 1=19 2=128
Reshape again 1 1 c out0 0=23 1=19 2=128
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("ncnn", "pnnx", "onnx"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("ncnn")
    convert_networks(folder)
    return folder


def _networks(engine: str, converted: Path) -> Any:
    """All six networks, detector first."""
    return load_detector(engine, converted=converted), *load_small_networks(engine, converted=converted)


def test_pictures_of_any_shape_give_the_same_detections_and_scores(converted: Path) -> None:
    golden = load_photo(photos_in(SAMPLES)[3]).pixels
    # the conversion starts from the original networks, not from those in 8 bits
    detector, refiner, classifier = (
        onnx_session(weights_path(f"{name}.onnx")) for name in ("detector", "outline_refiner", "index_classifier")
    )
    usual = (OnnxDetector(detector), OnnxOutlineRefiner(refiner), OnnxIndexClassifier(classifier))
    other = _networks("ncnn", converted)
    for pixels, scale in ((golden, 0.4), (golden[:, :700], 0.7), (golden[300:500], 1.0)):
        one, two = usual[0].detect(pixels, scale), other[0].detect(pixels, scale)
        assert len(one) == len(two)
        for some, others in ((one.boxes, two.boxes), (one.scores, two.scores), (one.quads, two.quads)):
            assert np.abs(some - others).max(initial=0) < 0.05
    found = usual[0].detect(golden, 0.4)
    assert len(found) > 5
    here, there = (networks[1].refine(pyramid(golden), found) for networks in (usual, other))
    # the second pass sees a window that the first has moved, which can enlarge tiny differences
    assert np.abs(here.quads - there.quads).max() < 0.05 and np.abs(here.p_index - there.p_index).max() < 5e-3
    given = as_input(crop_windows(pyramid(golden), found.quads[plausible(found.quads)]))
    sessions = (refiner, NcnnNetwork(converted, "outline_refiner", half=False))
    outputs = ["shift", "right", "real", "seen"]
    for same, again in zip(*(one.run(outputs, {"windows": given}) for one in sessions), strict=True):
        assert np.abs(same - again).max() < 1e-3
    quads = found.quads[plausible(found.quads)]
    first, second = (
        classifier.classify(golden, quads, np.zeros(len(quads), bool)) for classifier in (usual[2], other[2])
    )
    for part in ClassScores.COLUMNS:
        assert np.abs(getattr(first, part) - getattr(second, part)).max() < 1e-3


def test_a_picture_without_a_card_gives_no_detections(converted: Path) -> None:
    detector, refiner, *_ = _networks("ncnn", converted)
    grey = np.full((100, 160, 3), 90, np.uint8)
    assert len(detector.detect(grey, 1.0)) == 0
    assert len(refiner.refine([grey], Detections.empty())) == 0


def test_half_precision_reads_the_same_cards(converted: Path) -> None:
    golden = load_photo(photos_in(SAMPLES)[1])
    usual, other, half = (
        sorted(str(card.face) for card in CardReader(*_networks(engine, converted)).read(golden).cards)
        for engine in ("onnx", "ncnn", "ncnn-half")
    )
    assert usual == other == half and len(usual) >= 5


def test_networks_are_converted_once_and_again_for_other_weights(converted: Path, tmp_path: Path) -> None:
    made = (converted / "detector.bin").stat().st_mtime_ns
    convert_networks(converted)
    assert (converted / "detector.bin").stat().st_mtime_ns == made
    (tmp_path / "weights.json").write_text("{}")
    with pytest.raises(WeightsError, match="does not hold the shipped networks"):
        check_converted(converted, tmp_path)
    with pytest.raises(WeightsError, match="run 'handfoot doctor --benchmark'"):
        _networks("ncnn", tmp_path)


def test_the_size_is_taken_from_the_input_map() -> None:
    rows = free_size(MADE_FOR_ONE_SIZE).splitlines()
    assert rows[1] == "6 8"
    assert rows[4:] == [
        "Split flat_copies 1 3 a a_0 a_1 a_2",
        "Reshape flat 1 1 a_0 b 0=-1 1=128 2=2",
        'Reshape back 2 1 b a_2 c 6="1w,1h,128"',
        'Reshape again 2 1 c a_1 out0 6="1w,1h,128"',
    ]


def test_a_network_of_another_structure_is_refused() -> None:
    with pytest.raises(WeightsError, match="built in a way that NCNN cannot run"):
        free_size(MADE_FOR_ONE_SIZE.replace("0=23", "0=40"))
