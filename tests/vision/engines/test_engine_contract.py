"""What every engine keeps to, for each kind in ``KINDS``: ONNX Runtime on the weights as exported is the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.detect.detector import Detector, OnnxDetector
from vision.engines.kinds import ENGINES, KINDS, kind_of
from vision.engines.kinds.base import EngineKind
from vision.engines.kinds.onnx import onnx_session
from vision.engines.load import load_detector
from vision.engines.weights import FOLDER, weights_path
from vision.errors import WeightsError
from vision.images.decode import load_photo, photos_in
from vision.reader import load_reader
from vision.values import Pixels
from webui.settings import SAMPLES

AWAY = {"ncnn": 0.05, "ncnn-half": 6.0}
"""Pixels, or hundredths of a score, by which detections may differ on processors that compute in half precision."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, made: Path) -> str:
    """Each engine, with what it needs made; left out where a package is missing."""
    try:
        kind_of(request.param).make(made)
        load_detector(request.param, made=made)
    except WeightsError as error:
        pytest.skip(str(error))
    return str(request.param)


def clear(detector: Detector, pixels: Pixels, scale: float) -> list[list[float]]:
    """Box centres and scores of what a detector is sure of."""
    found = detector.detect(pixels, scale)
    rows = np.column_stack([found.box_centres(), 100 * found.scores])
    return sorted(rows[found.scores > 0.5].tolist())


@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)  # the first runs the weights in 8 bits
def test_it_finds_the_same_indices_in_pictures_of_any_shape(engine: str, made: Path) -> None:
    golden = load_photo(photos_in(SAMPLES)[3]).pixels
    usual, other = OnnxDetector(onnx_session(weights_path("detector.onnx"))), load_detector(engine, made=made)
    for pixels, scale in ((golden, 0.4), (golden[:, :700], 0.7), (golden[300:500], 1.0)):
        one, two = clear(usual, pixels, scale), clear(other, pixels, scale)
        assert len(one) == len(two) and np.abs(np.subtract(one, two)).max(initial=0) < AWAY[engine]
    assert len(one) > 2


def test_it_finds_nothing_in_a_picture_without_a_card(engine: str, made: Path) -> None:
    assert len(load_detector(engine, made=made).detect(np.full((100, 160, 3), 90, np.uint8), 1.0)) == 0


def test_it_reads_the_same_cards(engine: str, made: Path) -> None:
    golden = load_photo(photos_in(SAMPLES)[1])
    usual, other = (
        sorted(str(card.face) for card in load_reader(one, made=made).read(golden).cards) for one in ("onnx", engine)
    )
    assert usual == other and len(usual) >= 5


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.names[0])
def test_what_is_missing_is_said_in_a_sentence(kind: EngineKind, tmp_path: Path) -> None:
    for name in kind.names:
        with pytest.raises(WeightsError, match=r"expected|does not hold"):
            kind.open(name, tmp_path if name == "onnx" else FOLDER, tmp_path)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(WeightsError, match="expected the engine onnx, ncnn or ncnn-half, got 'abacus'"):
        load_reader("abacus")
