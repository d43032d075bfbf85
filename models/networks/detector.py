"""Detector: a one-class YOLO pose model from ultralytics; the only file of this room that imports ultralytics."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn
from ultralytics.cfg import get_cfg
from ultralytics.nn.tasks import PoseModel

from models.networks.layers import run_mixed
from vision.detect.yolo_head import BOX_STEPS, HEAD, LEVELS

OUTLINE_WEIGHT = 0.2
"""Weight of an outline's error, in sides of its box, against the other losses; ultralytics' pose gain (12) is applied
on top."""


def build() -> Any:
    """Builds an untrained network: one class (an index), four keypoints (its card's corners)."""
    net: Any = PoseModel("yolo11n-pose.yaml", ch=3, nc=1, data_kpt_shape=(4, 2), verbose=False)
    net.args = get_cfg()
    net.names = {0: "index"}
    return net


class OutlineLoss(nn.Module):
    """Distance of predicted card corners from the true ones.

    Replaces object keypoint similarity (OKS): to reach outlines several boxes away OKS must be wide, and is then flat
    near the true corners. The plain distance has the same gradient near and far. Where an outline could be one of two
    (left index or right one?) it converges to the likelier one instead of a point between them.
    """

    def forward(
        self, predicted: torch.Tensor, true: torch.Tensor, mask: torch.Tensor, area: torch.Tensor
    ) -> torch.Tensor:
        """Returns the mean distance of ``predicted`` and ``true`` (n, 4, 2 or more), relative to the side of a box of
        ``area`` (n, 1); corners where ``mask`` (n, 4) is false do not count."""
        square = (predicted[..., :2] - true[..., :2]).pow(2).sum(-1)
        return OUTLINE_WEIGHT * ((square / area.clamp(min=1e-3) + 1e-4).sqrt() * mask).mean()


def loss(net: Any, images: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the loss summed over the batch, and its parts (box, pose, keypoint objectness, class, dfl)."""
    if getattr(net, "criterion", None) is None:
        net.criterion = net.init_criterion()
        net.criterion.keypoint_loss = OutlineLoss()
    total, parts = net.criterion(run_mixed(net, images), batch)
    values = list(parts.values()) if isinstance(parts, dict) else list(parts)
    return total.sum(), torch.stack([value.detach().float() for value in values])


def save_for_export(net: nn.Module, path: Path) -> None:
    """Writes a checkpoint that ultralytics' own tools (export, predict) can open."""
    torch.save({"model": net.float().cpu(), "train_args": {"task": "pose", "imgsz": 640}, "epoch": -1}, path)


def export_onnx(checkpoint: Path, target: Path) -> Path:
    """Exports a checkpoint of ``save_for_export`` to ONNX with a variable picture size and the outputs of
    ``yolo_head.HEAD`` beside the usual one; returns ``target``."""
    from ultralytics.models import YOLO

    made = YOLO(str(checkpoint), task="pose").export(format="onnx", dynamic=True, simplify=True, imgsz=640, opset=17)
    model = onnx.load(str(made))
    del model.graph.value_info[:]  # inferred shapes, which no engine needs
    with_head_outputs(model)
    with_plain_softmax(model)
    onnx.save(model, str(target))
    return target


def with_head_outputs(model: onnx.ModelProto) -> None:
    """Adds the last convolutions of the box, score and keypoint branches as outputs.

    Raises:
        ValueError: the network has no YOLO pose head with branches named as ultralytics names them.
    """
    produced = [output for node in model.graph.node if node.op_type == "Conv" for output in node.output]
    for name, (branch, level) in zip(HEAD, product(("cv2", "cv3", "cv4"), range(LEVELS)), strict=True):
        pattern = re.compile(rf"/model\.\d+/{branch}\.{level}/{branch}\.{level}\.2/Conv_output_0")
        outputs = [output for output in produced if pattern.fullmatch(output)]
        if len(outputs) != 1:
            raise ValueError(f"expected a YOLO pose network with one branch {branch} at level {level}: {outputs}")
        for node in model.graph.node:
            for names in (node.input, node.output):
                names[:] = [name if old == outputs[0] else old for old in names]
        depth = {"cv2": 4 * BOX_STEPS, "cv3": 1, "cv4": 8}[branch]
        shape: list[str | int] = ["batch", depth, f"height{level}", f"width{level}"]
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))


def with_plain_softmax(model: onnx.ModelProto) -> None:
    """Replaces the softmax over the distance distribution of each box side by exponentials divided by their sum.

    ONNX Runtime computes a softmax over any but the last axis cell by cell, which takes a tenth of the detector's time.
    The logits are far below the value (about 88) at which exponentials overflow float32.

    Raises:
        ValueError: the network has no such softmax.
    """
    graph = model.graph
    positions = [n for n, node in enumerate(graph.node) if node.name.endswith("/dfl/Softmax") and node.attribute]
    if len(positions) != 1:
        raise ValueError(
            f"expected a YOLO network with one softmax over distances and its axis, found {len(positions)}"
        )
    position, node = positions[0], graph.node[positions[0]]
    graph.initializer.append(onnx.numpy_helper.from_array(np.array([node.attribute[0].i], np.int64), "distances"))
    graph.node.remove(node)
    make = onnx.helper.make_node
    for replacement in (
        make("Div", ["powers", "sum of powers"], [node.output[0]]),
        make("ReduceSum", ["powers", "distances"], ["sum of powers"], keepdims=1),
        make("Exp", [node.input[0]], ["powers"]),
    ):
        graph.node.insert(position, replacement)
