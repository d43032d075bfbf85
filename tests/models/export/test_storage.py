"""Half-precision weights of exported networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
onnx = pytest.importorskip("onnx", reason="the extra train is not installed")


def test_fp16_weights_compute_like_float32_ones(tmp_path: Path) -> None:
    from models.export.storage import store_fp16

    rng = np.random.default_rng(0)
    numbers = {"weight": rng.normal(0, 1, (40, 30)), "bias": np.full(30, 1e-9)}
    inputs, outputs = (
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", size])
        for name, size in (("input", 40), ("output", 30))
    )
    weights = [onnx.numpy_helper.from_array(value.astype(np.float32), name) for name, value in numbers.items()]
    nodes = [
        onnx.helper.make_node("MatMul", ["input", "weight"], ["product"]),
        onnx.helper.make_node("Add", ["product", "bias"], ["output"]),
    ]
    graph = onnx.helper.make_graph(nodes, "net", [inputs], [outputs], weights)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    path = tmp_path / "net.onnx"
    onnx.save(model, path)
    feed = {"input": rng.normal(0, 1, (5, 40)).astype(np.float32)}

    def run() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.asarray(onnxruntime.InferenceSession(str(path)).run(None, feed)[0])

    before, size = run(), path.stat().st_size
    store_fp16(path)
    assert run() == pytest.approx(before, abs=0.02)
    assert path.stat().st_size < 0.6 * size
    kinds = {weight.name: weight.data_type for weight in onnx.load(path).graph.initializer}
    assert kinds == {"bias": onnx.TensorProto.FLOAT, "weight.half": onnx.TensorProto.FLOAT16}
