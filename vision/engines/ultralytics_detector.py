"""The detector through ultralytics, for any format it exports (needs the extra ``train``).

The only file of ``vision`` that imports that library.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.detect.detections import Detections
from vision.detect.detector import MAX_OVERLAP, MIN_SCORE, frame_per_letterbox, letterbox
from vision.errors import WeightsError
from vision.values import Pixels

MAX_DETECTIONS = 1000
_PICKLED = (".pt", ".pth", ".pkl", ".torchscript")


class UltralyticsDetector:
    """A ``Detector`` on what ultralytics can load: .onnx, an OpenVINO or NCNN folder.

    Never a .pt file: it is a pickle, and loading it runs whatever code it holds.
    """

    def __init__(self, weights: Path) -> None:
        """
        Raises:
            WeightsError: ultralytics is not installed or cannot load ``weights``, or they are pickled.
        """
        if weights.suffix.lower() in _PICKLED:
            raise WeightsError(
                f"expected exported weights such as an ONNX file, got the pickle {weights.name}; export it"
            )
        try:
            from ultralytics.models import YOLO
        except ImportError as error:
            raise WeightsError(
                "expected the package ultralytics for this engine, it is not installed: pip install 'handfoot[train]'"
            ) from error
        try:
            self._model: Any = YOLO(str(weights), task="pose")
        except Exception as error:  # the library raises whatever its backend raises
            raise WeightsError(f"ultralytics could not load {weights.name}: {error}") from error

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        boxed = letterbox(pixels, scale)
        (result,) = self._model.predict(
            boxed, imgsz=boxed.shape[:2], conf=MIN_SCORE, iou=MAX_OVERLAP, max_det=MAX_DETECTIONS, verbose=False
        )
        boxes, scores = _as_floats(result.boxes.xyxy), _as_floats(result.boxes.conf)
        quads, factor = _as_floats(result.keypoints.xy), frame_per_letterbox(pixels, scale)
        return Detections(boxes * np.tile(factor, 2), scores, quads.reshape(-1, 4, 2) * factor)


def _as_floats(tensor: Any) -> Floats:
    return floats(tensor.cpu().numpy())
