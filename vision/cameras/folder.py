"""A folder of pictures as a camera: each look gives the next one, and after the last the first again."""

from __future__ import annotations

from pathlib import Path

from vision.errors import CameraError, PhotoError
from vision.photos import load_photo, photos_in
from vision.values import Frame


class FolderCamera:
    """Gives the folder's pictures in the order of their names.

    Raises:
        CameraError: the folder holds no picture.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._name = name
        if not folder.is_dir():
            raise CameraError(f"there is no folder {folder}; expected a folder of pictures")
        try:
            self._photos = photos_in(folder)
        except PhotoError as error:
            raise CameraError(str(error)) from error
        self._next = 0

    @property
    def name(self) -> str:
        return self._name

    def read(self) -> Frame:
        path = self._photos[self._next % len(self._photos)]
        self._next += 1
        return load_photo(path)

    def close(self) -> None:
        """Nothing is held open."""
