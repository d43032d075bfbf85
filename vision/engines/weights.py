"""The shipped weights: where they are, and whether they are unchanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from vision.errors import WeightsError


def _weights_folder() -> Path:
    """``models/weights`` in a checkout; ``vision/weights`` in an installed package, where the wheel puts them."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "models" / "weights"
    return checkout if checkout.is_dir() else package / "weights"


FOLDER = _weights_folder()
MANIFEST = "weights.json"
"""Lists the weights: {"detector.onnx": {"sha256": "…"}, …}."""

INT8 = "-int8.onnx"
"""Suffix of networks quantized to 8 bits."""


def _problem(path: Path, expected: str) -> str | None:
    if not path.is_file():
        return f"expected the weights {path.name} in {path.parent.name}, found none: install the program again"
    if hashlib.sha256(path.read_bytes()).hexdigest() != expected:
        return f"the weights {path.name} are not the shipped ones (their SHA-256 differs): install the program again"
    return None


def _manifest(folder: Path) -> dict[str, str]:
    try:
        entries = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return {name: str(entry["sha256"]) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"expected a readable {MANIFEST} in {folder.name}: install the program again") from error


def weights_path(name: str, folder: Path = FOLDER) -> Path:
    """The path of a shipped weights file, after checking its hash.

    Raises:
        WeightsError: the file or the manifest is missing, or the hash differs.
    """
    expected = _manifest(folder).get(name)
    if expected is None:
        raise WeightsError(f"expected weights named {name} in {folder.name}/{MANIFEST}: install the program again")
    error = _problem(folder / name, expected)
    if error:
        raise WeightsError(error)
    return folder / name


def fastest_path(network: str, folder: Path = FOLDER) -> Path:
    """The path of ``network`` in 8 bits where the folder has that, else of the original.

    Raises:
        WeightsError: as ``weights_path``.
    """
    quantized = network + INT8
    return weights_path(quantized if quantized in _manifest(folder) else f"{network}.onnx", folder)


def networks_hash(networks: Sequence[str], folder: Path = FOLDER) -> str:
    """A short hash of ``networks`` as the folder lists them: 16 hexadecimal digits.

    Raises:
        WeightsError: the manifest cannot be read, or lists one of them not at all.
    """
    listed = _manifest(folder)
    try:
        hashes = [listed.get(name + INT8) or listed[f"{name}.onnx"] for name in networks]
    except KeyError as error:
        raise WeightsError(f"expected {error} in {folder.name}/{MANIFEST}: install the program again") from error
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


def weights_report(folder: Path = FOLDER) -> list[dict[str, object]]:
    """For each shipped weights file: name, path, ok, message."""
    try:
        manifest = _manifest(folder)
    except WeightsError as error:
        return [{"name": MANIFEST, "path": str(folder / MANIFEST), "ok": False, "message": str(error)}]
    report: list[dict[str, object]] = []
    for name, expected in manifest.items():
        problem_text = _problem(folder / name, expected)
        message = problem_text or "as shipped"
        report.append({"name": name, "path": str(folder / name), "ok": problem_text is None, "message": message})
    return report
