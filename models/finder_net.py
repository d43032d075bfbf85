"""The finder's network: a one-class YOLO pose model from ultralytics; the only file of this room that names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn
from ultralytics.cfg import get_cfg
from ultralytics.nn.tasks import PoseModel

OUTLINE_TOLERANCE = 1.5
"""Keypoint tolerance (OKS sigma). The default, 1 / keypoints of the box, is flat for outlines several boxes away."""


def build(architecture: str = "yolo11n-pose.yaml") -> Any:
    """A fresh network: one class (an index), four keypoints (its card's corners)."""
    net: Any = PoseModel(architecture, ch=3, nc=1, data_kpt_shape=(4, 2), verbose=False)  # type: ignore[no-untyped-call]
    net.args = get_cfg()
    net.kpt_oks_sigmas = [OUTLINE_TOLERANCE] * 4
    net.names = {0: "index"}
    return net


def loss(net: Any, images: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """The summed loss to step on, and its parts (box, pose, keypoint objectness, class, dfl) for the log."""
    if getattr(net, "criterion", None) is None:
        net.criterion = net.init_criterion()
    with torch.autocast(images.device.type, torch.bfloat16):
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
    """Exports a checkpoint of ``save_for_export`` to ONNX with a free picture size; returns ``target``."""
    from ultralytics.models import YOLO

    made = YOLO(str(checkpoint), task="pose").export(format="onnx", dynamic=True, simplify=True, imgsz=size, opset=17)
    return Path(str(made)).replace(target)
