"""Quantizes the networks that take most time to 8 bits: RoI head and detector.

The RoI head runs some hundreds of times per photo, the detector on the whole photo; 8 bits take about half the time. In
the detector all is quantized but the first two convolutions, the attention and the head: with a quantized head outlines
are off by twice as much. In the RoI head it is the convolutions, since little lies between them. Weights are scaled per
channel, activations by the ranges seen on drawn tables. Weights use 7 of the 8 bits, so that no sum overflows on
processors without VNNI (see "reduce range" in ONNX Runtime's guide to quantization). The float detector stays beside
it, for engines with formats of their own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.export.storage import store_fp16, store_int8
from vision.engines.kinds.ncnn import to_float32

CONVOLUTIONS = ("Conv", "Relu")
"""Operators quantized by default: a ReLU after a convolution is free in unsigned 8 bits."""
DETECTOR_OPERATORS = ("Conv", "Sigmoid", "Mul", "Add", "Concat", "MaxPool", "Resize", "Split")
"""Operators of the detector: converting to float between convolutions would cost as much as they save."""
FLOAT_LAYERS = ("/model.0/", "/model.1/", "/model.23/")
"""Prefixes of the detector's layers that stay in float: the first two convolutions and the head."""
BATCH = 16
BATCHES = 20
"""Batches of crops that calibrate the RoI head's ranges."""
Inputs = Mapping[str, NDArray[np.float32]]
"""A batch for each input of a network, by name."""


class _Batches(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, batches: Iterable[Inputs]) -> None:
        self._batches = map(dict, batches)

    def get_next(self) -> dict[str, Any] | None:
        return next(self._batches, None)


def quantize(
    network: Path,
    batches: Iterable[Inputs],
    target: Path,
    operators: Sequence[str] = CONVOLUTIONS,
    float_layers: Sequence[str] = (),
    outputs: Sequence[str] = (),
) -> Path:
    """Quantizes the ``operators`` of ``network`` (ONNX) to 8 bits; returns ``target``.

    Ranges are calibrated on ``batches`` of its inputs. Layers whose names begin with one of ``float_layers`` stay in
    float. If ``outputs`` are given, the others are removed.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, ready = Path(folder) / "source.onnx", Path(folder) / "ready.onnx"
        model = onnx.load(network)
        to_float32(model)
        onnx.save(model, source)
        if outputs:
            onnx.utils.extract_model(str(source), str(source), [model.graph.input[0].name], list(outputs))
        quant_pre_process(source, ready, skip_symbolic_shape=True)
        quantize_static(
            ready,
            target,
            _Batches(batches),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(operators),
            nodes_to_exclude=[
                node.name for node in onnx.load(ready).graph.node if node.name.startswith(tuple(float_layers))
            ],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    store_int8(target)
    store_fp16(target)
    return target
