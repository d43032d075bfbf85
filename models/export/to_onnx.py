"""Exports trained networks to the weights that the program ships: ``python -m models.export.to_onnx runs``.

Writes those of detector.onnx, outline_refiner.onnx and index_classifier.onnx that are trained, with weights in half
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
MIN_INT8_SIZE = 100_000
"""Smallest matrix, in numbers, that ``store_int8`` converts."""
MIN_SCALE = 1e-12
"""Avoids division by zero for rows of zeros."""


def export(run: Path, folder: Path = FOLDER) -> None:
    """Exports those of detector.pt, outline_refiner.pt and index_classifier.pt that are in ``run`` to ``folder``.

    Raises:
        FileNotFoundError: there is none of them.
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
        (folder / f"{name}{INT8}").unlink(missing_ok=True)  # made from the previous network
        store_fp16(folder / f"{name}.onnx")
    write_manifest(folder)


def store_fp16(path: Path) -> None:
    """Stores the weights of the network at ``path`` in half precision, which halves the file.

    They are converted to float32 on loading; the computation is unchanged. Biases and other vectors stay float32.
    """
    model = onnx.load(path)
    graph, float32 = model.graph, onnx.TensorProto.FLOAT
    casts = []
    for weight in [value for value in graph.initializer if value.data_type == float32 and len(value.dims) > 1]:
        numbers = onnx.numpy_helper.to_array(weight).astype(np.float16)
        half = onnx.numpy_helper.from_array(numbers, f"{weight.name}.half")
        casts.append(onnx.helper.make_node("Cast", [half.name], [weight.name], to=float32))
        graph.initializer.remove(weight)
        graph.initializer.append(half)
    _save_with_prefix(model, casts, path)


def store_int8(path: Path) -> None:
    """Stores the large matrices of the network's hidden layers in 8 bits, with one scale per output.

    They are converted to float32 on loading; the computation is unchanged.
    """
    model = onnx.load(path)
    graph, float32 = model.graph, onnx.TensorProto.FLOAT
    layers = {node.input[1]: node for node in graph.node if node.op_type == "Gemm"}
    casts = []
    for weight in [value for value in graph.initializer if value.data_type == float32 and value.name in layers]:
        numbers = onnx.numpy_helper.to_array(weight)
        if numbers.size < MIN_INT8_SIZE:
            continue
        # one output is a row of the matrix if it is transposed, otherwise a column
        rows = any(attribute.name == "transB" and attribute.i for attribute in layers[weight.name].attribute)
        scale = np.abs(numbers).max(1 if rows else 0, keepdims=True).astype(np.float32) / 127
        eight, scales = f"{weight.name}.eight", f"{weight.name}.scales"
        stored = np.round(numbers / np.maximum(scale, MIN_SCALE)).astype(np.int8)
        casts += [
            onnx.helper.make_node("Cast", [eight], [f"{eight}.whole"], to=float32),
            onnx.helper.make_node("Mul", [f"{eight}.whole", scales], [weight.name]),
        ]
        graph.initializer.remove(weight)
        graph.initializer.append(onnx.numpy_helper.from_array(stored, eight))
        graph.initializer.append(onnx.numpy_helper.from_array(scale, scales))
    _save_with_prefix(model, casts, path)


def _save_with_prefix(model: onnx.ModelProto, first: list[onnx.NodeProto], path: Path) -> None:
    """Saves the model to ``path`` with the nodes ``first`` before all others."""
    nodes = [*first, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def write_manifest(folder: Path) -> None:
    """Writes weights.json, the hashes of all weights of ``folder``."""
    weights = [
        path for path in sorted(folder.iterdir()) if path.suffix in (".onnx", ".npz") or path.name == CALIBRATION
    ]
    entries = {path.name: {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()} for path in weights}
    (folder / MANIFEST).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "run", type=Path, help="folder with detector.pt, outline_refiner.pt, index_classifier.pt or some of them"
    )
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder to export to (default: models/weights)")
    options = parser.parse_args()
    try:
        export(options.run, options.to)
    except FileNotFoundError as error:
        parser.error(str(error))
    for path in sorted(options.to.glob("*.onnx")):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
