"""Stores the weights of ONNX files in fewer bits; nothing changes in how they compute."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx

MIN_INT8_SIZE = 100_000
"""Smallest matrix, in numbers, that ``store_int8`` converts."""
MIN_SCALE = 1e-12
"""Avoids division by zero for rows of zeros."""


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
