"""Quantizes the three networks that take most time to 8 bits: ``python -m models.export.quantize``.

Outline refiner and index classifier run some hundreds of times per photo, the detector on the whole photo; 8 bits take
about half the time. In the detector all is quantized but the first two convolutions, the attention and the head: with a
quantized head outlines are off by twice as much. In the others it is the convolutions, since little lies between them.
Weights are scaled per channel, activations by the ranges seen on drawn tables. Weights use 7 of the 8 bits, so that no
sum overflows on processors without VNNI (see "reduce range" in ONNX Runtime's guide to quantization). The float
networks stay beside them, for engines with formats of their own.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from datasets.decks.splits import training_decks
from models.export.candidate import add_target_options, target_folder
from models.export.storage import store_fp16, store_int8
from models.export.to_onnx import write_manifest
from models.samples import detector, index_classifier, outline_refiner
from vision.arrays import floats
from vision.detect.yolo_head import HEAD
from vision.engines.ncnn_convert import to_float32
from vision.engines.weights import INT8, weights_path

CONVOLUTIONS = ("Conv", "Relu")
"""Operators quantized by default: a ReLU after a convolution is free in unsigned 8 bits."""
DETECTOR_OPERATORS = ("Conv", "Sigmoid", "Mul", "Add", "Concat", "MaxPool", "Resize", "Split")
"""Operators of the detector: converting to float between convolutions would cost as much as they save."""
FLOAT_LAYERS = ("/model.0/", "/model.1/", "/model.23/")
"""Prefixes of the detector's layers that stay in float: the first two convolutions and the head."""
PICTURES = 40
"""Drawn pictures that calibrate the detector's ranges."""
BATCH = 16
BATCHES = 20
"""Batches of drawn windows and patches that calibrate the other networks' ranges."""
DRAWN_DECKS = 20
"""Drawn decks used for calibration, beside the packages'."""
STORE = 600
"""Size of the shuffled store they are taken from, so that they come from many tables."""


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_target_options(parser)
    parser.add_argument("--seed", type=int, default=2_000, help="seed of the decks and tables drawn (default: 2000)")
    options = parser.parse_args()
    folder = target_folder(parser, options)
    decks, made = training_decks(DRAWN_DECKS, options.seed), []
    path = weights_path("detector.onnx", folder)
    settings = detector.DetectorSettings(seed=options.seed, tables=PICTURES, usual=1.0)
    tables = detector.draw_block(settings, 0, decks)["picture"]
    pictures = ({"images": floats(table[None, :, :, ::-1].transpose(0, 3, 1, 2) / 255)} for table in tables)
    made.append(quantize(path, pictures, path.with_name("detector" + INT8), DETECTOR_OPERATORS, FLOAT_LAYERS, HEAD))
    write_manifest(folder)  # the windows are drawn with this detector
    windows = outline_refiner.WindowStream(decks, options.seed, folder, STORE)
    patches = index_classifier.PatchStream(decks, options.seed, store=STORE)
    for name, given, batches in (
        ("outline_refiner", "windows", outline_refiner.batches(windows, BATCH, 0)),
        ("index_classifier", "patches", index_classifier.batches(patches, BATCH, 0)),
    ):
        path = weights_path(f"{name}.onnx", folder)
        shown = ({given: batch[0].numpy()} for batch in islice(batches, BATCHES))
        made.append(quantize(path, shown, path.with_name(name + INT8)))
    for path in made:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    write_manifest(folder)


if __name__ == "__main__":
    main()
