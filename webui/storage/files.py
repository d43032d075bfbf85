"""Photo files, named by the hash of their content, and the secret that signs the page's cookies."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from webui.storage.errors import StorageError

_SUFFIXES = {b"\xff\xd8": ".jpg", b"\x89P": ".png", b"RI": ".webp"}


class PhotoFiles:
    """The folder of photos as they came, each beside a smaller upright picture of it for looking at."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "photos"

    def keep(self, data: bytes, view: bytes) -> str:
        """Keeps a photo and its view; the same content is kept once.

        Returns:
            The name to find it by.

        Raises:
            StorageError: the disk does not take it.
        """
        name = hashlib.sha256(data).hexdigest()[:32] + _SUFFIXES.get(data[:2], ".bin")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _write_whole(self._folder / name, data)
            _write_whole(self._view(name), view)
        except OSError as error:
            raise StorageError(
                f"the photo cannot be kept in {self._folder}: {error.strerror or error}; make room and send it again"
            ) from error
        return name

    def path(self, name: str) -> Path:
        return self._folder / name

    def view_path(self, name: str) -> Path:
        return self._view(name)

    def _view(self, name: str) -> Path:
        return self._folder / f"{Path(name).stem}-view.jpg"


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
    """Writes a file that is not there yet; its content is told by its name."""
    if not path.exists():
        replace_file(path, data)


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file so that nobody ever sees half of it, in place of one that may be there."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
