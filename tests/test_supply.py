"""Supply chain: dependencies are locked with hashes, audited, and nothing at the table loads pickles."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def test_the_lock_pins_every_dependency_with_hashes() -> None:
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


AUDIT = ROOT / ".ci" / "audit"


def test_the_audit_runs_or_says_why_it_was_skipped() -> None:
    done = subprocess.run([sys.executable, str(AUDIT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(("pip-audit: ", "warning: ")), done.stdout + done.stderr


@pytest.mark.parametrize("prints", ["json", "nothing"])
def test_a_known_vulnerability_is_a_warning_and_no_failure(tmp_path: Path, prints: str) -> None:
    dependencies = [
        {"name": "flask", "version": "3.1.3", "vulns": [{"id": "CVE-1", "fix_versions": ["3.1.4"]}]},
        {"name": "jinja2", "version": "3.1.6", "vulns": [{"id": "CVE-2", "fix_versions": []}]},
        {"name": "numpy", "version": "2.4.6", "vulns": []},
        {"name": "segno", "skip_reason": "not on the index"},
    ]
    found = json.dumps(json.dumps({"dependencies": dependencies})) if prints == "json" else '""'
    (tmp_path / "pip_audit.py").write_text(f"print({found})\nraise SystemExit(1)\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(AUDIT)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if prints == "nothing":
        assert done.stdout.startswith("pip-audit: skipped, ")
    else:
        assert done.stdout.splitlines() == [
            "warning: flask 3.1.3: CVE-1, fixed in 3.1.4",
            "warning: jinja2 3.1.6: CVE-2, fixed in no version yet",
            "pip-audit: 1 of 4 packages skipped, the package index lacks them",
            "pip-audit: 3 packages checked, 2 known vulnerabilities",
        ]


def test_nothing_at_the_table_loads_pickles() -> None:
    """Weights are ONNX or JSON files or plain arrays, checked by hash; pickles run whatever they hold."""
    loads = re.compile(r"^\s*(?:import|from) (?:pickle|shelve|marshal|joblib|dill|torch)\b|allow_pickle", re.MULTILINE)
    for room in ("scorer", "vision", "webui"):
        for path in (ROOT / room).rglob("*.py"):
            assert not loads.search(path.read_text(encoding="utf-8")), path
    shipped = json.loads((ROOT / "models" / "weights" / "weights.json").read_text(encoding="utf-8"))
    held = {path.name for path in (ROOT / "models" / "weights").iterdir()} - {"weights.json"}
    assert held == set(shipped) and all(name.endswith((".onnx", ".json", ".npz")) for name in held)
    for path in (ROOT / "models" / "weights").glob("*.npz"):
        with np.load(path, allow_pickle=False) as arrays:
            assert all(arrays[name].dtype != object for name in arrays.files)
