"""Photo files, named by the hash of their content."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import replace_file

PREVIEW_SIDE = 2000
"""The most pixels of the longer side of a preview."""
_SUFFIXES = {b"\xff\xd8": ".jpg", b"\x89P": ".png", b"RI": ".webp"}
_NAME = re.compile(r"(?P<hash>[0-9a-f]{32})((?P<preview>-view\.jpg)|\.(jpg|png|webp|bin))")


class PhotoFiles:
    """The folder ``photos`` of the data folder: every photo as stored, without metadata and 4096 px wide at most, and a
    smaller upright preview of each.

    Photos that are to be removed are held in the folder ``leaving`` first, where they are found as before; see
    ``webui.storage.backup.photo_retention``.
    """

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "photos"
        self.leaving = data_dir / "leaving"

    def add(self, data: bytes, preview: bytes) -> str:
        """Stores a photo and its preview; equal content is stored once, and a damaged file of it is replaced.

        Returns:
            The photo's file name.

        Raises:
            StorageError: the disk does not take it.
        """
        name = _name_of(data)
        with disk_errors("The photo was not saved"):
            self.folder.mkdir(parents=True, exist_ok=True)
            for path, content in ((self.folder / name, data), (self.folder / _preview(name), preview)):
                _write(path, content)
                (self.leaving / path.name).unlink(missing_ok=True)
        return name

    def holds(self, data: bytes) -> bool:
        """Whether a photo is stored whole."""
        return _has(self._found(_name_of(data)), data)

    def is_preview(self, name: str) -> bool:
        """Whether this is the file name of a preview."""
        match = _NAME.fullmatch(name)
        return match is not None and match["preview"] is not None

    def is_name_of(self, name: str, data: bytes) -> bool:
        """Whether a file name belongs to this content and its format."""
        return name == _name_of(data)

    def all_files(self) -> list[Path]:
        """All photos and previews, those that are leaving too, sorted by name."""
        found: dict[str, Path] = {}
        for folder in (self.leaving, self.folder):
            with suppress(OSError):  # it is not there, or damaged
                found |= {path.name: path for path in folder.iterdir() if _NAME.fullmatch(path.name)}
        return [path for _, path in sorted(found.items())]

    def size(self) -> int:
        """The bytes that photos and previews take together."""
        total = 0
        for path in self.all_files():
            with suppress(OSError):  # it is being removed
                total += path.stat().st_size
        return total

    def path(self, name: str) -> Path:
        """Where a photo is, or would be."""
        return self._found(name)

    def preview_path(self, name: str) -> Path:
        """Where the preview of a photo is, or would be."""
        return self._found(_preview(name))

    def _found(self, name: str) -> Path:
        held, usual = self.leaving / name, self.folder / name
        try:
            return held if held.exists() and not usual.exists() else usual
        except OSError:  # a folder may not be looked into; opening the photo says so
            return usual


def _has(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _write(path: Path, data: bytes) -> None:
    """Writes a file, or renews its time where it is there whole, by which photos grow old.

    Raises:
        OSError: the disk does not take it.
    """
    if _has(path, data):
        path.touch()
    else:
        replace_file(path, data)


def _preview(name: str) -> str:
    return f"{Path(name).stem}-view.jpg"


def _name_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32] + _SUFFIXES.get(data[:2], ".bin")
