"""Exports trained networks to the weights that the program ships: ``python -m models.export.to_onnx runs``.

Writes those of detector.onnx, outline_refiner.onnx and index_classifier.onnx that are trained, with weights in half
precision, and weights.json (their SHA-256, checked before every use) to a candidate's folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

from models.export.candidate import add_target_options, target_folder
from models.export.storage import store_fp16
from models.networks import detector, index_classifier, outline_refiner
from vision.engines.weights import INT8, MANIFEST
from vision.rescore.relation_model import CALIBRATION

NETWORKS = ("detector", "outline_refiner", "index_classifier")


def export(run: Path, folder: Path) -> None:
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
    add_target_options(parser)
    options = parser.parse_args()
    folder = target_folder(parser, options)
    try:
        export(options.run, folder)
    except FileNotFoundError as error:
        parser.error(str(error))
    for path in sorted(folder.glob("*.onnx")):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
