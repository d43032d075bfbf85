"""A folder of pictures as a camera: each still takes the next picture, and after the last the first again.

The watcher closes a camera that nobody uses and opens it again later, so the place in the folder outlives the camera.
"""

from __future__ import annotations

from pathlib import Path

from vision.cameras.base import Abilities, Camera, CameraKind
from vision.errors import CameraError, PhotoError
from vision.images.decode import load_photo, photos_in
from vision.values import Frame

_last_taken: dict[Path, Path] = {}
"""The picture that was taken last, by its folder, for as long as this process runs."""


class FolderCamera(Camera):
    """Shows the folder's pictures in the order of their names; the preview is the picture that the next still takes.

    Opened again, it goes on behind the picture that was taken last. Messages and frames name a picture without its
    folders, as they are shown to everybody on the page.

    Args:
        folder: the folder of pictures.
        name: the camera's name in messages.

    Raises:
        CameraError: the folder holds no picture.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._folder = folder.resolve()
        if not folder.is_dir():
            raise CameraError(f"there is no folder {self._folder.name}; expected a folder of pictures")
        try:
            self._photos = photos_in(self._folder, self._folder.name)
        except PhotoError as error:
            raise CameraError(str(error)) from error
        last = _last_taken.get(self._folder)
        self._at = next((at for at, photo in enumerate(self._photos) if last is not None and photo > last), 0)
        self._shown: Frame | None = None

    def abilities(self) -> Abilities:
        frame = self.read()
        size = frame.width, frame.height
        return Abilities(size, size, live=False)

    def read(self) -> Frame:
        self._must_be_open()
        if self._shown is None:
            self._shown = load_photo(self._photos[self._at], self._photos[self._at].name)
        return self._shown

    def still(self) -> Frame:
        try:
            return self.read()
        finally:
            if not self._closed:
                _last_taken[self._folder] = self._photos[self._at]
                self._at, self._shown = (self._at + 1) % len(self._photos), None


def _open(spec: str) -> FolderCamera | None:
    path = Path(spec)
    return FolderCamera(path, path.resolve().name) if path.is_dir() else None


KIND = CameraKind("a folder of pictures", _open)
