"""NCNN, which is fast on small ARM machines (needs the extra ``ncnn``); only this file imports it.

The shipped detector is converted with pnnx, on the computer that will run it. pnnx fixes the input size; the detector
takes pictures of any size, so it is converted for a size whose numbers can be recognised in the result, and these are
made variable again.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.detect.detector import Detector, OnnxDetector
from vision.detect.yolo_head import HEAD, check_outputs
from vision.engines.kinds.base import EngineKind
from vision.engines.weights import FOLDER, MANIFEST, weights_path
from vision.errors import WeightsError

HALF = "ncnn-half"
"""Computes in half precision where the processor can: faster there, and a little less exact."""
_NETWORK = "detector"
_ROWS, _COLUMNS = 19, 23
"""Cells of the detector's coarsest map in the conversion; these numbers occur nowhere else in its description."""
_STRIDE = 32
_MADE = "made.json"
"""Beside the converted network: the weights it is made from, the version of pnnx, names of inputs and outputs."""
_TIMEOUT = 300
"""Seconds that pnnx may take."""
_INSTALL = "pip install 'handfoot[ncnn]', and pip install --no-deps pnnx"


@dataclass(frozen=True, slots=True)
class _Input:
    name: str


class NcnnNetwork:
    """The detector that ``convert`` made, with the interface of an ONNX Runtime session.

    Args:
        folder: where it is.
        half: whether to compute in half precision.
        weights: the folder of weights it must be made from.

    Raises:
        WeightsError: NCNN is not installed, or the folder is not made from ``weights``.
    """

    def __init__(self, folder: Path, half: bool, weights: Path) -> None:
        # active waiting stalls its threads where another program occupies a core
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import ncnn
        except ImportError as error:
            raise WeightsError(
                "expected the package ncnn for this engine, it is not installed: pip install 'handfoot[ncnn]'"
            ) from error
        self._input, self._outputs = check_converted(folder, weights)
        self._matrix = ncnn.Mat
        self._net: Any = ncnn.Net()
        options = self._net.opt
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = half
        options.openmp_blocktime = 0
        files = (str(folder / f"{_NETWORK}.{ending}") for ending in ("param", "bin"))
        if self._net.load_param(next(files)) or self._net.load_model(next(files)):
            raise WeightsError(f"NCNN could not load what {folder.name} holds: run 'handfoot doctor --benchmark' again")

    def get_inputs(self) -> list[_Input]:
        return [_Input(self._input)]

    def run(self, names: Sequence[str], inputs: dict[str, Floats]) -> list[Floats]:
        """The outputs of these names for a picture (1, 3, height, width); each (1, …)."""
        extractor = self._net.create_extractor()
        extractor.input("in0", self._matrix(np.ascontiguousarray(inputs[self._input][0])).clone())
        return [floats(extractor.extract(f"out{self._outputs.index(name)}")[1])[None] for name in names]


def _open(engine: str, weights: Path, made: Path | None) -> Detector:
    if made is None:
        raise WeightsError(f"expected the detector converted for {engine}: run 'handfoot doctor --benchmark'")
    return OnnxDetector(NcnnNetwork(made, engine == HALF, weights))


def convert(folder: Path, weights: Path = FOLDER) -> None:
    """Converts the detector of ``weights`` into ``folder``, unless it is there already.

    Raises:
        WeightsError: onnx or pnnx is not installed, or pnnx fails.
    """
    try:
        check_converted(folder, weights)
        return
    except WeightsError:
        pass
    source = weights_path(f"{_NETWORK}.onnx", weights)
    made: dict[str, Any] = {"weights": _shipped(weights), "pnnx": _version()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in (folder / _MADE, *folder.glob("*.param"), *folder.glob("*.bin")):
            old.unlink(missing_ok=True)
        made["networks"] = {_NETWORK: _convert(source, folder)}
        (folder / _MADE).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise WeightsError(f"the networks could not be written to {folder} ({error}); make room there") from error


def _convert(source: Path, folder: Path) -> tuple[str, list[str]]:
    """Converts the detector into ``folder``; returns the names of its input and of its outputs."""
    try:
        import onnx
    except ImportError as error:
        raise WeightsError(f"expected the package onnx, it is not installed: {_INSTALL}") from error
    model = onnx.load(source)
    to_float32(model)
    check_outputs(output.name for output in model.graph.output)
    with tempfile.TemporaryDirectory() as work:
        net = Path(work) / f"{_NETWORK}.onnx"
        onnx.save(model, net)
        onnx.utils.extract_model(str(net), str(net), [model.graph.input[0].name], list(HEAD))
        reduced = onnx.load(net)
        shape = _fix_size(reduced)
        onnx.save(reduced, net)
        _run_pnnx(net, shape)
        text = net.with_suffix(".ncnn.param").read_text(encoding="utf-8")
        (folder / f"{_NETWORK}.param").write_text(free_size(text), encoding="utf-8")
        shutil.copyfile(net.with_suffix(".ncnn.bin"), folder / f"{_NETWORK}.bin")
    return model.graph.input[0].name, list(HEAD)


def to_float32(model: Any) -> None:
    """Replaces weights stored in half precision by single precision, in place; pnnx does not know the former."""
    import onnx

    stored = {weight.name: weight for weight in model.graph.initializer}
    for node in [node for node in model.graph.node if node.op_type == "Cast" and node.input[0] in stored]:
        half = stored[node.input[0]]
        single = onnx.numpy_helper.to_array(half).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(single, node.output[0]))
        model.graph.initializer.remove(half)
        model.graph.node.remove(node)


