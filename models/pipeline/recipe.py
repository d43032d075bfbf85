"""Recipes: which stages, on which parents, with which settings; read from TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class RecipeError(ValueError):
    """A recipe that cannot be run; the message says what was expected and what came."""


@dataclass(frozen=True, slots=True)
class StageSpec:
    """One stage of a recipe.

    Attributes:
        name: its name in the recipe.
        kind: what it does; see ``models.pipeline.stages``.
        parents: the stages whose files it uses, in order.
        settings: everything else that its kind takes, with ``seed`` and, for a training, ``steps``.
    """

    name: str
    kind: str
    parents: tuple[str, ...]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The stages of a recipe, each after its parents."""

    name: str
    stages: tuple[StageSpec, ...]

    def with_parents(self, wanted: str) -> list[StageSpec]:
        """The stage ``wanted`` and all that it needs, in order.

        Raises:
            RecipeError: there is no such stage.
        """
        known = {stage.name: stage for stage in self.stages}
        if wanted not in known:
            raise RecipeError(f"expected a stage of {', '.join(known)}, got {wanted}")
        needed, left = set(), [wanted]
        while left:
            name = left.pop()
            if name not in needed:
                needed.add(name)
                left += known[name].parents
        return [stage for stage in self.stages if stage.name in needed]


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The ``base`` with ``changes``, tables merged key by key."""
    result = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result


def load_recipe(path: Path, toy: bool = False) -> Recipe:
    """Reads a recipe.

    If ``toy``, its ``[toy.STAGE]`` tables make every stage so small that all take less than two minutes.

    Raises:
        RecipeError: it cannot be read, or a stage is incomplete or comes before its parents.
    """
    given = _read(path)
    changes, stages = given.get("toy", {}) if toy else {}, list[StageSpec]()
    for entry in given.get("stage", []):
        entry = merged(entry, changes.get(entry.get("name"), {}))
        stages.append(_stage(entry, int(given.get("seed", 0)), {stage.name for stage in stages}))
    if not stages or "name" not in given:
        raise RecipeError(f"expected a recipe with a name and stages in {path}")
    return Recipe(str(given["name"]) + ("-toy" if toy else ""), tuple(stages))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"expected a recipe in {path}: {error}") from error


def _stage(entry: Mapping[str, Any], seed: int, earlier: set[str]) -> StageSpec:
    settings = {"seed": seed, **entry}
    name, kind, parents = settings.pop("name", None), settings.pop("kind", None), settings.pop("parents", [])
    if not isinstance(name, str) or not isinstance(kind, str):
        raise RecipeError(f"expected every stage with a name and a kind, got {dict(entry)}")
    absent = [parent for parent in parents if parent not in earlier]
    if absent or name in earlier:
        raise RecipeError(f"expected stage {name} once and after its parents, got none of {', '.join(absent) or name}")
    return StageSpec(name, kind, tuple(parents), settings)
