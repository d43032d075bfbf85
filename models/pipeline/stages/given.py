"""Stage that trains nothing: a given file."""

from __future__ import annotations

import shutil
from pathlib import Path

from datasets.assets.manifest import file_hash
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
