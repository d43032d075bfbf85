"""Stages that train nothing: a given file, the average of checkpoints."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch

from datasets.assets.manifest import file_hash
from models.networks.layers import State
from models.pipeline.recipe import RecipeError
from models.pipeline.run_folder import ROOT, Run


def given(run: Run) -> list[Path]:
    """A file that another training made, by its hash: settings ``file`` (in the checkout) and ``sha256``.

    Raises:
        RecipeError: the file is missing or differs.
    """
    source = ROOT / str(run.spec.settings["file"])
    found = file_hash(source) if source.is_file() else "nothing"
    if found != run.spec.settings["sha256"]:
        raise RecipeError(f"expected {source} with SHA-256 {run.spec.settings['sha256']}, found {found}")
    target = run.folder / source.name
    shutil.copyfile(source, target)
    return [target]


def average(run: Run) -> list[Path]:
    """The mean of all checkpoints of the parents, often better than any of them."""
    paths = [path for parent in run.spec.parents for path in run.parents[parent] if path.suffix == ".pt"]
    states: list[State] = [torch.load(path, map_location="cpu", weights_only=True) for path in paths]
    mean: State = {}
    for name, value in states[0].items():
        if value.is_floating_point():
            value = torch.stack([state[name].double() for state in states]).mean(0).to(value.dtype)
        mean[name] = value
    target = run.folder / paths[0].name
    torch.save(mean, target)
    return [target]
