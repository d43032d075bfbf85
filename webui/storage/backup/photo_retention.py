"""Removes the oldest photos beyond a limit of age or size. Readings and agreed sheets are never removed.

Nothing is removed after one look at the clock. A photo that is to go is moved to the folder ``leaving`` first. It is
removed when another look, a day later at least, says the same, and is moved back where that look says otherwise.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import or_, select

from webui.storage.clock import Judgement, parsed
from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import GameRow, PhotoRow, RoundRow, SheetRow
from webui.storage.errors import StorageError, reason
from webui.storage.files.atomic_files import read_json, rename_durably, replace_file
from webui.storage.files.photo_files import PhotoFiles
from webui.storage.files.photo_limit import PhotoLimit

_DAY = timedelta(days=1)
_HASH_LENGTH = 32  # of a photo's name; its preview has the same
_LOOKS = "looks.json"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeavingPhotos:
    """How many photos are held to be removed, and when the first of them may be."""

    count: int
    first: datetime


@dataclass(slots=True)
class _Photo:
    """A photo with its preview; its date is that of the newer file."""

    files: list[Path]
    date: datetime
    size: int

    def move(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in self.files:
            if path.parent != folder:
                rename_durably(path, folder / path.name)


def remove_old_photos(photos: PhotoFiles, sessions: Sessions, limit: PhotoLimit, clock: Judgement) -> int:
    """Looks once for photos beyond the limit, oldest first, and removes those of which a look a day ago said the same.

    Photos of the last day and of rounds that are not agreed yet always stay. A photo whose date is before the first
    release or in the future was stored while the clock was wrong, and counts as stored now. Where no age counts,
    nothing is moved or removed.

    Returns:
        How many photos were removed.

    Raises:
        StorageError: the folder cannot be written, or the database not read.
    """
    if clock.believed is None:
        return 0
    needed = {name[:_HASH_LENGTH] for name in _needed_photos(sessions)}
    try:
        found = _photos(photos, clock)
        going = _beyond(found, needed, limit, clock.believed)
        return _remove(photos, found, going, clock.believed)
    except OSError as error:
        raise StorageError(f"old photos cannot be removed: {reason(error)}") from error


def leaving_photos(photos: PhotoFiles) -> LeavingPhotos | None:
    """The photos that are held to be removed, None where there are none."""
    held = {path.name[:_HASH_LENGTH] for path in photos.all_files() if path.parent == photos.leaving}
    looks = [time for content_hash, time in _read_looks(photos).items() if content_hash in held]
    return LeavingPhotos(len(held), min(looks) + _DAY) if looks else None


def _photos(photos: PhotoFiles, clock: Judgement) -> dict[str, _Photo]:
    """All photos by the hash of their content."""
    files: dict[str, list[Path]] = {}
    for path in photos.all_files():
        files.setdefault(path.name[:_HASH_LENGTH], []).append(path)
    return {name: _Photo(of, clock.date_of(of), sum(path.stat().st_size for path in of)) for name, of in files.items()}


def _beyond(found: Mapping[str, _Photo], needed: set[str], limit: PhotoLimit, believed: datetime) -> set[str]:
    """The hashes of the photos beyond the limit."""
    total, going = sum(photo.size for photo in found.values()), set()
    for content_hash, photo in sorted(found.items(), key=lambda item: item[1].date):
        if limit.allows(believed - photo.date, total):
            break
        if content_hash not in needed:
            going.add(content_hash)
            total -= photo.size
    if limit.bytes is not None and total > limit.bytes:
        _log.warning("photos take %d MB, and none of them may be removed", total // 1024**2)
    return going


def _remove(photos: PhotoFiles, found: Mapping[str, _Photo], going: set[str], believed: datetime) -> int:
    """Removes what goes now and was to go a day ago; moves the rest to where it belongs."""
    before, looks, removed = _read_looks(photos), {}, 0
    for content_hash, photo in found.items():
        if content_hash not in going:
            photo.move(photos.folder)
            continue
        look = min(before.get(content_hash, believed), believed)
        if believed - look < _DAY:
            photo.move(photos.leaving)
            looks[content_hash] = look
            continue
        for path in photo.files:
            path.unlink(missing_ok=True)
        removed += 1
    if looks != before:
        photos.leaving.mkdir(parents=True, exist_ok=True, mode=0o700)
        document = {content_hash: look.isoformat() for content_hash, look in looks.items()}
        replace_file(photos.leaving / _LOOKS, json.dumps(document).encode())
    new = len(looks.keys() - before.keys())
    if new:
        _log.info("%d old photos are held for a day, and removed then", new)
    if removed:
        _log.info("%d old photos removed", removed)
    return removed


def _read_looks(photos: PhotoFiles) -> dict[str, datetime]:
    """When each photo that is held was first seen to be beyond the limit, by its hash."""
    try:
        document = read_json(photos.leaving / _LOOKS)
        times = {str(content_hash): parsed(str(stamp)) for content_hash, stamp in document.items()}
    except (ValueError, AttributeError):  # not there yet, or damaged: this look is the first then
        return {}
    return {content_hash: time for content_hash, time in times.items() if time is not None}


def _needed_photos(sessions: Sessions) -> set[str]:
    """The photo files of rounds that are still to be agreed."""
    agreed = select(SheetRow.round_id)
    in_play = or_(GameRow.state.is_(None), GameRow.state == "open")
    files = select(PhotoRow.file).join(RoundRow, RoundRow.id == PhotoRow.round_id).join(GameRow).where(in_play)
    with sessions() as session:
        return set(session.scalars(files.where(RoundRow.id.not_in(agreed))))
