"""Photo files, named by the hash of their content, and the secret that signs the page's cookies."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from webui.storage.error_text import reason, what_to_do
from webui.storage.errors import StorageError

VIEW_SIDE = 2000
"""Pixels that the longer side of a view has at most."""
_SUFFIXES = {b"\xff\xd8": ".jpg", b"\x89P": ".png", b"RI": ".webp"}

_NAME = re.compile(r"(?P<hash>[0-9a-f]{32})((?P<view>-view\.jpg)|\.(jpg|png|webp|bin))")


class PhotoFiles:
    """The folder of photos as they came, each beside a smaller upright picture of it for looking at."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "photos"

    def keep(self, data: bytes, view: bytes) -> str:
        """Keeps a photo and its view; the same content is kept once.

        Returns:
            The name to find it by.

        Raises:
            StorageError: the disk does not take it.
        """
        name = _hash(data) + _SUFFIXES.get(data[:2], ".bin")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write_whole(self.folder / name, data)
            _write_whole(self.view_path(name), view)
        except OSError as error:
            raise StorageError(f"The photo was not kept: {reason(error)}; {what_to_do(error)}.") from error
        return name

    def is_view(self, name: str) -> bool:
        """Whether a file of that name is the view of a photo."""
        known = _NAME.fullmatch(name)
        return known is not None and known["view"] is not None

    def is_name_of(self, name: str, data: bytes) -> bool:
        """Whether a photo of that content has that name."""
        known = _NAME.fullmatch(name)
        return known is not None and known["hash"] == _hash(data)

    def all_files(self) -> list[Path]:
        """Every photo and every view that is there."""
        try:
            return sorted(path for path in self.folder.iterdir() if _NAME.fullmatch(path.name))
        except FileNotFoundError:
            return []

    def size(self) -> int:
        """What all of them take, in bytes."""
        return sum(path.stat().st_size for path in self.all_files())

    def path(self, name: str) -> Path:
        return self.folder / name

    def view_path(self, name: str) -> Path:
        return self.folder / f"{Path(name).stem}-view.jpg"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def secret_key(data_dir: Path) -> bytes:
    """The secret of this data folder, made at its first use and readable by its owner alone.

    Raises:
        StorageError: it cannot be read or made.
    """
    path = data_dir / "secret-key"
    try:
        if not path.exists():
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write_whole(path, secrets.token_bytes(32))
        return path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}") from error


def _write_whole(path: Path, data: bytes) -> None:
    """Writes a file that is not there yet; its content is told by its name. One that is there counts as new again."""
    if path.exists():
        path.touch()
    else:
        replace_file(path, data)


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file so that nobody ever sees half of it, in place of one that may be there.

    Raises:
        OSError: the disk does not take it; what was there before is still there.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        put_in_place_of(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def new_zip(target: Path) -> Iterator[zipfile.ZipFile]:
    """A ZIP file to be filled, which is there whole and for good afterwards, or not at all.

    Raises:
        OSError: the disk does not take it.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                yield archive
            file.flush()
            os.fsync(file.fileno())
        put_in_place_of(part, target)
    finally:
        with suppress(OSError):
            part.unlink()


def put_in_place_of(part: Path, path: Path) -> None:
    """Gives a file that is whole and on the disk its name, for good: not even a power cut takes it away again."""
    part.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
