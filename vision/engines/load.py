"""Loads the networks: all on ONNX Runtime, the detector on any engine of ``kinds``."""

from __future__ import annotations

import json
from pathlib import Path

from vision.crops.batching import SERIAL, Workers
from vision.detect.detector import Detector
from vision.engines.kinds import kind_of
from vision.engines.kinds.onnx import onnx_session
from vision.engines.weights import FOLDER, fastest_path, weights_path
from vision.errors import WeightsError
from vision.looks.trust import LOOKS, Trust
from vision.recognise.deck_head import STANDARD, DeckHead, load_deck_head
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import CALIBRATION, EDGE_FEATURES, NODE_FEATURES, RELATIONS, Relations


def load_detector(engine: str = "onnx", weights: Path = FOLDER, made: Path | None = None) -> Detector:
    """The detector of a ``weights`` folder.

    Args:
        engine: one of ``kinds.ENGINES``.
        weights: the folder of weights.
        made: the folder that the ``make`` of the engine's kind filled.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    return kind_of(engine).open(engine, weights, made)


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
