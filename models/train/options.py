"""Command-line options that all trainings share."""

from __future__ import annotations

import argparse
from pathlib import Path


def positive(text: str) -> float:
    """Parses a positive number."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return value


def checkpoint_file(text: str) -> Path:
    """Parses the path of a checkpoint that is there."""
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(
            f"expected a checkpoint, but there is no file {text}; train that network first"
        )
    return path


def need_checkpoints(parser: argparse.ArgumentParser, folder: Path, *names: str) -> None:
    """Ends with a sentence where a folder lacks a checkpoint, before anything is drawn."""
    for name in names:
        if not (folder / name).is_file():
            parser.error(f"expected {name} in {folder}; train that network first, or copy it from models/checkpoints")


def training_options(description: str | None, minutes: float, batch: int = 256) -> argparse.ArgumentParser:
    """Returns a parser with the options that every training has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder for checkpoints (default: runs)")
    parser.add_argument("--minutes", type=positive, default=minutes, help=f"length of training (default: {minutes})")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=batch, help=f"samples per step (default: {batch})")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw samples (default: 1)")
    parser.add_argument("--highest", type=float, default=2e-3, help="highest learning rate (default: 0.002)")
    parser.add_argument("--resume", type=checkpoint_file, help="a checkpoint to continue from")
    return parser
