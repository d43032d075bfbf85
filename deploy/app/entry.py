"""What the app folder runs: the command ``handfoot``, and the processes of its own that it starts as ``python -c`` and
``python -m``; in the folder, ``sys.executable`` is this program."""

from __future__ import annotations

import os
import runpy
import sys


def run() -> int:
    """Runs what the arguments name; returns the exit code."""
    # The folder's libraries are for this program: a browser that it opens has its own.
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    how, what = (*sys.argv[1:3], "", "")[:2]
    if how == "-c":
        sys.argv = ["-c", *sys.argv[3:]]
        exec(what, {"__name__": "__main__"})
        return 0
    if how == "-m":
        sys.argv = [what, *sys.argv[3:]]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
        return 0
    from webui.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
