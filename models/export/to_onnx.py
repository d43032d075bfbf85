"""Exports trained networks to the weights the program ships: ``python -m models.export.to_onnx runs``.

Writes detector.onnx, outline_refiner.onnx and index_classifier.onnx, as far as they are trained, with weights in half
precision, and weights.json (their SHA-256, checked before every use) to models/weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx

from models.networks import detector, index_classifier, outline_refiner
from vision.engines.weights import FOLDER, INT8, MANIFEST
from vision.rescore.relation_model import CALIBRATION

NETWORKS = ("detector", "outline_refiner", "index_classifier")
LARGE = 100_000
"""A matrix of so many numbers is kept in 8 bits where that is asked for."""
LEAST_SCALE = 1e-12
"""Numbers smaller than this are nought."""


def export(run: Path, folder: Path = FOLDER) -> None:
    """Exports detector.pt, outline_refiner.pt and index_classifier.pt, those that are in ``run``, into ``folder``.

    Raises:
        FileNotFoundError: none of them is.
    """
    present = [name for name in NETWORKS if (run / f"{name}.pt").is_file()]
    if not present:
        raise FileNotFoundError(f"expected one of {', '.join(f'{name}.pt' for name in NETWORKS)} in {run}, found none")
    folder.mkdir(parents=True, exist_ok=True)
    for name in present:
        if name == "detector":
            with tempfile.TemporaryDirectory() as work:
                # ultralytics writes beside the checkpoint it exports
                copy = Path(shutil.copy(run / "detector.pt", work))
                shutil.copy(detector.export_onnx(copy, Path(work) / "out.onnx"), folder / "detector.onnx")
        else:
            network = outline_refiner if name == "outline_refiner" else index_classifier
            network.export_onnx(run / f"{name}.pt", folder / f"{name}.onnx")
        (folder / f"{name}{INT8}").unlink(missing_ok=True)  # made of the network before
        halve(folder / f"{name}.onnx")
    note_hashes(folder)


def halve(path: Path) -> None:
    """Keeps the weights of the network at ``path`` in half precision, which halves the file: they are made whole when
    it is loaded, and it reckons as before. Biases and other small numbers stay as they are."""
    model = onnx.load(path)
    graph, whole = model.graph, onnx.TensorProto.FLOAT
    casts = []
    for weight in [one for one in graph.initializer if one.data_type == whole and len(one.dims) > 1]:
        numbers = onnx.numpy_helper.to_array(weight).astype(np.float16)
        half = onnx.numpy_helper.from_array(numbers, f"{weight.name}.half")
        casts.append(onnx.helper.make_node("Cast", [half.name], [weight.name], to=whole))
        graph.initializer.remove(weight)
        graph.initializer.append(half)
    _save_with(model, casts, path)


def narrow(path: Path) -> None:
    """Keeps the large matrices of the network at ``path``, those of its hidden layers, in 8 bits, each scaled by the
    output that it leads to: they are made whole when it is loaded, and it reckons in single precision as before."""
    model = onnx.load(path)
    graph, whole = model.graph, onnx.TensorProto.FLOAT
    layers = {node.input[1]: node for node in graph.node if node.op_type == "Gemm"}
    made = []
    for weight in [one for one in graph.initializer if one.data_type == whole and one.name in layers]:
        numbers = onnx.numpy_helper.to_array(weight)
        if numbers.size < LARGE:
            continue
        # an output is a row, or a column
        rows = any(trait.name == "transB" and trait.i for trait in layers[weight.name].attribute)
        scale = np.abs(numbers).max(1 if rows else 0, keepdims=True).astype(np.float32) / 127
        eight, scales = f"{weight.name}.eight", f"{weight.name}.scales"
        stored = np.round(numbers / np.maximum(scale, LEAST_SCALE)).astype(np.int8)
        made += [
            onnx.helper.make_node("Cast", [eight], [f"{eight}.whole"], to=whole),
            onnx.helper.make_node("Mul", [f"{eight}.whole", scales], [weight.name]),
        ]
        graph.initializer.remove(weight)
        graph.initializer.append(onnx.numpy_helper.from_array(stored, eight))
        graph.initializer.append(onnx.numpy_helper.from_array(scale, scales))
    _save_with(model, made, path)


def _save_with(model: onnx.ModelProto, first: list[onnx.NodeProto], path: Path) -> None:
    """Saves the model to ``path`` with the nodes ``first`` before all others, which take from them."""
    nodes = [*first, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def note_hashes(folder: Path) -> None:
    """Writes weights.json anew for all weights of ``folder``."""
    weights = [path for path in sorted(folder.iterdir()) if path.suffix == ".onnx" or path.name == CALIBRATION]
    entries = {path.name: {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()} for path in weights}
    (folder / MANIFEST).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "run", type=Path, help="the folder with some of detector.pt, outline_refiner.pt, index_classifier.pt"
    )
    parser.add_argument("--to", type=Path, default=FOLDER)
    given = parser.parse_args()
    try:
        export(given.run, given.to)
    except FileNotFoundError as problem:
        parser.error(str(problem))
    for path in sorted(given.to.glob("*.onnx")):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
