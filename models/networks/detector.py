"""The finder's network: a one-class YOLO pose model from ultralytics; the only file of this room that names it."""

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

from models.networks.layers import mixed_precision
from vision.detect.yolo_head import BOX_STEPS, HEAD, LEVELS

OUTLINE_WEIGHT = 0.2
"""What an outline's error, in sides of its box, weighs against the other losses; the pose gain of ultralytics (12)
comes on top."""


def build(architecture: str = "yolo11n-pose.yaml") -> Any:
    """A fresh network: one class (an index), four keypoints (its card's corners)."""
    net: Any = PoseModel(architecture, ch=3, nc=1, data_kpt_shape=(4, 2), verbose=False)  # type: ignore[no-untyped-call]
    net.args = get_cfg()
    net.names = {0: "index"}
    return net


class OutlineLoss(nn.Module):
    """How far predicted card corners are from the true ones.

    Keypoint similarity (OKS), the usual loss, must be wide to reach outlines several boxes away and is then flat where
    they are nearly right. The plain distance pulls as hard from near as from far, and where an outline could be one of
    two (is this the left index or the right one?) it settles on the likelier and not between them.
    """

    def forward(
        self, predicted: torch.Tensor, true: torch.Tensor, mask: torch.Tensor, area: torch.Tensor
    ) -> torch.Tensor:
        """The mean distance of ``predicted`` and ``true`` (n, 4, 2 or more) in sides of their boxes of ``area`` (n, 1);
        corners where ``mask`` (n, 4) is false do not count."""
        square = (predicted[..., :2] - true[..., :2]).pow(2).sum(-1)
        return OUTLINE_WEIGHT * ((square / area.clamp(min=1e-3) + 1e-4).sqrt() * mask).mean()


def loss(net: Any, images: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """The summed loss to step on, and its parts (box, pose, keypoint objectness, class, dfl) for the log."""
    if getattr(net, "criterion", None) is None:
        net.criterion = net.init_criterion()
        net.criterion.keypoint_loss = OutlineLoss()
    with mixed_precision(images.device.type):
        predicted = net(images)
    predicted = _as_float(predicted)
    total, parts = net.criterion(predicted, batch)
    values = list(parts.values()) if isinstance(parts, dict) else list(parts)
    return total.sum(), torch.stack([value.detach().float() for value in values])


def _as_float(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float()
    if isinstance(value, dict):
        return {key: _as_float(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_as_float(item) for item in value)
    return value


def save_for_export(net: nn.Module, path: Path) -> None:
    """Writes a checkpoint that ultralytics' own tools (export, predict) open."""
    torch.save({"model": net.float().cpu(), "train_args": {"task": "pose", "imgsz": 640}, "epoch": -1}, path)


def export_onnx(checkpoint: Path, target: Path, size: int = 640) -> Path:
    """Exports a checkpoint of ``save_for_export`` to ONNX with a free picture size and the outputs of ``head.HEAD``
    beside the usual one; returns ``target``."""
    from ultralytics.models import YOLO

    made = YOLO(str(checkpoint), task="pose").export(format="onnx", dynamic=True, simplify=True, imgsz=size, opset=17)
    model = onnx.load(str(made))
    del model.graph.value_info[:]  # shapes on the way, which no engine asks for
    with_head(model)
    with_plain_softmax(model)
    onnx.save(model, str(target))
    return target


def with_head(model: onnx.ModelProto) -> None:
    """Makes the last convolutions of the branches for boxes, scores and corners outputs of their own.

    Raises:
        ValueError: the network has no YOLO pose head with branches named as ultralytics names them.
    """
    made = [output for node in model.graph.node if node.op_type == "Conv" for output in node.output]
    for name, (branch, level) in zip(HEAD, product(("cv2", "cv3", "cv4"), range(LEVELS)), strict=True):
        pattern = re.compile(rf"/model\.\d+/{branch}\.{level}/{branch}\.{level}\.2/Conv_output_0")
        outputs = [one for one in made if pattern.fullmatch(one)]
        if len(outputs) != 1:
            raise ValueError(f"expected a YOLO pose network with one branch {branch} at level {level}: {outputs}")
        for node in model.graph.node:
            for names in (node.input, node.output):
                names[:] = [name if one == outputs[0] else one for one in names]
        depth = {"cv2": 4 * BOX_STEPS, "cv3": 1, "cv4": 8}[branch]
        shape: list[str | int] = ["batch", depth, f"height{level}", f"width{level}"]
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))


def with_plain_softmax(model: onnx.ModelProto) -> None:
    """Puts powers and their sum in the place of the softmax over the distances that each side of a box is spread over.

    ONNX Runtime takes a softmax over other than the last axis cell by cell, a tenth of the finder's whole time. The
    scores of distances are far below those (some 88) at which powers leave single precision.

    Raises:
        ValueError: the network has no such softmax.
    """
    graph = model.graph
    places = [n for n, node in enumerate(graph.node) if node.name.endswith("/dfl/Softmax") and node.attribute]
    if len(places) != 1:
        raise ValueError(f"expected a YOLO network with one softmax over distances and its axis, found {len(places)}")
    place, node = places[0], graph.node[places[0]]
    graph.initializer.append(onnx.numpy_helper.from_array(np.array([node.attribute[0].i], np.int64), "distances"))
    graph.node.remove(node)
    make = onnx.helper.make_node
    for one in (
        make("Div", ["powers", "sum of powers"], [node.output[0]]),
        make("ReduceSum", ["powers", "distances"], ["sum of powers"], keepdims=1),
        make("Exp", [node.input[0]], ["powers"]),
    ):
        graph.node.insert(place, one)
