"""Limits for a process: for one that opens what strangers made, and of the memory that many threads keep."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

_M_ARENA_MAX = -8
"""malloc.h of glibc; see mallopt(3)."""
_ARENAS = 2


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


def limit_malloc_arenas() -> None:
    """Lets all threads share two malloc arenas; to be called before threads are started. No effect without glibc.

    By default glibc gives almost every thread an arena of its own, which keeps freed memory for a while: each of the
    server's threads would hold about 7 MB from the first picture that it handled.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        ctypes.CDLL("libc.so.6").mallopt(_M_ARENA_MAX, _ARENAS)
    except (OSError, AttributeError):  # another C library
        return
