"""Archives are checked in processes forked from one that has imported everything, where a new Python takes a second.

Only under the usual limits: whoever sets other ones has the program's own process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import traceback
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from webui.storage.backup.checks import process

ROOT = Path(__file__).parents[3]
_begin = process._run
_USUAL = (process.MEMORY, process._DISK, process.SECONDS)
_asking = threading.Lock()


def fork_checks() -> None:
    """Lets all archives of this process be checked so from now on."""
    process._run = _run


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    if (process.MEMORY, process._DISK, process.SECONDS) != _USUAL:
        return _begin(*arguments)
    with TemporaryDirectory() as folder, _asking:
        asked, answered = _forking()
        asked.write(json.dumps([folder, str(Path.cwd()), *map(str, arguments)]).encode() + b"\n")
        asked.flush()
        status = int(answered.readline())
        said = [Path(folder, name).read_text(errors="replace") for name in ("1", "2")]
        return subprocess.CompletedProcess([], status, *said)


@cache
def _forking() -> tuple[IO[bytes], IO[bytes]]:
    """The process that forks, by its input, the end of which ends it, and its output."""
    command = [sys.executable, "-c", "from tests.webui.helpers.checking import serve; serve()"]
    started = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdin and started.stdout
    return started.stdin, started.stdout


def serve() -> None:
    """Main function of the process that forks; answers each line of its input with how the check ended."""
    from webui.storage.backup.checks.clean_copy import main

    for line in sys.stdin:
        answers, folder, *sys.argv[1:] = json.loads(line)
        child = os.fork()
        if child:
            print(os.waitpid(child, 0)[1], flush=True)
            continue
        os.chdir(folder)
        for stream in (1, 2):
            os.dup2(os.open(f"{answers}/{stream}", os.O_WRONLY | os.O_CREAT), stream)
        try:
            main()
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
