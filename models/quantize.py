"""Makes the two networks that run most, settler and namer, reckon in numbers of 8 bits: ``python -m models.quantize``.

Both run some hundreds of times a photo; in 8 bits they take less than half the time. Weights are scaled by channel,
what flows between the layers by the ranges seen on drawn tables. Weights use 7 of the 8 bits, so that no sum overflows
on processors without instructions of their own for this (see "reduce range" in ONNX Runtime's guide to quantization).
The networks they are made of stay beside them, for engines that have their own forms.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from datasets.decks import training_decks
from models import namer_data, settler_data
from models.export import halve, note_hashes
from vision.ncnn_form import make_whole
from vision.weights import FOLDER, INT8, weights_path

BATCH = 16
BATCHES = 20
"""So many batches of drawn windows and patches tell the ranges."""
DRAWN = 20
"""So many new decks they are drawn of, beside the packages'."""
STORE = 600
"""So many of them are drawn before the first is taken, that they come from many tables."""


class _Given(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, name: str, batches: Iterable[NDArray[np.float32]]) -> None:
        self._batches = ({name: batch} for batch in batches)

    def get_next(self) -> dict[str, Any] | None:
        return next(self._batches, None)


def quantize(network: Path, batches: Iterable[NDArray[np.float32]], target: Path) -> Path:
    """Writes ``network`` (ONNX, one input) with convolutions of 8 bits to ``target``, which it returns; the ranges are
    those seen on ``batches`` of its input."""
    with tempfile.TemporaryDirectory() as folder:
        whole, ready = Path(folder) / "whole.onnx", Path(folder) / "ready.onnx"
        model = onnx.load(network)
        make_whole(model)
        onnx.save(model, whole)
        quant_pre_process(whole, ready, skip_symbolic_shape=True)
        quantize_static(
            ready,
            target,
            _Given(model.graph.input[0].name, batches),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "Relu"],  # what is cut off below nought is so already in 8 bits without sign
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    halve(target)
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=FOLDER, help="the folder with finder, settler and namer")
    parser.add_argument("--seed", type=int, default=2_000, help="of the decks and tables drawn")
    given = parser.parse_args()
    decks = training_decks(DRAWN, given.seed)
    windows = settler_data.WindowStream(decks, given.seed, given.weights, STORE)
    patches = namer_data.PatchStream(decks, given.seed, store=STORE)
    for name, batches in (
        ("settler", settler_data.batches(windows, BATCH, 0)),
        ("namer", namer_data.batches(patches, BATCH, 0)),
    ):
        path = weights_path(f"{name}.onnx", given.weights)
        made = quantize(path, (batch[0].numpy() for batch in islice(batches, BATCHES)), path.with_name(name + INT8))
        print(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")
    note_hashes(given.weights)


if __name__ == "__main__":
    main()
