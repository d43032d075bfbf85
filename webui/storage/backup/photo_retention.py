"""Removes the oldest photos beyond a limit of age or size. Readings and agreed sheets are never removed."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import or_, select

from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import GameRow, PhotoRow, RoundRow, SheetRow
from webui.storage.errors import StorageError
from webui.storage.photo_files import PhotoFiles

DEFAULT_DAYS, DEFAULT_BYTES = 730.0, 5 * 1024**3
_DAY = 24 * 3600.0
_HASH_LENGTH = 32  # of a photo's name; its preview has the same
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PhotoLimit:
    """The largest age in days and the largest total size in bytes; None is no limit."""

    days: float | None = DEFAULT_DAYS
    bytes: int | None = DEFAULT_BYTES


def remove_old_photos(photos: PhotoFiles, sessions: Sessions, limit: PhotoLimit) -> int:
    """Removes photos beyond the limit with their previews, oldest first.

    Photos of the last day and of rounds that are not agreed yet always stay.

    Returns:
        How many photos were removed.

    Raises:
        StorageError: the folder cannot be written, or the database not read.
    """
    now, removed = time.time(), 0
    try:
        by_hash: dict[str, list[tuple[Path, float, int]]] = {}
        for path in photos.all_files():
            stat = path.stat()
            by_hash.setdefault(path.name[:_HASH_LENGTH], []).append((path, stat.st_mtime, stat.st_size))
        total = sum(size for files in by_hash.values() for _, _, size in files)
        needed = {name[:_HASH_LENGTH] for name in _needed_photos(sessions)}
        oldest_first = sorted(by_hash.items(), key=lambda item: max(modified for _, modified, _ in item[1]))
        for content_hash, files in oldest_first:
            age = now - max(modified for _, modified, _ in files)
            too_old = limit.days is not None and age > limit.days * _DAY
            if age < _DAY or not (too_old or (limit.bytes is not None and total > limit.bytes)):
                break
            if content_hash in needed:
                continue
            for path, _, size in files:
                path.unlink(missing_ok=True)
                total -= size
            removed += 1
    except OSError as error:
        raise StorageError(f"old photos cannot be removed: {error.strerror or error}") from error
    if removed:
        _log.info("%d old photos removed, %d MB left", removed, total // 1024**2)
    if limit.bytes is not None and total > limit.bytes:
        _log.warning("photos take %d MB, and none of them may be removed", total // 1024**2)
    return removed


def _needed_photos(sessions: Sessions) -> set[str]:
    """The photo files of rounds that are still to be agreed."""
    agreed = select(SheetRow.round_id)
    in_play = or_(GameRow.state.is_(None), GameRow.state == "open")
    files = select(PhotoRow.file).join(RoundRow, RoundRow.id == PhotoRow.round_id).join(GameRow).where(in_play)
    with sessions() as session:
        return set(session.scalars(files.where(RoundRow.id.not_in(agreed))))
