"""What is installed: locked with hashes, in step with what the project asks for, and nothing that loads pickles."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def test_the_lock_holds_all_that_is_asked_for_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    locked: dict[str, str] = {}
    for entry in entries:
        if found := re.match(r"([\w.-]+)==([\w.]+)", entry):
            assert "--hash=sha256:" in entry, found[0]
            locked[found[1].lower()] = found[2]
    assert len(locked) > 20
    for text in project["dependencies"]:
        wanted = Requirement(text)
        assert locked[wanted.name.lower()] in wanted.specifier, f"renew requirements.lock: {text}"


def test_the_audit_runs_or_says_why_not() -> None:
    done = subprocess.run([sys.executable, str(ROOT / ".ci" / "audit")], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("pip-audit: "), done.stdout + done.stderr


def test_nothing_at_the_table_loads_pickles() -> None:
    """Weights are ONNX or JSON files, checked by hash; pickles run whatever they hold."""
    loads = re.compile(r"^\s*(?:import|from) (?:pickle|shelve|marshal|joblib|dill|torch)\b|allow_pickle", re.MULTILINE)
    for room in ("scorer", "vision", "webui"):
        for path in (ROOT / room).rglob("*.py"):
            assert not loads.search(path.read_text(encoding="utf-8")), path
    shipped = json.loads((ROOT / "models" / "weights" / "weights.json").read_text(encoding="utf-8"))
    held = {path.name for path in (ROOT / "models" / "weights").iterdir()} - {"weights.json"}
    assert held == set(shipped) and all(name.endswith((".onnx", ".json")) for name in held)
