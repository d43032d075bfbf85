"""The networks converted for NCNN: made from the shipped files, with the results of ONNX Runtime up to rounding."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.detect.detector import OnnxDetector
from vision.engines.load import load_detector, onnx_session
from vision.engines.ncnn_convert import check_converted, convert_networks, free_size
from vision.engines.weights import weights_path
from vision.errors import WeightsError
from vision.images.decode import load_photo, photos_in
from vision.reader import load_reader
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


def test_pictures_of_any_shape_give_the_same_detections(converted: Path) -> None:
    golden = load_photo(photos_in(SAMPLES)[3]).pixels
    usual = OnnxDetector(onnx_session(weights_path("detector.onnx")))  # that is converted, not the one in 8 bits
    other = load_detector("ncnn", converted=converted)
    for pixels, scale in ((golden, 0.4), (golden[:, :700], 0.7), (golden[300:500], 1.0)):
        one, two = usual.detect(pixels, scale), other.detect(pixels, scale)
        assert len(one) == len(two)
        for some, others in ((one.boxes, two.boxes), (one.scores, two.scores), (one.quads, two.quads)):
            assert np.abs(some - others).max(initial=0) < 0.05
    assert len(usual.detect(golden, 0.4)) > 5


def test_a_picture_without_a_card_gives_no_detections(converted: Path) -> None:
    grey = np.full((100, 160, 3), 90, np.uint8)
    assert len(load_detector("ncnn", converted=converted).detect(grey, 1.0)) == 0


def test_half_precision_reads_the_same_cards(converted: Path) -> None:
    golden = load_photo(photos_in(SAMPLES)[1])
    usual, other, half = (
        sorted(str(card.face) for card in load_reader(engine, converted=converted).read(golden).cards)
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
        load_detector("ncnn", converted=tmp_path)


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
