"""Trains by a recipe: ``python -m models.pipeline RECIPE.toml [--stage S] [--resume] [--toy]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from datasets.assets.manifest import AssetsError
from models.pipeline.recipe import RecipeError, load_recipe
from models.pipeline.run import REGISTRY, run_recipe
from models.pipeline.run_folder import StageStopped


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return value


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.pipeline", description="Trains the reader by a recipe.")
    parser.add_argument("recipe", type=Path, help="the recipe, a TOML file; its stages that are not finished are run")
    parser.add_argument("--stage", help="run only this stage and its parents")
    parser.add_argument("--resume", action="store_true", help="continue a training that was stopped")
    parser.add_argument("--toy", action="store_true", help="everything very small: under two minutes")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder of the runs (default: runs)")
    parser.add_argument("--assets", type=Path, help="folder of fonts and decks (default: OUT/assets)")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.add_argument("--processes", type=int, default=cores, help=f"processes that draw (default: {cores})")
    parser.add_argument("--stop-after", type=_positive, metavar="MINUTES", help="stop then; --resume goes on")
    options = parser.parse_args(arguments)
    try:
        files = run_recipe(
            load_recipe(options.recipe, options.toy),
            options.out,
            stage=options.stage,
            resume=options.resume,
            assets=options.assets or (None if options.toy else options.out / "assets"),
            processes=options.processes,
            minutes=options.stop_after,
            registry=None if options.toy else REGISTRY,
        )
    except (RecipeError, AssetsError, StageStopped) as error:
        print(error, file=sys.stderr)
        return 1
    for name, made in files.items():
        print(f"{name}: {', '.join(map(str, made))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
