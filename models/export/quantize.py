"""Makes the three networks that take most time reckon in numbers of 8 bits: ``python -m models.export.quantize``.

Settler and namer run some hundreds of times a photo, the finder sees all of it; in 8 bits they take about half as
long. Of the finder all is in 8 bits but its first two convolutions, its attention and its head: with the head in 8 bits
too outlines are off by twice as much. Of the others it is the convolutions, for little lies between them. Weights are
scaled by channel, what flows between the layers by the ranges seen on drawn tables. Weights use 7 of the 8 bits, so
that no sum overflows on processors without instructions of their own for this (see "reduce range" in ONNX Runtime's
guide to quantization).
The networks they are made of stay beside them, for engines that have their own forms.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from datasets.decks.splits import training_decks
from models.export.to_onnx import halve, narrow, note_hashes
from models.samples import detector, index_classifier, outline_refiner
from vision.arrays import floats
from vision.detect.yolo_head import HEAD
from vision.engines.ncnn_convert import to_float32
from vision.engines.weights import FOLDER, INT8, weights_path

CONVOLUTIONS = ("Conv", "Relu")
"""What is cut off below nought is so already in 8 bits without sign."""
ALL = ("Conv", "Sigmoid", "Mul", "Add", "Concat", "MaxPool", "Resize", "Split")
"""Between the finder's convolutions too nothing is made whole: that would take as long as they spare."""
WHOLE = ("/model.0/", "/model.1/", "/model.23/")
"""So begin the names of what stays as it is in the finder: its first convolutions and its head."""
PICTURES = 40
"""So many drawn pictures tell the ranges of the finder."""
BATCH = 16
BATCHES = 20
"""So many batches of drawn windows and patches tell those of settler and namer."""
DRAWN = 20
"""So many new decks they are drawn of, beside the packages'."""
STORE = 600
"""So many of them are drawn before the first is taken, that they come from many tables."""


class _Given(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, name: str, batches: Iterable[NDArray[np.float32]]) -> None:
        self._batches = ({name: batch} for batch in batches)

    def get_next(self) -> dict[str, Any] | None:
        return next(self._batches, None)


def quantize(
    network: Path,
    batches: Iterable[NDArray[np.float32]],
    target: Path,
    operators: Sequence[str] = CONVOLUTIONS,
    whole: Sequence[str] = (),
    outputs: Sequence[str] = (),
) -> Path:
    """Writes ``network`` (ONNX, one input) with its ``operators`` in 8 bits to ``target``, which it returns; the ranges
    are those seen on ``batches`` of its input. Those whose names begin as one of ``whole`` stay as they are. Where
    ``outputs`` are named, it has no others."""
    with tempfile.TemporaryDirectory() as folder:
        given, ready = Path(folder) / "given.onnx", Path(folder) / "ready.onnx"
        model = onnx.load(network)
        to_float32(model)
        onnx.save(model, given)
        if outputs:
            onnx.utils.extract_model(str(given), str(given), [model.graph.input[0].name], list(outputs))
        quant_pre_process(given, ready, skip_symbolic_shape=True)
        quantize_static(
            ready,
            target,
            _Given(model.graph.input[0].name, batches),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(operators),
            nodes_to_exclude=[node.name for node in onnx.load(ready).graph.node if node.name.startswith(tuple(whole))],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    narrow(target)
    halve(target)
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=FOLDER, help="the folder with finder, settler and namer")
    parser.add_argument("--seed", type=int, default=2_000, help="of the decks and tables drawn")
    given = parser.parse_args()
    decks, made = training_decks(DRAWN, given.seed), []
    path = weights_path("detector.onnx", given.weights)
    tables = detector.batches(detector.TableStream(decks, given.seed, reuse=1, store=8), 1, 0)
    pictures = (floats(batch["img"].numpy()) / np.float32(255) for batch in islice(tables, PICTURES))
    made.append(quantize(path, pictures, path.with_name("detector" + INT8), ALL, WHOLE, HEAD))
    note_hashes(given.weights)  # the windows are drawn with this finder
    windows = outline_refiner.WindowStream(decks, given.seed, given.weights, STORE)
    patches = index_classifier.PatchStream(decks, given.seed, store=STORE)
    for name, batches in (
        ("outline_refiner", outline_refiner.batches(windows, BATCH, 0)),
        ("index_classifier", index_classifier.batches(patches, BATCH, 0)),
    ):
        path = weights_path(f"{name}.onnx", given.weights)
        shown = (batch[0].numpy() for batch in islice(batches, BATCHES))
        made.append(quantize(path, shown, path.with_name(name + INT8)))
    for path in made:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    note_hashes(given.weights)


if __name__ == "__main__":
    main()
