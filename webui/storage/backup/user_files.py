"""The files that go into backups and exports beside the games: own rule sets, table zones, decks and photos."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from webui.storage.backup.deck_import import deck_paths, largest

PHOTOS = "photos/"
MAX_USER_FILE, MAX_PHOTO = 1024**2, 64 * 1024**2
"""The most bytes of a rule set or of the zones, and of a photo, in an archive."""
_PATTERNS = ("rulesets/*.toml", "zones.json")
_log = logging.getLogger(__name__)


def files_beside(folder: Path, pictures: Iterable[Path], learnt: bool) -> Iterator[tuple[Path, str, int]]:
    """What an archive holds beside the games: each file, its name there, and how it is packed.

    What cannot be read, or what no archive may hold, is left out, so that the others are saved and can be read again.

    Args:
        folder: the data folder.
        pictures: the photos to include.
        learnt: whether to include what was learnt of the decks.
    """
    for path in (path for pattern in _PATTERNS for path in sorted(folder.glob(pattern))):
        if _is_readable(path, MAX_USER_FILE):
            yield path, path.relative_to(folder).as_posix(), zipfile.ZIP_DEFLATED
    for path in deck_paths(folder, learnt):
        name = path.relative_to(folder).as_posix()
        if _is_readable(path, largest(name) or 0):
            yield path, name, zipfile.ZIP_STORED
    for path in filter(lambda path: _is_readable(path, MAX_PHOTO), pictures):
        yield path, PHOTOS + path.name, zipfile.ZIP_STORED


def _is_readable(path: Path, most: int) -> bool:
    """Whether a file can be read and has ``most`` bytes or fewer, so that whoever reads the archive takes it.

    One that cannot does not keep the games out of a backup.
    """
    try:
        fits = path.is_file() and path.stat().st_size <= most
        if fits:
            path.open("rb").close()
    except OSError:
        fits = False
    if not fits:
        _log.warning("%s is left out of a backup, as it cannot be read or is far too big", path.name)
    return fits
