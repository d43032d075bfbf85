"""Loads the networks on an engine: ONNX Runtime, NCNN where installed, or ultralytics for the detector."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.crops.batching import Workers, cores
from vision.detect.detector import Detector, OnnxDetector
from vision.detect.yolo_head import check_outputs
from vision.engines.weights import FOLDER, fastest_path, has_weights, weights_path
from vision.errors import WeightsError
from vision.looks.trust import LOOKS, Trust
from vision.recognise.deck_head import STANDARD, load_deck_head
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore import features, pair_features, relations
from vision.rescore.corner_side import CORNER_SIDE, OnnxCornerSide
from vision.rescore.crop_verifier import CROP_VERIFIER, OnnxCropVerifier
from vision.rescore.relation_model import CALIBRATION, RELATION_MODEL, RelationModel
from vision.rescore.relations import RELATIONS, Relations

_NCNN = ("ncnn", "ncnn-half")
ENGINES = ("onnx", *_NCNN, "ultralytics")
"""``ncnn-half`` computes in half precision where the processor can."""

RoiNetworks = tuple[OnnxRoiHead, Relations]
SmallNetworks = tuple[OnnxOutlineRefiner, OnnxIndexClassifier, RelationModel, OnnxCropVerifier, OnnxCornerSide]
"""The networks that work on what the detector finds, without and with a RoI head."""


def onnx_session(
    path: Path, threads: int = 0, given: Mapping[str, NDArray[Any]] | None = None
) -> onnxruntime.InferenceSession:
    """A network on ONNX Runtime's CPU provider, set up for little memory.

    ``threads`` of 0 leaves the number to ONNX Runtime. ``given`` are weights by name for a graph that has none.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.enable_cpu_mem_arena = False  # the arena would keep the memory of the largest picture for ever
    # spinning threads take processor time from those that have work
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if given:
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(array.astype(np.float32)) for array in given.values()]
        options.add_external_initializers([*given], values)
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


def load_small_networks(engine: str, weights: Path = FOLDER, converted: Path | None = None) -> SmallNetworks:
    """The five networks that follow the detector; the first two on NCNN if that is the ``engine``, all others on ONNX
    Runtime. Arguments and errors as for ``load_detector``.
    """
    workers = Workers(cores())
    rescoring = load_relation_model(weights), load_crop_verifier(weights, workers), load_corner_side(weights, workers)
    if engine not in _NCNN or converted is None:
        return load_outline_refiner(weights, workers), load_index_classifier(weights, workers), *rescoring
    refiner, classifier = (
        _on_ncnn(engine, name, weights, converted) for name in ("outline_refiner", "index_classifier")
    )
    return OnnxOutlineRefiner(refiner), OnnxIndexClassifier(classifier), *rescoring


def _on_ncnn(engine: str, network: str, weights: Path, converted: Path) -> Any:
    from vision.engines.ncnn_session import NcnnNetwork

    return NcnnNetwork(converted, network, engine == "ncnn-half", weights)


def load_outline_refiner(weights: Path = FOLDER, workers: Workers | None = None) -> OnnxOutlineRefiner:
    """The outline refiner of a ``weights`` folder on ONNX Runtime, run by ``workers`` or on all cores.

    Raises:
        WeightsError: weights are missing or not the shipped ones.
    """
    return OnnxOutlineRefiner(onnx_session(fastest_path("outline_refiner", weights), 1), workers or Workers(cores()))


def load_index_classifier(weights: Path = FOLDER, workers: Workers | None = None) -> OnnxIndexClassifier:
    """The index classifier of a ``weights`` folder on ONNX Runtime, run by ``workers`` or on all cores.

    Raises:
        WeightsError: weights are missing or not the shipped ones.
    """
    return OnnxIndexClassifier(onnx_session(fastest_path("index_classifier", weights), 1), workers or Workers(cores()))


