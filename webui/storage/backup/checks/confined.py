"""The process that checks an archive: takes its limits before it touches the file."""

from __future__ import annotations

import sys
from pathlib import Path

from webui.storage.backup.checks.clean_copy import work


def main() -> None:
    """Confines this process and works; its arguments are those that ``checks.process`` gives."""
    memory, disk, seconds, folder, source, target = sys.argv[1:]
    _confine(int(memory), int(disk), int(seconds))
    work(Path(folder), Path(source), Path(target))


def _confine(memory: int, disk: int, seconds: int) -> None:
    """Limits this process to ``memory`` bytes more than now, and each file that it writes to ``disk`` bytes.

    It ends after ``seconds`` of work by itself too, should nobody wait for it any more.
    """
    try:
        import resource
    except ImportError:  # Windows has no limits but the time
        return
    used = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if sys.platform == "linux" else 0
    )
    resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
