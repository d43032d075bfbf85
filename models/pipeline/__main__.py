"""The recipe's commands.

python -m models.pipeline run RECIPE.toml [--stage S] [--resume] [--toy]
python -m models.pipeline archive OUT.zip
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from datasets.assets.archive import pack, unpack
from datasets.assets.manifest import AssetsError, read_manifest
from models.pipeline.recipe import RecipeError, load_recipe
from models.pipeline.run import REGISTRY, run_recipe
from models.pipeline.run_folder import StageStopped

MIB = 2**20


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return value


def _run(options: argparse.Namespace) -> None:
    assets: Path | None = options.assets
    if assets and assets.is_file():
        unpack(assets, options.out / "assets")
        assets = options.out / "assets"
    elif not assets and not options.toy:
        assets = options.out / "assets"
    files = run_recipe(
        load_recipe(options.recipe, options.toy),
        options.out,
        stage=options.stage,
        resume=options.resume,
        assets=assets,
        processes=options.processes,
        minutes=options.stop_after,
        registry=None if options.toy else REGISTRY,
    )
    for name, made in files.items():
        print(f"{name}: {', '.join(map(str, made))}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.pipeline", description="Trains the reader by a recipe.")
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="run the stages of a recipe that are not finished yet")
    run.add_argument("recipe", type=Path, help="the recipe, a TOML file")
    run.add_argument("--stage", help="run only this stage and its parents")
    run.add_argument("--resume", action="store_true", help="continue a training that was stopped")
    run.add_argument("--toy", action="store_true", help="everything very small: under two minutes")
    run.add_argument("--out", type=Path, default=Path("runs"), help="folder of the runs (default: runs)")
    run.add_argument("--assets", type=Path, help="folder or archive of fonts and decks (default: OUT/assets)")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    run.add_argument("--processes", type=int, default=cores, help=f"processes that draw (default: {cores})")
    run.add_argument("--stop-after", type=_positive, metavar="MINUTES", help="stop then; --resume goes on")
    run.set_defaults(command=_run)
    archive = commands.add_parser("archive", help="pack all fonts and decks of the manifest into one file")
    archive.add_argument("target", type=Path, help="the zip file to write")
    archive.add_argument("--assets", type=Path, default=Path("runs/assets"), help="their folder (default: runs/assets)")
    archive.set_defaults(command=_archive)
    options = parser.parse_args(arguments)
    try:
        options.command(options)
    except (RecipeError, AssetsError, StageStopped) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _archive(options: argparse.Namespace) -> None:
    pack(read_manifest(), options.assets, options.target)
    print(f"{options.target}: {options.target.stat().st_size / MIB:.1f} MiB")


if __name__ == "__main__":
    sys.exit(main())
