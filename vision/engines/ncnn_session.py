"""The networks on NCNN, which is quick on small ARM machines (needs the extra ``ncnn``); only this file names it.

A ``NcnnNetwork`` answers as a session of ONNX Runtime does, so that finder, settler and namer run on either.
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
        name: ``finder``, ``settler`` or ``namer``.
        half: to reckon in numbers of 16 bits where the processor can; quicker there, a little less exact.
        weights: what the folder must be made from.

    Raises:
        WeightsError: NCNN is not installed, or the folder is not made from ``weights``.
    """

    def __init__(self, folder: Path, name: str, half: bool, weights: Path = FOLDER) -> None:
        # its threads wait for one another without end in sight where another program has a core
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import ncnn
        except ImportError as problem:
            raise WeightsError(
                "expected the package ncnn for this engine, it is not installed: pip install 'handfoot[ncnn]'"
            ) from problem
        self._inputs, self._outputs = check_converted(folder, weights)[name]
        self._matrix = ncnn.Mat
        self._net: Any = ncnn.Net()
        options = self._net.opt
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = half
        options.openmp_blocktime = 0
        if self._net.load_param(str(folder / f"{name}.param")) or self._net.load_model(str(folder / f"{name}.bin")):
            raise WeightsError(f"NCNN could not load the {name} in {folder}: run 'handfoot doctor --benchmark' again")

    def get_inputs(self) -> list[_Input]:
        return [_Input(self._inputs)]

    def run(self, names: Sequence[str] | None, given: dict[str, Floats]) -> list[Floats]:
        """The outputs of those names (None: all), for a batch (n, 3, height, width) as (n, …)."""
        each = [self._one(picture) for picture in given[self._inputs]]
        found = {name: np.stack([one[place] for one in each]) for place, name in enumerate(self._outputs)}
        return [found[name] for name in names or self._outputs]

    def _one(self, picture: Floats) -> list[Floats]:
        taken = self._net.create_extractor()
        taken.input("in0", self._matrix(np.ascontiguousarray(picture)).clone())
        return [floats(taken.extract(f"out{place}")[1]) for place in range(len(self._outputs))]
