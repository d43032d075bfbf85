"""Files that are written completely or not at all, and that survive a power cut once they have their name."""

from __future__ import annotations

import os
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file atomically, replacing an existing one.

    Raises:
        OSError: the disk does not take it; an existing file is unchanged.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        rename_durably(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def new_zip(target: Path) -> Iterator[zipfile.ZipFile]:
    """A ZIP file to be filled; it appears under its name when the block ends without an error.

    Raises:
        OSError: the disk does not take it.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            # A file of a machine without a set clock is of 1970, and ZIP knows no time before 1980.
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
                yield archive
            file.flush()
            os.fsync(file.fileno())
        rename_durably(part, target)
    finally:
        with suppress(OSError):
            part.unlink()


def rename_durably(part: Path, path: Path) -> None:
    """Renames a file that is already synced to disk, and syncs its folder, so that a power cut cannot undo it."""
    part.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
