"""Runs deploy/Dockerfile step by step without Docker: ``sudo python -m tests.deploy.dockerfile``.

The base image is replaced by a fresh Debian in a folder (debootstrap) with Debian's own Python, which must have the
image's version. RUN and COPY are carried out there; finally CMD is started as USER and must answer at EXPOSE's first
port. The command of HEALTHCHECK must fail before that and succeed afterwards. Needs root, debootstrap, Debian's
packages and PyPI; takes some minutes and 2.5 GB.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
_BASE_PACKAGES = ("python3", "python3-pip", "ca-certificates")
_START_SECONDS = 120
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def steps(text: str) -> list[tuple[str, str]]:
    """Parses a Dockerfile into instructions and their arguments."""
    lines = "".join(line + "\n" for line in text.splitlines() if not line.startswith("#")).replace("\\\n", " ")
    return [(word, argument) for word, _, argument in (line.partition(" ") for line in lines.splitlines()) if word]


def base(image: str) -> tuple[str, str]:
    """Python version and Debian release of an image such as ``python:3.11-slim-bookworm``."""
    match = re.fullmatch(r"python:(\d+\.\d+)-slim-(\w+)", image)
    assert match, f"expected python:VERSION-slim-DEBIAN, got {image}"
    return match[1], match[2]


def health(argument: str) -> list[str]:
    """The command of a HEALTHCHECK, such as ``--interval=1m CMD ["true"]``."""
    command = json.loads(argument.partition("CMD ")[2])
    assert isinstance(command, list)
    return command


class Rehearsal:
    """A Debian in a folder, with the working directory and user of the next step."""

    def __init__(self, root: Path) -> None:
        self._root, self._folder, self._user, self.port = root, "/", "root", 0
        self._health = ""
        self._arguments: dict[str, str] = {}

    def run_step(self, word: str, argument: str) -> None:
        """Carries out one instruction.

        Raises:
            ValueError: the instruction is not supported.
            subprocess.CalledProcessError: it fails.
        """
        match word:
            case "FROM":
                self._from(*base(argument))
            case "RUN":
                self._inside(argument).check_returncode()
            case "WORKDIR":
                self._folder = argument
                self._place(argument).mkdir(parents=True, exist_ok=True)
            case "COPY":
                self._copy(*argument.split())
            case "ARG":
                name, _, value = argument.partition("=")
                self._arguments[name] = value
            case "USER":
                self._user = argument
            case "VOLUME":
                assert self._place(argument).is_dir()
            case "EXPOSE":
                self.port = int(argument.split()[0])
            case "HEALTHCHECK":
                self._health = shlex.join(health(argument))
            case "CMD":
                self._start(json.loads(argument))
            case _:
                raise ValueError(f"expected an instruction known here, got {word}")

    def _from(self, version: str, debian: str) -> None:
        include = f"--include={','.join(_BASE_PACKAGES)}"
        subprocess.run(["debootstrap", "--variant=minbase", include, debian, str(self._root)], check=True)
        own = self._inside("python3 --version", capture=True).stdout
        assert own.startswith(f"Python {version}."), f"{debian} has {own.strip()}, the image Python {version}"
        for marker in self._root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()  # the image's Python is not Debian's, and pip may install there
        for settings in ("etc/pip.conf", "etc/ssl/certs/ca-certificates.crt", "etc/resolv.conf"):
            if Path("/", settings).exists():
                shutil.copyfile(f"/{settings}", self._root / settings)

    def _copy(self, *paths: str) -> None:
        *sources, target = paths
        for source in sources:
            to = self._place(self._folder) / target
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, to)

    def _place(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    def _command(self, line: str) -> list[str]:
        isolated = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={self._root / 'proc'}"]
        return [*isolated, "chroot", f"--userspec={self._user}", str(self._root), "/bin/sh", "-ec", line]

    def _inside(self, line: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
        begun = f"cd {self._folder}; {line}"
        return subprocess.run(
            self._command(begun), env=self._environment(), text=True, check=False, stdout=-1 if capture else None
        )

    def _environment(self) -> dict[str, str]:
        home = "/root" if self._user == "root" else f"/home/{self._user}"
        return {**self._arguments, "PATH": _PATH, "HOME": home, "DEBIAN_FRONTEND": "noninteractive"}

    def _start(self, command: list[str]) -> None:
        page = f"http://127.0.0.1:{self.port}/"
        assert not _answers(page), f"something else answers at {page} already; stop it first"
        assert self._health and self._inside(self._health).returncode, "nothing answers yet, and it seems healthy"
        line = f"cd {self._folder}; exec {' '.join(command)}"
        running = subprocess.Popen(self._command(line), env=self._environment())
        try:
            end = time.monotonic() + _START_SECONDS
            while not _answers(page):
                assert running.poll() is None, f"the page ended by itself, code {running.returncode}"
                assert time.monotonic() < end, f"the page did not answer within {_START_SECONDS} s"
                time.sleep(0.5)
            self._inside(self._health).check_returncode()
        finally:
            children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text(encoding="ascii")
            for child in children.split():  # unshare itself keeps signals from it
                os.kill(int(child), signal.SIGTERM)
            running.wait(30)


def _answers(page: str) -> bool:
    try:
        with urllib.request.urlopen(page, timeout=5) as answer:
            return bool(answer.status == 200 and b"Hand" in answer.read())
    except OSError:
        return False


def rehearse(folder: Path) -> Iterator[str]:
    """Carries out every step in ``folder``; yields a line after each."""
    rehearsal = Rehearsal(folder)
    for word, argument in steps(DOCKERFILE.read_text(encoding="utf-8")):
        rehearsal.run_step(word, argument)
        yield f"done: {word} {argument}"


def main() -> None:
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("expected root and the program debootstrap: sudo apt install debootstrap")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for sentence in rehearse(Path(folder)):
            print(sentence, flush=True)
    print("every step of the Dockerfile was carried out, and the page answered")


if __name__ == "__main__":
    main()
