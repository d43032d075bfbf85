"""Carries out deploy/Dockerfile step by step without Docker: ``sudo python -m tests.deploy.dockerfile``.

The image that it begins with is a fresh Debian in a folder (debootstrap) with that Debian's own Python, which must be
of the image's version; each RUN is run there, each COPY copied, and at last CMD is started as USER and must answer at
the port of EXPOSE; the command of HEALTHCHECK must fail before that, and succeed then. Needs root, the program
debootstrap, Debian's packages and PyPI; takes some minutes and 1.5 GB.
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
_BEFORE = ("python3", "python3-pip", "ca-certificates")
_PATIENCE = 120
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def steps(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, each with what it says."""
    lines = "".join(line + "\n" for line in text.splitlines() if not line.startswith("#")).replace("\\\n", " ")
    return [(word, said) for word, _, said in (line.partition(" ") for line in lines.splitlines()) if word]


def base(image: str) -> tuple[str, str]:
    """Python's version and Debian's name of an image such as ``python:3.11-slim-bookworm``."""
    found = re.fullmatch(r"python:(\d+\.\d+)-slim-(\w+)", image)
    assert found, f"expected python:VERSION-slim-DEBIAN, got {image}"
    return found[1], found[2]


def health(said: str) -> list[str]:
    """The command of a HEALTHCHECK, such as ``--interval=1m CMD ["true"]``."""
    found = json.loads(said.partition("CMD ")[2])
    assert isinstance(found, list)
    return found


class Rehearsal:
    """A Debian in a folder, and where in it and as whom the next step runs."""

    def __init__(self, root: Path) -> None:
        self._root, self._folder, self._user, self._port = root, "/", "root", 0
        self._health = ""

    def take(self, word: str, said: str) -> None:
        """Carries one step out; raises where it fails or is of a kind not known here."""
        match word:
            case "FROM":
                self._from(*base(said))
            case "RUN":
                self._inside(said).check_returncode()
            case "WORKDIR":
                self._folder = said
                self._place(said).mkdir(parents=True, exist_ok=True)
            case "COPY":
                self._copy(*said.split())
            case "USER":
                self._user = said
            case "VOLUME":
                assert self._place(said).is_dir()
            case "EXPOSE":
                self._port = int(said)
            case "HEALTHCHECK":
                self._health = shlex.join(health(said))
            case "CMD":
                self._start(json.loads(said))
            case _:
                raise ValueError(f"expected an instruction known here, got {word}")

    def _from(self, version: str, debian: str) -> None:
        include = f"--include={','.join(_BEFORE)}"
        subprocess.run(["debootstrap", "--variant=minbase", include, debian, str(self._root)], check=True)
        own = self._inside("python3 --version", capture=True).stdout
        assert own.startswith(f"Python {version}."), f"{debian} has {own.strip()}, the image Python {version}"
        for marker in self._root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()  # the image's Python is not Debian's, and pip may install there
        for settings in ("etc/pip.conf", "etc/ssl/certs/ca-certificates.crt", "etc/resolv.conf"):
            if Path("/", settings).exists():
                shutil.copyfile(f"/{settings}", self._root / settings)

    def _copy(self, *given: str) -> None:
        *sources, target = given
        for source in sources:
            to = self._place(self._folder) / target
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, to)

    def _place(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    def _command(self, line: str) -> list[str]:
        alone = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={self._root / 'proc'}"]
        return [*alone, "chroot", f"--userspec={self._user}", str(self._root), "/bin/sh", "-ec", line]

    def _inside(self, line: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
        begun = f"cd {self._folder}; {line}"
        return subprocess.run(
            self._command(begun), env=self._environment(), text=True, check=False, stdout=-1 if capture else None
        )

    def _environment(self) -> dict[str, str]:
        home = "/root" if self._user == "root" else f"/home/{self._user}"
        return {"PATH": _PATH, "HOME": home, "DEBIAN_FRONTEND": "noninteractive"}

    def _start(self, command: list[str]) -> None:
        page = f"http://127.0.0.1:{self._port}/"
        assert not _answers(page), f"something else answers at {page} already; stop it first"
        assert self._health and self._inside(self._health).returncode, "nothing answers yet, and it seems healthy"
        line = f"cd {self._folder}; exec {' '.join(command)}"
        running = subprocess.Popen(self._command(line), env=self._environment())
        try:
            end = time.monotonic() + _PATIENCE
            while not _answers(page):
                assert running.poll() is None, f"the page ended by itself, code {running.returncode}"
                assert time.monotonic() < end, f"the page did not answer within {_PATIENCE} s"
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
    """Carries every step out in ``folder`` and says which was done."""
    rehearsal = Rehearsal(folder)
    for word, said in steps(DOCKERFILE.read_text(encoding="utf-8")):
        rehearsal.take(word, said)
        yield f"done: {word} {said}"


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
