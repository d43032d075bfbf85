"""Writes what a folder of weights lists: its files by hash, and the numbers that were fitted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from vision.engines.weights import MANIFEST
from vision.rescore.relations import CALIBRATION


def write_manifest(folder: Path) -> None:
    """Writes weights.json, the hashes of all weights of ``folder``."""
    weights = [
        path for path in sorted(folder.iterdir()) if path.suffix in (".onnx", ".npz") or path.name == CALIBRATION
    ]
    entries = {path.name: {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()} for path in weights}
    (folder / MANIFEST).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def write_fitted(folder: Path, fitted: Mapping[str, Sequence[float]]) -> None:
    """Writes the ``fitted`` weights, beside others that the folder of weights has, and the hashes of all files."""
    path = folder / CALIBRATION
    kept: dict[str, Sequence[float]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**kept, **fitted}, indent=1) + "\n", encoding="utf-8")
    write_manifest(folder)