def load_roi_networks(weights: Path = FOLDER) -> RoiNetworks:
    """RoI head and relations of a ``weights`` folder that has them, on ONNX Runtime.

    Raises:
        WeightsError: weights are missing or not those of the folder's list.
    """
    network, deck = fastest_path("roi_head", weights), weights_path(STANDARD, weights)
    return load_roi_head(network, deck, Workers(cores())), load_relations(weights)


def reads_learnt(weights: Path = FOLDER) -> bool:
    """Whether a ``weights`` folder has what reads with a RoI head that was learned elsewhere.

    Raises:
        WeightsError: its manifest cannot be read.
    """
    return has_weights(RELATIONS, weights)


def load_roi_head(network: Path, deck: Path, workers: Workers) -> OnnxRoiHead:
    """The RoI head with the names of a deck.

    Raises:
        WeightsError: the deck's file cannot be read.
    """
    return OnnxRoiHead(onnx_session(network, 1), load_deck_head(deck), workers)


def load_relation_model(weights: Path = FOLDER) -> RelationModel:
    """The relation model of a ``weights`` folder; it always runs on ONNX Runtime.

    Raises:
        WeightsError: it is missing or not the shipped one, or was trained on other features than this program's.
    """
    session = _relation_session(RELATION_MODEL, weights, features.NODE_FEATURES, pair_features.EDGE_FEATURES)
    return RelationModel(session, _sureness(weights))


def load_relations(weights: Path = FOLDER) -> Relations:
    """The relations network of a ``weights`` folder that has a RoI head.

    Raises:
        WeightsError: as ``load_relation_model``.
    """
    session = _relation_session(RELATIONS, weights, relations.NODE_FEATURES, relations.EDGE_FEATURES)
    (a, b, c), (d, e, f) = (_calibration(weights)[part] for part in ("name", "there"))
    return Relations(session, (a, b, c), (d, e, f))


def _relation_session(name: str, weights: Path, nodes: int, edges: int) -> onnxruntime.InferenceSession:
    session = onnx_session(weights_path(name, weights))
    sizes = {taken.name: taken.shape[1:] for taken in session.get_inputs()}
    if sizes.get("told") != [nodes] or sizes.get("between") != [pair_features.NEIGHBOURS, edges]:
        raise WeightsError(f"{name} weighs other things than this program tells it: install the program again")
    return session


def _sureness(weights: Path) -> tuple[float, float, float, float]:
    a, b, c, d = _calibration(weights)["sureness"]
    return a, b, c, d


def load_crop_verifier(weights: Path = FOLDER, workers: Workers | None = None) -> OnnxCropVerifier:
    """The crop verifier of a ``weights`` folder, run by ``workers`` or on all cores; always on ONNX Runtime.

    Raises:
        WeightsError: it is missing or not the shipped one.
    """
    session = onnx_session(weights_path(CROP_VERIFIER, weights), 1)
    return OnnxCropVerifier(session, _calibration(weights)["verified"], workers or Workers(cores()))


def load_corner_side(weights: Path = FOLDER, workers: Workers | None = None) -> OnnxCornerSide:
    """The corner side classifier of a ``weights`` folder, run by ``workers`` or on all cores; always on ONNX Runtime.

    Raises:
        WeightsError: it is missing or not the shipped one.
    """
    return OnnxCornerSide(onnx_session(weights_path(CORNER_SIDE, weights), 1), workers or Workers(cores()))


def load_trust(weights: Path = FOLDER) -> Trust | None:
    """How far looks of agreed rounds are believed; None where that was not fitted for the networks of the folder.

    Raises:
        WeightsError: the file is missing or not the shipped one.
    """
    fitted = _calibration(weights).get(LOOKS)
    return None if fitted is None else Trust(fitted)


def _calibration(weights: Path) -> dict[str, list[float]]:
    """The fitted weights: "sureness" of ``RelationModel.card_confidence``, "verified" of ``crop_verifier.fuse``; or
    "name" and "there" of ``Relations``; and LOOKS of ``Trust``."""
    fitted: dict[str, list[float]] = json.loads(weights_path(CALIBRATION, weights).read_text(encoding="utf-8"))
    return fitted
