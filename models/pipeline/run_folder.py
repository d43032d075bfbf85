"""The folder of one run of one stage: what it was given, how it went, and where it can go on.

config.json       kind, settings, parents' files and manifest by hash: the key of the run is the hash of these
environment.json  git revision, versions, processor
metrics.jsonl     figures, a line each time they are logged
state.pt          the whole state of a training that is not finished
done.json         the files it made, by hash; there only when it is finished
"""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from datasets.assets.manifest import file_hash
from models.pipeline.recipe import StageSpec
from models.train.loop import remove_training, steps_done

PACKAGES = ("torch", "numpy", "opencv-python", "onnxruntime", "pillow")
ROOT = Path(__file__).parents[2]
CODE = ("models/networks", "models/samples", "models/train")


class StageStopped(RuntimeError):
    """A training was stopped on its way; the message says how to go on."""


@dataclass
class Run:
    """One run of one stage.

    Attributes:
        spec: the stage.
        folder: its folder.
        parents: the files of each parent.
        assets: the assets folder; None for what is installed.
        processes: number of processes that draw; 0 to draw in this one.
        until: time (``time.monotonic``) at which a training stops; it can be continued.
    """

    spec: StageSpec
    folder: Path
    parents: Mapping[str, Sequence[Path]]
    assets: Path | None = None
    processes: int = 1
    until: float = float("inf")
    last: dict[str, float] = field(default_factory=dict)

    @property
    def state(self) -> Path:
        """The file with the state of a training."""
        return self.folder / "state.pt"

    def parent_file(self, position: int = 0) -> Path:
        """The first file of the parent at this position."""
        return self.parents[self.spec.parents[position]][0]

    def log(self, step: int, figures: Mapping[str, float]) -> None:
        """Appends figures to the metrics and prints them."""
        self.last = dict(figures)
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"time": round(time.time(), 1), "step": step, **figures}) + "\n")
        told = " ".join(f"{name} {value:.4f}" for name, value in figures.items())
        print(f"{self.spec.name} {step} {told}", flush=True)

    def continued(self) -> None:
        """Drops the metrics of steps after the saved state: they come again."""
        lines = self.folder / "metrics.jsonl"
        if (done := steps_done(self.state)) and lines.exists():
            kept = [line for line in lines.read_text(encoding="utf-8").splitlines() if json.loads(line)["step"] <= done]
            lines.write_text("".join(line + "\n" for line in kept), encoding="utf-8")

    def check_time(self) -> None:
        """Ends the run if its time is over.

        Raises:
            StageStopped: it is.
        """
        if time.monotonic() > self.until:
            raise StageStopped(f"stage {self.spec.name} stopped on its way: the same command with --resume goes on")


def run_key(spec: StageSpec, parents: Mapping[str, Sequence[Path]], manifest: str) -> tuple[str, dict[str, Any]]:
    """Returns the key of a run, a hash, and the configuration that it is the hash of.

    ``manifest`` is the hash of the manifest of fonts and decks. The code of networks, samples and training belongs to
    the configuration, since it decides what a stage makes; that which draws tables does not.
    """
    inputs = {name: [file_hash(path) for path in paths] for name, paths in parents.items()}
    config: dict[str, Any] = {"kind": spec.kind, "settings": spec.settings, "parents": inputs, "manifest": manifest}
    files = [path for room in CODE for path in sorted((ROOT / room).glob("*.py"))]
    config["code"] = {path.relative_to(ROOT).as_posix(): file_hash(path) for path in files}
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest(), config


def finished(folder: Path) -> list[Path] | None:
    """The files of a finished run; None if it is not finished or a file is missing or differs."""
    try:
        hashes = json.loads((folder / "done.json").read_text(encoding="utf-8"))
        files = [folder / name for name in hashes]
        return files if all(file_hash(path) == hashes[path.name] for path in files) else None
    except (OSError, ValueError):
        return None


def finish(folder: Path, files: Sequence[Path]) -> None:
    """Marks a run as finished; its state is no longer needed."""
    hashes = {path.relative_to(folder).as_posix(): file_hash(path) for path in files}
    (folder / "done.json").write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")
    remove_training(folder / "state.pt")


def git_revision() -> str:
    """The revision of the checkout, with ``+`` if it has changes; ``unknown`` outside one."""
    try:
        revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
        changes = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return revision.stdout.strip() + ("+" if changes.stdout.strip() else "")


def environment() -> dict[str, Any]:
    """Versions, processor and GPU of this machine."""
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "none"
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "none"
    return {"revision": git_revision(), "versions": versions, "processor": platform.machine(), "gpu": gpu}
