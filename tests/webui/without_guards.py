"""Takes the guards out one at a time and checks that a test fails: ``python -m tests.webui.without_guards [NAME]``.

Works on a copy of the tree. A guard whose tests pass without it is reported, and the exit code is 1. With NAME, only
guards whose names contain it are taken out; with ``--quick``, the texts of all guards are looked up and only QUICK are
taken out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path

from tests.webui.guards import GUARDS, Guard

ROOT = Path(__file__).parents[2]
QUICK = ("weights", "pickles", "file modes")
"""Guards whose tests take a few seconds."""
_COPIED = ("scorer", "vision", "webui", "datasets", "models", "tests", "pyproject.toml")


def problems(root: Path = ROOT) -> list[str]:
    """What keeps guards from being taken out, a line each."""
    return [problem for guard in GUARDS for problem in guard.problems(root)]


@contextmanager
def copied_tree() -> Iterator[Path]:
    """A copy of what the tests need, with what is compiled of it; removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        for name in _COPIED:
            source, target = ROOT / name, Path(folder, name)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("checkpoints"))
            else:
                shutil.copy(source, target)
        yield Path(folder)


def fails_without(guard: Guard, tree: Path) -> bool:
    """Whether a test fails once the guard is taken out of the tree; puts it back.

    Raises:
        AssertionError: the tests could not be run.
    """
    originals = {file: (tree / file).read_text(encoding="utf-8") for file, _, _ in guard.edits}
    for file, code, replacement in guard.edits:
        text = (tree / file).read_text(encoding="utf-8")
        _write(tree / file, text.replace(code, replacement, 1))
    selected = ["-k", guard.select] if guard.select else []
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", guard.tests, *selected],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        for file, text in originals.items():
            _write(tree / file, text)
    assert done.returncode in (0, 1), f"{guard.name}: {done.stdout}{done.stderr}"
    return done.returncode == 1


def _write(file: Path, text: str) -> None:
    """Writes a module anew and removes what is compiled of it, which is told apart by size and full seconds only."""
    file.write_text(text, encoding="utf-8")
    Path(cache_from_source(file)).unlink(missing_ok=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help="part of a guard's name")
    parser.add_argument("--quick", action="store_true", help="take only a handful of guards out")
    options = parser.parse_args()
    if found := problems():
        print("\n".join(found))
        return 1
    part = " ".join(options.name)
    chosen = [guard for guard in GUARDS if part in guard.name and (guard.name in QUICK or not options.quick)]
    passed = []
    with copied_tree() as tree:
        for guard in chosen:
            fails = fails_without(guard, tree)
            print(f"{'fails' if fails else 'PASSES'} without: {guard.name}", flush=True)
            passed += [] if fails else [guard.name]
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
