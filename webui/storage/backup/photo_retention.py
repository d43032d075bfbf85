"""A limit to what photos take: the oldest go first. What was read in them, corrected and agreed stays for good."""

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

USUAL_DAYS, USUAL_BYTES = 730.0, 5 * 1024**3
_DAY = 24 * 3600.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PhotoLimit:
    """Photos may be so many days old, and take so many bytes in all; none of either is no limit."""

    days: float | None = USUAL_DAYS
    bytes: int | None = USUAL_BYTES


def remove_old_photos(photos: PhotoFiles, sessions: Sessions, limit: PhotoLimit) -> int:
    """Removes photos beyond the limit, each with its view, but none of the last day and none of a round that is not
    agreed yet.

    Returns:
        How many photos were removed.

    Raises:
        StorageError: the folder cannot be written, or the database not read.
    """
    now, removed = time.time(), 0
    try:
        held: dict[str, list[tuple[Path, float, int]]] = {}
        for path in photos.all_files():
            about = path.stat()
            held.setdefault(path.name[:32], []).append((path, about.st_mtime, about.st_size))
        total = sum(size for files in held.values() for _, _, size in files)
        needed = {name[:32] for name in _waiting(sessions)}
        by_age = sorted(held.items(), key=lambda item: max(at for _, at, _ in item[1]))
        for name, files in by_age:
            age = now - max(at for _, at, _ in files)
            too_old = limit.days is not None and age > limit.days * _DAY
            if age < _DAY or not (too_old or (limit.bytes is not None and total > limit.bytes)):
                break
            if name in needed:
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


def _waiting(sessions: Sessions) -> set[str]:
    """The photos of rounds that are still to be agreed."""
    agreed = select(SheetRow.round_id)
    going = or_(GameRow.state.is_(None), GameRow.state == "open")
    waiting = select(PhotoRow.file).join(RoundRow, RoundRow.id == PhotoRow.round_id).join(GameRow).where(going)
    with sessions() as session:
        return set(session.scalars(waiting.where(RoundRow.id.not_in(agreed))))
