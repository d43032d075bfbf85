"""Makes the app folder for the system that it is made on: ``dist/handfoot`` runs without Python and without a network.

``make app``, or ``python deploy/app/make.py`` where there is no make.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE, ENVIRONMENT = Path(__file__).parent, ROOT / "build" / "app-env"


def run(*command: str | Path) -> None:
    """Runs a program; ends with its exit code where it fails."""
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    """Installs the program by the lock into an environment of its own, and has PyInstaller gather it."""
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    python = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "install", "--require-hashes", "-r", "requirements.lock")
    run(*pip, "install", "--no-deps", ".")
    # The same OpenCV without windows, which nobody sees: a third of the folder, and libraries that bare systems lack.
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    version = next(line.split("==")[1].split()[0] for line in lines if line.startswith("opencv-python=="))
    run(*pip, "uninstall", "--yes", "opencv-python")
    run(*pip, "install", "--no-deps", f"opencv-python-headless=={version}")
    run(*pip, "install", "pyinstaller>=6.11")
    dist, work = ROOT / "dist", ROOT / "build" / "app"
    build = ("-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", dist, "--workpath", work)
    run(python, *build, HERE / "handfoot.spec")
    if sys.platform == "linux":
        shutil.copy(HERE / "add-to-menu.sh", dist / "handfoot")


if __name__ == "__main__":
    main()
