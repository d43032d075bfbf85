"""Trains by a recipe: ``python -m models.pipeline RECIPE.toml [--toy]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from datasets.assets.manifest import AssetsError, check, read_manifest
from models.pipeline.run import RecipeError, load_recipe, run_recipe
from models.pipeline.stages import KINDS


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.pipeline", description="Trains the reader by a recipe.")
    parser.add_argument("recipe", type=Path, help="the recipe, a TOML file; its stages that are not finished are run")
    parser.add_argument("--toy", action="store_true", help="everything very small: under two minutes")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder of the runs (default: runs)")
    parser.add_argument("--assets", type=Path, help="folder of fonts and decks (default: OUT/assets)")
    cores = os.cpu_count() or 1
    parser.add_argument("--processes", type=int, default=cores, help=f"processes that draw (default: {cores})")
    options = parser.parse_args(arguments)
    assets = options.assets or (None if options.toy else options.out / "assets")
    try:
        if assets:
            check(read_manifest(), assets)
        files = run_recipe(load_recipe(options.recipe, options.toy), KINDS, options.out, assets, options.processes)
    except (RecipeError, AssetsError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, made in files.items():
        print(f"{name}: {', '.join(map(str, made))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
