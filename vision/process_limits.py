"""Limits for a process that opens what strangers made."""

from __future__ import annotations

import sys
from pathlib import Path


def limit_process(memory: int, file_bytes: int, seconds: int | None = None) -> None:
    """Limits this process to ``memory`` bytes more than now and each file that it writes to ``file_bytes``, 0 for none.

    After so many ``seconds`` of work it ends by itself, should nobody wait for it any more. Windows has no such limits.
    """
    try:
        import resource
    except ImportError:
        return
    used = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if sys.platform == "linux" else 0
    )
    resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
