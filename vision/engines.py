"""The networks on an engine: ONNX Runtime, or ultralytics where it is installed."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

from vision.errors import WeightsError
from vision.finder import Finder, OnnxFinder
from vision.namer import OnnxNamer
from vision.settler import OnnxSettler
from vision.weights import FOLDER, weights_path

ENGINES = ("onnx", "ultralytics")


def _session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False  # the arena would keep the memory of the largest picture for ever
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def load_finder(engine: str = "onnx", weights: Path = FOLDER, exported: Path | None = None) -> Finder:
    """The finder of a ``weights`` folder on ``engine``; ``exported`` is another format of it for ultralytics.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    if engine == "onnx":
        return OnnxFinder(_session(weights_path("finder.onnx", weights)))
    if engine == "ultralytics":
        from vision.ultralytics_engine import UltralyticsFinder

        return UltralyticsFinder(exported or weights_path("finder.onnx", weights))
    raise WeightsError(f"expected the engine {' or '.join(ENGINES)}, got {engine!r}")


def load_settler(weights: Path = FOLDER) -> OnnxSettler:
    """The settler of a ``weights`` folder; it always runs on ONNX Runtime.

    Raises:
        WeightsError: weights are missing or not the shipped ones.
    """
    return OnnxSettler(_session(weights_path("settler.onnx", weights)))


def load_namer(weights: Path = FOLDER) -> OnnxNamer:
    """The namer of a ``weights`` folder; it always runs on ONNX Runtime.

    Raises:
        WeightsError: weights are missing or not the shipped ones.
    """
    return OnnxNamer(_session(weights_path("namer.onnx", weights)))
