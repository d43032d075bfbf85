"""Every command that the documents name is there and takes the options that they give it."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMAND = re.compile(r"python3? -m ([a-z_.]+)((?: +(?:`|#).*$)|[^`\n#|]*)", re.MULTILINE)
ELSEWHERE = ("venv", "pip")
"""Of Python itself."""


def documented() -> dict[str, set[str]]:
    """The modules that documents run, each with the options that it is given."""
    found: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.md")):
        if ".venv" in path.parts or "runs" in path.parts:
            continue
        for module, words in COMMAND.findall(path.read_text(encoding="utf-8")):
            if module not in ELSEWHERE:
                found.setdefault(module.rstrip("."), set()).update(re.findall(r"(?<!\S)--[a-z][\w-]*", words))
    return found


@pytest.mark.parametrize("module", sorted(documented()))
def test_there_is_such_a_command(module: str) -> None:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    if spec.submodule_search_locations:
        assert importlib.util.find_spec(f"{module}.__main__"), "a folder that does nothing when it is run"
    else:
        assert '__name__ == "__main__"' in Path(str(spec.origin)).read_text(encoding="utf-8")


@pytest.mark.by_hand
@pytest.mark.parametrize(("module", "options"), sorted(documented().items()))
def test_it_takes_the_options_that_documents_give_it(module: str, options: set[str]) -> None:
    command = [sys.executable, "-m", module]
    told = subprocess.run([*command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert told.returncode == 0, told.stderr[-500:]
    text = told.stdout
    for part in re.findall(r"\{([\w,-]+)\}", text):  # commands within the command
        for name in part.split(",") if "positional" in text and options else ():
            text += subprocess.run(
                [*command, name, "--help"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
            ).stdout
    assert not {option for option in options if option not in text}
