"""Removes temporary files and folders that a crash left behind."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

_QUIET = 20 * 60.0
"""Seconds; whoever brings in a file writes more often, and checks a database for five minutes at most."""
_UNFINISHED = re.compile(r"\..+\.(part|[0-9a-f]{8})|\.(copy|from)-\w+")
"""Names of temporary files and folders, as ``atomic_files``, ``snapshot``, ``archive`` and the pages make them."""


class Leftovers:
    """Temporary files and folders in some folders, as they were when this process first saw them.

    Their own times are not asked, since the clock may have been moved. What stays the same for a while of this process
    is written by nobody.

    Args:
        folders: tells the folders as they are now.
    """

    def __init__(self, folders: Callable[[], Iterable[Path]]) -> None:
        self._folders = folders
        self._seen: dict[Path, tuple[object, float]] = {}

    def remove(self) -> None:
        """Looks once, and removes what has not changed for 20 minutes of looks."""
        now, before, self._seen = time.monotonic(), self._seen, {}
        for path in (path for folder in self._folders() if folder.is_dir() for path in folder.glob(".*")):
            if not _UNFINISHED.fullmatch(path.name):
                continue
            with suppress(OSError):
                state = _state(path)
                earlier, since = before.get(path, (None, now))
                if earlier != state:
                    self._seen[path] = state, now
                elif now - since < _QUIET:
                    self._seen[path] = state, since
                else:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _state(path: Path) -> object:
    """What changes when somebody writes there."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [(file, (stat := file.stat()).st_size, stat.st_mtime_ns) for file in files]
