"""What many threads cost in memory with the C library of Linux, and how that is kept small."""

from __future__ import annotations

import ctypes
import sys

_M_ARENA_MAX = -8
"""malloc.h of glibc; see mallopt(3)."""
_ARENAS = 2


def share_memory() -> None:
    """Lets all threads take memory from the same few places; to be called before they are started.

    Left to itself glibc gives almost every thread a place of its own and keeps what was taken there for a moment, so
    each of the server's threads would hold on to some 7 MB from the first picture that it handled. Elsewhere nothing is
    changed.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        ctypes.CDLL("libc.so.6").mallopt(_M_ARENA_MAX, _ARENAS)
    except (OSError, AttributeError):  # another C library
        return
