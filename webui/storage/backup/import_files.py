"""Photos and own rules of a file that is brought in: checked first, and given their names only with its games."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from vision.errors import PhotoError
from vision.images.jpeg import to_jpeg
from vision.images.sandbox import Decoder
from webui.storage.backup.archive import UNREADABLE, Opened
from webui.storage.error_text import reason
from webui.storage.errors import StorageError
from webui.storage.photo_files import VIEW_SIDE, PhotoFiles, put_in_place_of, replace_file

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Incoming:
    """Files that lie ready, each with its place: those that are not here yet, and own rules that differ from those
    here. ``left_out`` counts photos that are none, or not what their names say."""

    new: list[tuple[Path, Path]] = field(default_factory=list)
    differing: list[tuple[Path, Path]] = field(default_factory=list)
    left_out: int = 0
    _before: list[tuple[Path, bytes | None]] = field(default_factory=list)

    def put_in_place(self, files: Iterable[tuple[Path, Path]]) -> None:
        """Gives files their names, ``new`` ones or ``differing`` ones."""
        for ready, place in files:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._before.append((place, place.read_bytes() if place.exists() else None))
            put_in_place_of(ready, place)

    def take_back(self) -> None:
        """Leaves all as it was before."""
        for place, before in reversed(self._before):
            with suppress(OSError):
                if before is None:
                    place.unlink(missing_ok=True)
                else:
                    replace_file(place, before)


@contextmanager
def coming_in(held: Opened, folder: Path, photos: PhotoFiles) -> Iterator[Incoming]:
    """Lays ready what is missing here; what fails while this lasts leaves no file behind.

    Args:
        held: the file.
        folder: the data folder.
        photos: those that are here.

    Raises:
        StorageError: the disk does not take them.
    """
    with _writing(folder), tempfile.TemporaryDirectory(dir=folder, prefix=".from-") as work:
        incoming = Incoming()
        _photos(held, Path(work), photos, incoming)
        _own_files(held, Path(work), folder, incoming)
        try:
            yield incoming
        except BaseException:
            incoming.take_back()
            raise


def _photos(held: Opened, work: Path, photos: PhotoFiles, incoming: Incoming) -> None:
    """Only what is named by its content's hash and is a photo comes in; the view of it is made anew."""
    decoder = Decoder()  # its own, so that nobody else's photo waits for these
    try:
        for name in held.photo_names():
            if photos.is_view(name) or photos.path(name).exists() or (work / name).exists():
                continue
            try:
                data = held.photo(name)
                if not photos.is_name_of(name, data):
                    raise PhotoError(f"{name} is not what its name says")
                frame, _ = decoder.decode(data, name)
            except (PhotoError, *UNREADABLE) as error:
                _log.warning("left out of what was brought in: %s", error)
                incoming.left_out += 1
                continue
            view = photos.view_path(name)
            for place, content in ((photos.path(name), data), (view, to_jpeg(frame.pixels, VIEW_SIDE))):
                replace_file(work / place.name, content)
                incoming.new.append((work / place.name, place))
    finally:
        decoder.close()


def _own_files(held: Opened, work: Path, folder: Path, incoming: Incoming) -> None:
    for number, (name, data) in enumerate(held.own_files()):
        place, ready = folder / name, work / f"own-{number}"
        replace_file(ready, data)
        if not place.exists():
            incoming.new.append((ready, place))
        elif place.read_bytes() != data:
            incoming.differing.append((ready, place))


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"files cannot be written to {folder}: {reason(error)}; do it again then") from error
