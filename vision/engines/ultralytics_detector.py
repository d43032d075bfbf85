"""The finder through ultralytics, for any format it exports (needs the extra ``train``); the only file of this room
that names that library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import floats
from vision.detect.detector import FAINT, OVERLAP, Detections, letterbox, letterbox_to_frame
from vision.errors import WeightsError
from vision.values import Pixels

_PICKLED = (".pt", ".pth", ".pkl", ".torchscript")


class UltralyticsDetector:
    """The same interface as OnnxDetector on what ultralytics can load: .onnx, an OpenVINO or NCNN folder.

    Never a .pt file: it is a pickle, which runs whatever code it holds.
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
        except ImportError as problem:
            raise WeightsError(
                "expected the package ultralytics for this engine, it is not installed: pip install 'handfoot[train]'"
            ) from problem
        try:
            self._model: Any = YOLO(str(weights), task="pose")
        except Exception as problem:  # the library raises whatever its backend raises
            raise WeightsError(f"ultralytics could not load {weights}: {problem}") from problem

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        fitted = letterbox(pixels, scale)
        size = (fitted.shape[0], fitted.shape[1])
        seen = self._model.predict(fitted, imgsz=size, conf=FAINT, iou=OVERLAP, max_det=1000, verbose=False)[0]
        factor = floats([letterbox_to_frame(pixels.shape[1], scale), letterbox_to_frame(pixels.shape[0], scale)])
        boxes = seen.boxes.xyxy.cpu().numpy().astype(np.float32)
        quads = seen.keypoints.xy.cpu().numpy().astype(np.float32).reshape(-1, 4, 2)
        return Detections(boxes * np.tile(factor, 2), seen.boxes.conf.cpu().numpy().astype(np.float32), quads * factor)
