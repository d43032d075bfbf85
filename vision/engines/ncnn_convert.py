"""The shipped networks in NCNN's form, made on the machine that uses them: with pnnx, from the ONNX files.

pnnx fixes the size of a picture. The finder takes pictures of any size, so it is made for one size by which the numbers
that come of it are known, and these are set free again.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from vision.detect.yolo_head import HEAD, check_outputs
from vision.engines.weights import FOLDER, MANIFEST, weights_path
from vision.errors import WeightsError

NETWORKS = ("detector", "outline_refiner", "index_classifier")
_ROWS, _COLUMNS = 19, 23
_STRIDE = 32
_MADE = "made.json"
_PATIENCE = 300
_INSTALL = "pip install 'handfoot[ncnn]', and pip install --no-deps pnnx"


def convert_networks(folder: Path, weights: Path = FOLDER) -> None:
    """Writes the networks of ``weights`` to ``folder``; does nothing where they are there already.

    Raises:
        WeightsError: onnx or pnnx is not installed, or pnnx cannot make them.
    """
    try:
        check_converted(folder, weights)
        return
    except WeightsError:
        pass
    given = {name: weights_path(f"{name}.onnx", weights) for name in NETWORKS}
    made: dict[str, Any] = {"weights": _shipped(weights), "pnnx": _version(), "networks": {}}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in (folder / _MADE, *folder.glob("*.param"), *folder.glob("*.bin")):
            old.unlink(missing_ok=True)
        for name, path in given.items():
            made["networks"][name] = _make(name, path, folder)
        (folder / _MADE).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        raise WeightsError(f"the networks could not be written to {folder} ({problem}); make room there") from problem


def _make(name: str, path: Path, folder: Path) -> tuple[str, list[str]]:
    """Brings one network into NCNN's form; its input's name and its outputs'."""
    try:
        import onnx
    except ImportError as problem:
        raise WeightsError(f"expected the package onnx, it is not installed: {_INSTALL}") from problem
    model = onnx.load(path)
    to_float32(model)
    outputs = [found.name for found in model.graph.output]
    if name == "detector":
        check_outputs(outputs)
        outputs = list(HEAD)
    with tempfile.TemporaryDirectory() as work:
        net = Path(work) / f"{name}.onnx"
        onnx.save(model, net)
        onnx.utils.extract_model(str(net), str(net), [model.graph.input[0].name], outputs)
        part = onnx.load(net)
        shape = _fix(part)
        onnx.save(part, net)
        _run_pnnx(net, shape)
        text = net.with_suffix(".ncnn.param").read_text(encoding="utf-8")
        (folder / f"{name}.param").write_text(free_size(text) if name == "detector" else text, encoding="utf-8")
        shutil.copyfile(net.with_suffix(".ncnn.bin"), folder / f"{name}.bin")
    return model.graph.input[0].name, outputs


def to_float32(model: Any) -> None:
    """Puts whole weights in the place of those kept in half precision, which pnnx does not know."""
    import onnx

    halves = {weight.name: weight for weight in model.graph.initializer}
    for node in [node for node in model.graph.node if node.op_type == "Cast" and node.input[0] in halves]:
        half = halves[node.input[0]]
        whole = onnx.numpy_helper.to_array(half).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(whole, node.output[0]))
        model.graph.initializer.remove(half)
        model.graph.node.remove(node)


def check_converted(folder: Path, weights: Path = FOLDER) -> dict[str, tuple[str, list[str]]]:
    """For each network its input's name and its outputs'.

    Raises:
        WeightsError: ``folder`` does not hold the networks of ``weights``.
    """
    try:
        made = json.loads((folder / _MADE).read_text(encoding="utf-8"))
        networks = {name: (str(made["networks"][name][0]), list(made["networks"][name][1])) for name in NETWORKS}
        if made["weights"] == _shipped(weights):
            return networks
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        pass
    raise WeightsError(f"{folder} does not hold the shipped networks for NCNN: run 'handfoot doctor --benchmark'")


def _shipped(weights: Path) -> Any:
    return json.loads((weights / MANIFEST).read_text(encoding="utf-8"))


def _version() -> str:
    try:
        return importlib.metadata.version("pnnx")
    except importlib.metadata.PackageNotFoundError as problem:
        raise WeightsError(f"expected the program pnnx, it is not installed: {_INSTALL}") from problem


def _run_pnnx(given: Path, shape: tuple[int, ...]) -> None:
    """The program that the package brings along; its Python part would want PyTorch, and this does not."""
    spec = importlib.util.find_spec("pnnx")
    program = next(Path(spec.origin).parent.glob("pnnx*"), None) if spec and spec.origin else None
    if program is None or not program.is_file():
        raise WeightsError(f"expected the program pnnx, it is not installed: {_INSTALL}")
    command = [str(program), given.name, f"inputshape=[{','.join(map(str, shape))}]", "fp16=0"]
    try:
        done = subprocess.run(command, cwd=given.parent, capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise WeightsError(f"pnnx did not run ({problem}); install another version of it") from problem
    if done.returncode or not given.with_suffix(".ncnn.bin").is_file():
        raise WeightsError(f"pnnx {_version()} failed on the {given.stem}; install another version of it")


def _fix(model: Any) -> tuple[int, ...]:
    """Gives a network's input a fixed size, one of its own where it has none, and says which."""
    usual = (1, 3, _ROWS * _STRIDE, _COLUMNS * _STRIDE)
    (taken,) = model.graph.input
    for place, size in zip(taken.type.tensor_type.shape.dim, usual, strict=True):
        if place.HasField("dim_param"):
            place.dim_value = size
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return tuple(place.dim_value for place in taken.type.tensor_type.shape.dim)


def free_size(text: str) -> str:
    """NCNN's description of a network made for _COLUMNS x _ROWS cells, free of that size.

    Such numbers stand in its attention only, where a map's cells are laid in a row, and the row is laid out again
    twice; the shape is then taken from the map itself.

    Raises:
        WeightsError: the description is not built so.
    """
    magic, _, *layers = text.splitlines()
    row, map_again = f"0={_COLUMNS * _ROWS}", [f"0={_COLUMNS}", f"1={_ROWS}"]
    out: list[list[str]] = []
    shapes: list[str] = []
    for layer in map(str.split, layers):
        if layer[0] != "Reshape":
            out.append(layer)
            continue
        kind, name, _, _, source, made, *shape = layer
        if row in shape and not shapes:
            laid, *shapes = (f"{source}_{copy}" for copy in range(3))
            out.append(["Split", f"{name}_copies", "1", "3", source, laid, *shapes])
            out.append([kind, name, "1", "1", laid, made, *("0=-1" if word == row else word for word in shape)])
        elif shape[:2] == map_again and shapes:
            out.append([kind, name, "2", "1", source, shapes.pop(), made, f'6="1w,1h,{shape[2].removeprefix("2=")}"'])
        else:
            raise WeightsError("the finder is built otherwise than NCNN's form of it allows; ONNX Runtime is used")
    blobs = sum(int(layer[3]) for layer in out)
    return "\n".join([magic, f"{len(out)} {blobs}", *(" ".join(layer) for layer in out)]) + "\n"