def check_converted(folder: Path, weights: Path) -> tuple[str, list[str]]:
    """The names of the converted detector's input and of its outputs.

    Raises:
        WeightsError: ``folder`` does not hold the detector of ``weights``.
    """
    try:
        made = json.loads((folder / _MADE).read_text(encoding="utf-8"))
        name, outputs = made["networks"][_NETWORK]
        if made["weights"] == _shipped(weights):
            return str(name), list(outputs)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise WeightsError(f"{folder.name} does not hold the shipped networks for NCNN: run 'handfoot doctor --benchmark'")


def _shipped(weights: Path) -> Any:
    return json.loads((weights / MANIFEST).read_text(encoding="utf-8"))


def _version() -> str:
    try:
        return importlib.metadata.version("pnnx")
    except importlib.metadata.PackageNotFoundError as error:
        raise WeightsError(f"expected the program pnnx, it is not installed: {_INSTALL}") from error


def _run_pnnx(network: Path, shape: tuple[int, ...]) -> None:
    """Runs the executable of the package pnnx, because its Python part would need PyTorch."""
    spec = importlib.util.find_spec("pnnx")
    program = next(Path(spec.origin).parent.glob("pnnx*"), None) if spec and spec.origin else None
    if program is None or not program.is_file():
        raise WeightsError(f"expected the program pnnx, it is not installed: {_INSTALL}")
    command = [str(program), network.name, f"inputshape=[{','.join(map(str, shape))}]", "fp16=0"]
    try:
        done = subprocess.run(command, cwd=network.parent, capture_output=True, timeout=_TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WeightsError(f"pnnx did not run ({error}); install another version of it") from error
    if done.returncode or not network.with_suffix(".ncnn.bin").is_file():
        raise WeightsError(f"pnnx {_version()} failed on the {network.stem}; install another version of it")


def _fix_size(model: Any) -> tuple[int, ...]:
    """Fixes the variable dimensions of a network's input, in place; returns the input's shape."""
    fixed = (1, 3, _ROWS * _STRIDE, _COLUMNS * _STRIDE)
    (network_input,) = model.graph.input
    for dimension, size in zip(network_input.type.tensor_type.shape.dim, fixed, strict=True):
        if dimension.HasField("dim_param"):
            dimension.dim_value = size
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return tuple(dimension.dim_value for dimension in network_input.type.tensor_type.shape.dim)


def free_size(text: str) -> str:
    """Makes the size variable in NCNN's description of a network converted for _COLUMNS x _ROWS cells.

    The size occurs only in its attention block, where a map is flattened and twice reshaped back; both now take the
    shape from the map itself.

    Raises:
        WeightsError: the description has another structure.
    """
    magic, _, *layers = text.splitlines()
    flat_size, map_shape = f"0={_COLUMNS * _ROWS}", [f"0={_COLUMNS}", f"1={_ROWS}"]
    result: list[list[str]] = []
    maps: list[str] = []
    for layer in map(str.split, layers):
        if layer[0] != "Reshape":
            result.append(layer)
            continue
        kind, name, _, _, source, output, *shape = layer
        if flat_size in shape and not maps:
            flattened, *maps = (f"{source}_{copy}" for copy in range(3))
            variable = ["0=-1" if size == flat_size else size for size in shape]
            result.append(["Split", f"{name}_copies", "1", "3", source, flattened, *maps])
            result.append([kind, name, "1", "1", flattened, output, *variable])
        elif shape[:2] == map_shape and maps:
            depth = shape[2].removeprefix("2=")
            result.append([kind, name, "2", "1", source, maps.pop(), output, f'6="1w,1h,{depth}"'])
        else:
            raise WeightsError("the detector is built in a way that NCNN cannot run; ONNX Runtime is used")
    blobs = sum(int(layer[3]) for layer in result)
    return "\n".join([magic, f"{len(result)} {blobs}", *(" ".join(layer) for layer in result)]) + "\n"


KIND = EngineKind(("ncnn", HALF), _open, convert)
