"""ONNX Runtime, which runs every network; only this file imports it."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

from vision.detect.detector import Detector, OnnxDetector
from vision.detect.yolo_head import check_outputs
from vision.engines.kinds.base import EngineKind
from vision.engines.weights import fastest_path


def onnx_session(path: Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A network on ONNX Runtime's CPU provider, set up for little memory; ``threads`` of 0 leaves that to it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.enable_cpu_mem_arena = False  # the arena would keep the memory of the largest picture for ever
    # spinning threads take processor time from those that have work
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _open(engine: str, weights: Path, made: Path | None) -> Detector:
    session = onnx_session(fastest_path("detector", weights))
    check_outputs(output.name for output in session.get_outputs())
    return OnnxDetector(session)


KIND = EngineKind(("onnx",), _open)
