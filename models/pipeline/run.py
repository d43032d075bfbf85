"""Runs a recipe: stage after stage, each once for its configuration."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from datasets.assets.manifest import MANIFEST, check, file_hash, read_manifest
from models.pipeline.recipe import Recipe, RecipeError
from models.pipeline.run_folder import Run, environment, finish, finished, run_key
from models.pipeline.stages import detector, relation, roi_head
from models.pipeline.stages.given import given
from models.train.loop import steps_done

Kind = Callable[[Run], list[Path]]
KINDS: Mapping[str, Kind] = {
    "given": given,
    "detector": detector.train,
    "export_detector": detector.export,
    "roi_head": roi_head.train,
    "check_roi_head": roi_head.check,
    "export_roi_head": roi_head.export,
    "quantize_roi_head": roi_head.export_int8,
    "relation": relation.train,
    "export_relation": relation.export,
    "weights": relation.weights,
}
REGISTRY = Path(__file__).with_name("registry.jsonl")
"""A line for each finished run; committed."""


def run_recipe(
    recipe: Recipe,
    out: Path,
    *,
    stage: str | None = None,
    resume: bool = False,
    assets: Path | None = None,
    processes: int = 1,
    minutes: float | None = None,
    registry: Path | None = REGISTRY,
) -> dict[str, list[Path]]:
    """Runs the stages of ``recipe`` that are not finished yet, in folders of ``out``; returns the files of each.

    Args:
        recipe: the recipe.
        out: folder of all runs.
        stage: run only this stage and its parents.
        resume: continue a training that was stopped.
        assets: the assets folder; None to draw with what is installed.
        processes: number of processes that draw.
        minutes: stop a training after so long; it can be resumed.
        registry: file to which finished runs are added; None for none.

    Raises:
        RecipeError: a stage has an unknown kind, or was stopped on its way and ``resume`` is not given.
        AssetsError: fonts or decks are missing or differ.
        StageStopped: the time is over.
    """
    stages = recipe.with_parents(stage) if stage else list(recipe.stages)
    unknown = [spec.kind for spec in stages if spec.kind not in KINDS]
    if unknown:
        raise RecipeError(f"expected kinds of stages {', '.join(KINDS)}, got {', '.join(unknown)}")
    if assets:
        check(read_manifest(), assets)
    until = time.monotonic() + 60 * minutes if minutes else float("inf")
    manifest, files = file_hash(MANIFEST) if assets else "", dict[str, list[Path]]()
    for spec in stages:
        parents = {name: files[name] for name in spec.parents}
        key, config = run_key(spec, parents, manifest)
        folder = out / recipe.name / f"{spec.name}-{key[:10]}"
        made = finished(folder)
        if made is None:
            run = Run(spec, folder, parents, assets, processes, until)
            if steps_done(run.state) and not resume:
                raise RecipeError(f"stage {spec.name} was stopped on its way in {folder}: add --resume, or remove it")
            folder.mkdir(parents=True, exist_ok=True)
            told = environment()
            (folder / "config.json").write_text(json.dumps({"key": key, **config}, indent=1) + "\n", encoding="utf-8")
            (folder / "environment.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
            start = time.monotonic()
            made = KINDS[spec.kind](run)
            finish(folder, made)
            if registry:
                _register(registry, recipe, run, key, str(told["revision"]), made[0], time.monotonic() - start)
        files[spec.name] = made
    return files


def _register(registry: Path, recipe: Recipe, run: Run, key: str, revision: str, result: Path, seconds: float) -> None:
    """Adds a finished run to the registry; ``seconds`` are those of its last part where it was resumed."""
    line = {
        "recipe": recipe.name,
        "stage": run.spec.name,
        "key": key[:10],
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "revision": revision,
        "seconds": round(seconds),
        "result": file_hash(result),
        "figures": {name: round(value, 5) for name, value in run.last.items()},
    }
    with registry.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
