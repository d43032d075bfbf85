"""A small disk that is quickly full: a tmpfs, which only root can mount."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class SmallDisk:
    """A mounted tmpfs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "something-else"

    def fill(self, left: int) -> None:
        """Fills the disk up to the last ``left`` bytes."""
        with suppress(OSError), self._filler.open("ab", buffering=0) as file:
            while file.write(bytes(65536)):
                pass
        if left and self._filler.exists():
            with self._filler.open("ab") as file:
                file.truncate(max(0, self._filler.stat().st_size - left))

    def set_read_only(self, read_only: bool) -> None:
        """Remounts the disk, read-only as an operating system does with a failing card, or writable again."""
        subprocess.run(["mount", "-o", f"remount,{'ro' if read_only else 'rw'}", str(self.folder)], check=True)

    def free_space(self) -> None:
        """Undoes ``fill``."""
        self._filler.unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[SmallDisk | None]:
    """A disk of a size such as ``8m``, mounted at a folder; None where this user may not mount one."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
