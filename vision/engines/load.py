"""Loads the networks on an engine: ONNX Runtime, NCNN where installed, or ultralytics for the detector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnxruntime

from vision.crops.batching import SERIAL, Workers
from vision.detect.detector import Detector, OnnxDetector
from vision.detect.yolo_head import check_outputs
from vision.engines.weights import FOLDER, fastest_path, weights_path
from vision.errors import WeightsError
from vision.looks.trust import LOOKS, Trust
from vision.recognise.deck_head import STANDARD, DeckHead, load_deck_head
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import CALIBRATION, EDGE_FEATURES, NODE_FEATURES, RELATIONS, Relations

_NCNN = ("ncnn", "ncnn-half")
ENGINES = ("onnx", *_NCNN, "ultralytics")
"""``ncnn-half`` computes in half precision where the processor can."""


def onnx_session(path: Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A network on ONNX Runtime's CPU provider, set up for little memory; ``threads`` of 0 leaves that to it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.enable_cpu_mem_arena = False  # the arena would keep the memory of the largest picture for ever
    # spinning threads take processor time from those that have work
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def load_detector(
    engine: str = "onnx", weights: Path = FOLDER, exported: Path | None = None, converted: Path | None = None
) -> Detector:
    """The detector of a ``weights`` folder.

    Args:
        engine: one of ENGINES.
        weights: the folder of weights.
        exported: another export of it, for ultralytics.
        converted: the folder of ``ncnn_convert.convert_networks``, for NCNN.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    if engine == "onnx":
        session = onnx_session(fastest_path("detector", weights))
        check_outputs(output.name for output in session.get_outputs())
        return OnnxDetector(session)
    if engine == "ultralytics":
        from vision.engines.ultralytics_detector import UltralyticsDetector

        return UltralyticsDetector(exported or weights_path("detector.onnx", weights))
    if engine in _NCNN and converted is not None:
        return OnnxDetector(_on_ncnn(engine, "detector", weights, converted))
    raise WeightsError(
        "expected the engine onnx or ultralytics, or ncnn where 'handfoot doctor --benchmark' has made its form; "
        f"got {engine!r}"
    )


def _on_ncnn(engine: str, network: str, weights: Path, converted: Path) -> Any:
    from vision.engines.ncnn_session import NcnnNetwork

    return NcnnNetwork(converted, network, engine == "ncnn-half", weights)


def load_roi_head(weights: Path = FOLDER, workers: Workers = SERIAL) -> OnnxRoiHead:
    """The RoI head of a ``weights`` folder, run by ``workers``; always on ONNX Runtime.

    Raises:
        WeightsError: weights are missing or not the shipped ones.
    """
    return OnnxRoiHead(onnx_session(fastest_path("roi_head", weights), 1), workers)


def load_standard_head(weights: Path = FOLDER) -> DeckHead:
    """The deck head of a ``weights`` folder, which names standard cards.

    Raises:
        WeightsError: it is missing or not the shipped one.
    """
    return load_deck_head(weights_path(STANDARD, weights))


def load_relations(weights: Path = FOLDER) -> Relations:
    """The relations network of a ``weights`` folder; it always runs on ONNX Runtime.

    Raises:
        WeightsError: it is missing or not the shipped one, or was trained on other features than this program's.
    """
    session = onnx_session(weights_path(RELATIONS, weights))
    sizes = {taken.name: taken.shape[1:] for taken in session.get_inputs()}
    if sizes.get("told") != [NODE_FEATURES] or sizes.get("between") != [NEIGHBOURS, EDGE_FEATURES]:
        raise WeightsError(f"{RELATIONS} weighs other things than this program tells it: install the program again")
    (a, b, c), (d, e, f) = (_calibration(weights)[part] for part in ("name", "there"))
    return Relations(session, (a, b, c), (d, e, f))


def load_trust(weights: Path = FOLDER) -> Trust | None:
    """How far looks of agreed rounds are believed; None where that was not fitted for the networks of the folder.

    Raises:
        WeightsError: the file is missing or not the shipped one.
    """
    fitted = _calibration(weights).get(LOOKS)
    return None if fitted is None else Trust(fitted)


def _calibration(weights: Path) -> dict[str, list[float]]:
    """The fitted weights: "name" and "there" of ``Relations``, and LOOKS of ``Trust``."""
    fitted: dict[str, list[float]] = json.loads(weights_path(CALIBRATION, weights).read_text(encoding="utf-8"))
    return fitted
