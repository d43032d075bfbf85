"""The detector converted for NCNN."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.engines.kinds.ncnn import check_converted, convert, free_size
from vision.errors import WeightsError

MADE_FOR_ONE_SIZE = """7767517
5 6
Input in0 0 1 in0
Convolution conv 1 1 in0 a 0=128 1=1
Reshape flat 1 1 a b 0=437 1=128 2=2
Reshape back 1 1 b c 0=23 1=19 2=128
Reshape again 1 1 c out0 0=23 1=19 2=128
"""


def test_the_detector_is_converted_once_and_again_for_other_weights(tmp_path: Path) -> None:
    for package in ("pnnx", "onnx"):
        pytest.importorskip(package)
    convert(tmp_path / "made")
    before = (tmp_path / "made" / "detector.bin").stat().st_mtime_ns
    convert(tmp_path / "made")
    assert (tmp_path / "made" / "detector.bin").stat().st_mtime_ns == before
    (tmp_path / "weights.json").write_text("{}")
    with pytest.raises(WeightsError, match="does not hold the shipped networks"):
        check_converted(tmp_path / "made", tmp_path)


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
