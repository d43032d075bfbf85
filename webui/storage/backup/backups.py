"""Backups with their rotation, export, restore and import."""

from __future__ import annotations

import logging
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, func, select

from webui.storage.backup.archive import ArchiveInfo, OpenArchive, open_archive, read_info, write_archive
from webui.storage.backup.import_files import StagedFiles, stage_files
from webui.storage.backup.import_games import add_game, missing_games
from webui.storage.backup.photo_retention import PhotoLimit, remove_old_photos
from webui.storage.db.damage import clear_damage_note, damage_note
from webui.storage.db.sessions import Sessions
from webui.storage.db.snapshot import replace_games, timestamp
from webui.storage.db.tables import GameRow, LogRow
from webui.storage.errors import StorageError
from webui.storage.job_files import FOLDER as JOB_FOLDER
from webui.storage.photo_files import PhotoFiles

_KEEP_NEWEST = 10
_KEEP_DAILY = 30
_PATTERN = "handfoot-*.zip"
_HOUR = 3600.0
_UNFINISHED = re.compile(r"\..+\.(part|[0-9a-f]{8})|\.(copy|from)-\w+")
"""Names of temporary files and folders, as ``atomic_files``, ``snapshot``, ``archive`` and the pages make them."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backup:
    """A readable backup in the backup folder."""

    path: Path
    info: ArchiveInfo


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import.

    ``new`` and ``known`` count the games that were added and those that existed; ``other_rules`` are the ids of user
    rule sets that differ from those here, which were kept; ``left_out`` counts photos that were not valid.
    """

    new: int
    known: int
    other_rules: tuple[str, ...] = ()
    left_out: int = 0


class Backups:
    """Operations on all games at once. Backups are in the folder ``backups`` of the data folder."""

    def __init__(self, folder: Path, engine: Engine, sessions: Sessions, photos: PhotoFiles) -> None:
        self._data_folder, self._engine, self._session, self._photos = folder, engine, sessions, photos
        self._import_lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The backup folder."""
        return self._data_folder / "backups"

    @property
    def damage(self) -> str | None:
        """The sentence about a damaged database that was moved aside, until ``clear_damage``."""
        return damage_note(self._data_folder)

    def clear_damage(self) -> None:
        """Removes that sentence, once a person has decided how to go on."""
        clear_damage_note(self._data_folder)

    def all(self) -> list[Backup]:
        """All readable backups, newest first."""
        backups = []
        for path in reversed(self._files()):
            try:
                backups.append(Backup(path, read_info(path)))
            except StorageError as error:
                _log.warning("%s", error)
        return backups

    def newest_with_games(self) -> Backup | None:
        """The newest backup that is not empty: the one to restore or to offer after damage."""
        return next((backup for backup in self.all() if backup.info.games), None)

    def back_up(self) -> Backup:
        """Makes a backup, without photos, and removes old ones; see ``outdated``.

        Raises:
            StorageError: it cannot be written; older ones are still there.
        """
        path = self.folder / f"handfoot-{timestamp()}.zip"
        info = self.back_up_to(path)
        for old in outdated(self._files()):
            old.unlink(missing_ok=True)
        _log.info("backup %s written", path.name)
        return Backup(path, info)

    def back_up_to(self, target: Path) -> ArchiveInfo:
        """Writes a backup to any file. Raises like ``back_up``."""
        return write_archive(target, self._engine, self._data_folder, None)

    def back_up_if_changed(self) -> Backup | None:
        """Like ``back_up``; does nothing where the newest backup is up to date or there are no games."""
        with self._session() as session:
            games = session.scalar(select(func.count()).select_from(GameRow))
            newest = session.scalar(select(func.max(LogRow.id))) or 0
        last = next(iter(self.all()), None)
        if games == 0 or (last and (last.info.games, last.info.newest) == (games, newest)):
            return None
        return self.back_up()

    def remove_leftovers(self) -> None:
        """Removes temporary files and folders that a crash left behind."""
        for path in leftovers(self._data_folder, self.folder, self._photos.folder, self._data_folder / JOB_FOLDER):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def export(self, target: Path) -> ArchiveInfo:
        """Writes everything, photos included, into one file.

        Raises:
            StorageError: it cannot be written.
        """
        return write_archive(target, self._engine, self._data_folder, self._photos)

    def restore(self, path: Path) -> tuple[ArchiveInfo, int]:
        """Replaces all games by those of a backup or an export, after a backup of the current ones.

        Returns:
            What the file holds, and how many of its photos were left out.

        Raises:
            StorageError: it cannot be read or written; then nothing is changed.
        """
        with self._exclusive(), open_archive(path, self._data_folder) as archive, self._stage(archive) as staged:
            info = read_info(path)
            self.back_up_if_changed()
            staged.install(staged.new)  # before the transaction, so that nobody's change waits for it
            with archive.engine.begin() as old, self._session.begin() as session:
                replace_games(old, session.connection())
                staged.install(staged.differing)
            self.clear_damage()
            return info, staged.left_out

    def import_games(self, path: Path) -> ImportResult:
        """Adds the games of a backup or an export that are missing here; existing games do not change.

        Raises:
            StorageError: it cannot be read or written; then nothing is changed.
        """
        with self._exclusive(), open_archive(path, self._data_folder) as archive, self._stage(archive) as staged:
            staged.install(staged.new)
            with archive.engine.begin() as old, self._session.begin() as session:
                missing = missing_games(old, session)
                total = old.scalar(select(func.count()).select_from(GameRow)) or 0
                if session.scalar(select(func.count()).select_from(GameRow)):
                    for game_id in missing:
                        add_game(old, session, game_id)
                else:
                    replace_games(old, session.connection())  # keeps every id, and so every address
            self.clear_damage()
            other_rules = tuple(target.stem for _, target in staged.differing if target.suffix == ".toml")
            return ImportResult(len(missing), total - len(missing), other_rules, staged.left_out)

    def remove_old_photos(self, limit: PhotoLimit) -> int:
        """Removes the oldest photos beyond a limit. Returns how many; raises like ``photo_retention``."""
        return remove_old_photos(self._photos, self._session, limit)

    def _files(self) -> list[Path]:
        """All backup files, oldest first."""
        return sorted(self.folder.glob(_PATTERN))

    def _stage(self, archive: OpenArchive) -> AbstractContextManager[StagedFiles]:
        return stage_files(archive, self._data_folder, self._photos)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """One import at a time, so that many at once cannot fill memory or disk."""
        if not self._import_lock.acquire(blocking=False):
            raise StorageError("another file is being brought in just now; wait until it is there and do it again")
        try:
            yield
        finally:
            self._import_lock.release()


def leftovers(*folders: Path) -> list[Path]:
    """Temporary files and folders older than an hour, which no running process can still be writing."""
    before = time.time() - _HOUR
    hidden = [path for folder in folders if folder.is_dir() for path in folder.glob(".*")]
    return [path for path in hidden if _UNFINISHED.fullmatch(path.name) and path.stat().st_mtime < before]


def outdated(backups: list[Path]) -> list[Path]:
    """The backups to remove: all but the newest ten and the last one of each of the past thirty days.

    Args:
        backups: the files, oldest first.
    """
    kept = set(backups[-_KEEP_NEWEST:])
    oldest_day = (datetime.now(UTC) - timedelta(days=_KEEP_DAILY)).strftime("%Y%m%d")
    last_of_day = {path.name.split("-")[1]: path for path in backups}
    kept |= {path for day, path in last_of_day.items() if day >= oldest_day}
    return [path for path in backups if path not in kept]
