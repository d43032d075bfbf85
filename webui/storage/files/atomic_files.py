"""Files that are written completely or not at all, and that survive a power cut once they have their name."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

_MAX_JSON = 64 * 1024 * 1024
_UNFINISHED = re.compile(r"\..+\.(part|[0-9a-f]{8})|\.(copy|from)-\w+")
"""Names of temporary files and folders, as they are made here, by ``snapshot``, backups, imports and the pages."""
_PLACES = (
    "",
    "backups/",
    "photos/",
    "leaving/",
    "looks/",
    "waiting/",
    "watched/*/",
    "decks/",
    "decks/*/",
    "decks/*/*/",
)
"""The folders of a data folder in which they are made."""


def read_file(path: Path, most: int) -> bytes:
    """What a file of the data folder holds.

    Raises:
        OSError: it cannot be read, holds more than ``most`` bytes, or is none; a pipe would be waited for.
    """
    _refuse_devices(path)
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, "it is far too big")
    return data


def read_json(path: Path) -> Any:
    """What a file of the data folder says; None where there is none, and where it is damaged, whatever the damage."""
    try:
        return json.loads(read_file(path, _MAX_JSON))
    except (OSError, ValueError, RecursionError):
        return None


def _refuse_devices(path: Path) -> None:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "a pipe or a device lies there")


def _meant(path: Path) -> Path:
    """The file to be written, at the end of the links that lead to it.

    Raises:
        OSError: a pipe or a device is there, which a file would take the place of.
    """
    _refuse_devices(path)
    return path.resolve()


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file atomically, replacing an existing one.

    Raises:
        OSError: the disk does not take it, or no file may lie there; an existing file is unchanged.
    """
    path = _meant(path)
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
def new_file(target: Path) -> Iterator[BinaryIO]:
    """A file to be filled; it appears under its name when the block ends without an error.

    Raises:
        OSError: the disk does not take it, or no file may lie there.
    """
    target = _meant(target)
    part = target.with_name(f".{target.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        rename_durably(part, target)
    finally:
        with suppress(OSError):
            part.unlink()


@contextmanager
def new_zip(target: Path) -> Iterator[zipfile.ZipFile]:
    """A ZIP file to be filled, as ``new_file``."""
    with new_file(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        yield archive


def rename_durably(part: Path, path: Path) -> None:
    """Renames a file that is already synced to disk, and syncs its folder, so that a power cut cannot undo it."""
    part.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def remove_leftovers(folder: Path) -> None:
    """Removes temporary files and folders that a crash left behind in a data folder, which nobody else works on."""
    for path in (path for place in _PLACES for path in folder.glob(f"{place}.*")):
        if _UNFINISHED.fullmatch(path.name):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
