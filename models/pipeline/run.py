"""Runs a recipe: stage after stage, each in a folder of its own; what is finished is not run again.

A stage has a name, a kind, the settings of that kind, and parents: earlier stages, or files of the checkout. Beside its
folder lies a note of its settings, and of the files that it made once it is finished.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
Stage = Mapping[str, Any]
Kind = Callable[["Run"], list[Path]]
"""Makes the files of a stage, the first being its result."""


class RecipeError(ValueError):
    """A recipe that cannot be run; the message says what was expected and what came."""


@dataclass(frozen=True)
class Run:
    """One run of one stage.

    Attributes:
        settings: those of the stage, with its ``seed``.
        folder: its folder.
        parents: the files of each parent.
        assets: the assets folder; None for what is installed.
        processes: number of processes that draw; 0 to draw in this one.
    """

    settings: Stage
    folder: Path
    parents: Sequence[Sequence[Path]]
    assets: Path | None = None
    processes: int = 0


def merged(base: Stage, changes: Stage) -> dict[str, Any]:
    """The ``base`` with ``changes``, tables merged key by key."""
    result = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result


def load_recipe(path: Path, toy: bool = False) -> dict[str, Any]:
    """Reads a recipe: its ``name`` and its list ``stage``.

    If ``toy``, its ``[toy.STAGE]`` tables make every stage so small that all take less than two minutes.

    Raises:
        RecipeError: it cannot be read.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"expected a recipe in {path}: {error}") from error
    changes = given.pop("toy", {}) if toy else {}
    stages = [merged({"seed": given["seed"], **stage}, changes.get(stage["name"], {})) for stage in given["stage"]]
    return {"name": given["name"] + ("-toy" if toy else ""), "stage": stages}


def run_recipe(
    recipe: Mapping[str, Any], kinds: Mapping[str, Kind], out: Path, assets: Path | None, processes: int
) -> dict[str, list[Path]]:
    """Runs the stages that are not finished yet, in folders of ``out``; returns the files of each.

    A training that was stopped goes on where it was.

    Raises:
        RecipeError: a stage was run with other settings there.
    """
    files: dict[str, list[Path]] = {}
    for stage in recipe["stage"]:
        parents = [files[name] if name in files else [ROOT / name] for name in stage["parents"]]
        folder = out / recipe["name"] / stage["name"]
        note = folder.with_suffix(".json")
        if not note.exists():
            folder.mkdir(parents=True, exist_ok=True)
            note.write_text(json.dumps({"stage": stage, "files": []}), encoding="utf-8")
        known = json.loads(note.read_text(encoding="utf-8"))
        if known["stage"] != stage:
            raise RecipeError(f"stage {stage['name']} has other settings in {folder}: remove it, or name another --out")
        if not known["files"]:
            made = kinds[stage["kind"]](Run(stage, folder, parents, assets, processes))
            known["files"] = [path.relative_to(folder).as_posix() for path in made]
            note.write_text(json.dumps(known), encoding="utf-8")
        files[stage["name"]] = [folder / name for name in known["files"]]
    return files
