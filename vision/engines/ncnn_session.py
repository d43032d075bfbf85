"""The networks on NCNN, which is fast on small ARM machines (needs the extra ``ncnn``); only this file imports it.

A ``NcnnNetwork`` has the interface of an ONNX Runtime session, so that the detector runs on either.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.engines.ncnn_convert import check_converted
from vision.engines.weights import FOLDER
from vision.errors import WeightsError


@dataclass(frozen=True, slots=True)
class _Input:
    name: str


class NcnnNetwork:
    """One network of a folder made by ``vision.engines.ncnn_convert``.

    Args:
        folder: that folder.
        name: one of ``ncnn_convert.NETWORKS``.
        half: whether to compute in half precision where the processor can; faster there, a little less exact.
        weights: the folder of weights it must be made from.

    Raises:
        WeightsError: NCNN is not installed, or the folder is not made from ``weights``.
    """

    def __init__(self, folder: Path, name: str, half: bool, weights: Path = FOLDER) -> None:
        # active waiting stalls its threads where another program occupies a core
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import ncnn
        except ImportError as error:
            raise WeightsError(
                "expected the package ncnn for this engine, it is not installed: pip install 'handfoot[ncnn]'"
            ) from error
        self._input, self._outputs = check_converted(folder, weights)[name]
        self._matrix = ncnn.Mat
        self._net: Any = ncnn.Net()
        options = self._net.opt
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = half
        options.openmp_blocktime = 0
        if self._net.load_param(str(folder / f"{name}.param")) or self._net.load_model(str(folder / f"{name}.bin")):
            raise WeightsError(
                f"NCNN could not load the {name} in {folder.name}: run 'handfoot doctor --benchmark' again"
            )

    def get_inputs(self) -> list[_Input]:
        return [_Input(self._input)]

    def run(self, names: Sequence[str] | None, inputs: dict[str, Floats]) -> list[Floats]:
        """The outputs of these names (None: all) for a batch (n, 3, height, width); each (n, …)."""
        results = [self._run_one(picture) for picture in inputs[self._input]]
        outputs = {name: np.stack([result[i] for result in results]) for i, name in enumerate(self._outputs)}
        return [outputs[name] for name in names or self._outputs]

    def _run_one(self, picture: Floats) -> list[Floats]:
        extractor = self._net.create_extractor()
        extractor.input("in0", self._matrix(np.ascontiguousarray(picture)).clone())
        return [floats(extractor.extract(f"out{i}")[1]) for i in range(len(self._outputs))]
