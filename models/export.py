"""Exports trained networks to the weights the program ships: ``python -m models.export runs``.

Writes finder.onnx, namer.onnx and weights.json (their SHA-256, checked before every use) to models/weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

from models import finder_net, namer_net
from vision.weights import FOLDER, MANIFEST


def export(run: Path, folder: Path = FOLDER) -> None:
    """Exports ``run``/finder.pt and ``run``/namer.pt into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        # ultralytics writes beside the checkpoint it exports
        copy = Path(shutil.copy(run / "finder.pt", work))
        made = finder_net.export_onnx(copy, Path(work) / "out.onnx")
        shutil.copy(made, folder / "finder.onnx")
    namer_net.export_onnx(run / "namer.pt", folder / "namer.onnx")
    entries = {
        name: {"sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()}
        for name in ("finder.onnx", "namer.onnx")
    }
    (folder / MANIFEST).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="the folder with finder.pt and namer.pt")
    parser.add_argument("--to", type=Path, default=FOLDER)
    given = parser.parse_args()
    export(given.run, given.to)
    for path in sorted(given.to.glob("*.onnx")):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
