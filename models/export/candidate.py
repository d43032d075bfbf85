"""Where trainings and exports write weights: to a candidate's folder, and to the shipped weights only if asked to."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from vision.engines.weights import FOLDER

CANDIDATE = Path("runs") / "weights"
"""Where a candidate is written by default; git ignores ``runs``."""


def add_target_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of which ``target_folder`` makes the folder to write to."""
    parser.add_argument(
        "--weights",
        type=Path,
        default=CANDIDATE,
        help=f"a candidate's folder of weights, begun as a copy of the shipped ones (default: {CANDIDATE})",
    )
    parser.add_argument("--ship", action="store_true", help="change models/weights itself, which the program ships")


def target_folder(parser: argparse.ArgumentParser, options: argparse.Namespace, shipped: Path = FOLDER) -> Path:
    """The folder of weights to read from and to write to; a new candidate begins as a copy of the ``shipped`` ones.

    Wrong usage: ``--weights`` names the shipped folder.
    """
    if options.ship:
        return shipped
    folder: Path = options.weights
    if folder.resolve() == shipped.resolve():
        parser.error(f"{folder} is shipped: name another folder for a candidate, or say --ship")
    if not folder.exists():
        shutil.copytree(shipped, folder)
    return folder
