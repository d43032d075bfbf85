"""A folder of pictures as a camera: each still takes the next picture, and after the last the first again."""

from __future__ import annotations

from pathlib import Path

from vision.cameras.base import Abilities, CameraKind
from vision.errors import CameraError, PhotoError
from vision.images.decode import load_photo, photos_in
from vision.values import Frame


class FolderCamera:
    """Shows the folder's pictures in the order of their names; the preview is the picture that the next still takes.

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
        self._shown: Frame | None = None

    @property
    def name(self) -> str:
        return self._name

    def abilities(self) -> Abilities:
        frame = self.read()
        size = frame.width, frame.height
        return Abilities(size, size, live=False)

    def read(self) -> Frame:
        if not self._photos:
            raise CameraError(f"{self._name} is closed; open it again")
        if self._shown is None:
            self._shown = load_photo(self._photos[self._next % len(self._photos)])
        return self._shown

    def still(self) -> Frame:
        try:
            return self.read()
        finally:
            self._next += 1
            self._shown = None

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        if focus is not None or exposure is not None:
            raise CameraError(f"{self._name} is a folder of pictures; nothing of it can be set")

    def close(self) -> None:
        self._photos, self._shown = [], None


def _open(spec: str) -> FolderCamera | None:
    path = Path(spec)
    return FolderCamera(path, path.name) if path.is_dir() else None


KIND = CameraKind("a folder of pictures", _open)
