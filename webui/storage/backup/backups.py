"""Keeps games safe: backups that make room for newer ones, exports and imports, and a limit to what photos take."""

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

from webui.storage.backup.archive import About, Opened, look_into, opened, write_archive
from webui.storage.backup.import_files import Incoming, coming_in
from webui.storage.backup.import_games import add_game, missing_games
from webui.storage.backup.photo_retention import PhotoLimit, remove_old_photos
from webui.storage.db import damage
from webui.storage.db.sessions import Sessions
from webui.storage.db.snapshot import put_in_place, stamp
from webui.storage.db.tables import GameRow, LogRow
from webui.storage.errors import StorageError
from webui.storage.job_files import FOLDER
from webui.storage.photo_files import PhotoFiles

_NEWEST = 10
_DAYS = 30
_HOUR = 3600.0
_UNFINISHED = re.compile(r"\..+\.(part|[0-9a-f]{8})|\.(copy|from)-\w+")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that can be read."""

    path: Path
    about: About


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What came of an import: games that are new, those here already, own rules that differ from those here, and how
    many photos were left out, as they were none or not what their names say."""

    new: int
    known: int
    other_rules: tuple[str, ...] = ()
    left_out: int = 0


class Keeping:
    """All that is done with the games as a whole. Backups lie in the folder ``backups`` of the data folder."""

    def __init__(self, folder: Path, engine: Engine, sessions: Sessions, photos: PhotoFiles) -> None:
        self._folder, self._engine, self._session, self._photos = folder, engine, sessions, photos
        self._bringing_in = threading.Lock()

    @property
    def backups_folder(self) -> Path:
        return self._folder / "backups"

    @property
    def damage(self) -> str | None:
        """What a person should know of a database that was damaged, until ``forget_damage``."""
        return damage.damage(self._folder)

    def forget_damage(self) -> None:
        damage.forget_damage(self._folder)

    def backups(self) -> list[Backup]:
        """Those that can be read, the newest first."""
        found = []
        for path in sorted(self.backups_folder.glob("handfoot-*.zip"), reverse=True):
            try:
                found.append(Backup(path, look_into(path)))
            except StorageError as error:
                _log.warning("%s", error)
        return found

    def offered(self) -> Backup | None:
        """The newest backup with games in it."""
        return next((backup for backup in self.backups() if backup.about.games), None)

    def back_up(self) -> Backup:
        """Makes a backup, without photos, and removes old ones: the newest ten stay, and one a day for thirty days.

        Raises:
            StorageError: it cannot be written; all older ones are still there.
        """
        path = self.backups_folder / f"handfoot-{stamp()}.zip"
        about = self.back_up_to(path)
        for old in outdated(sorted(self.backups_folder.glob("handfoot-*.zip"))):
            old.unlink(missing_ok=True)
        _log.info("backup %s written", path.name)
        return Backup(path, about)

    def back_up_to(self, target: Path) -> About:
        """Writes a backup into a file of one's own choice. Raises as ``back_up``."""
        return write_archive(target, self._engine, self._folder, None)

    def back_up_if_changed(self) -> Backup | None:
        """As ``back_up``, where anything was changed since the newest one."""
        with self._session() as session:
            games = session.scalar(select(func.count()).select_from(GameRow))
            newest = session.scalar(select(func.max(LogRow.id))) or 0
        last = next(iter(self.backups()), None)
        if games == 0 or (last and (last.about.games, last.about.newest) == (games, newest)):
            return None
        return self.back_up()

    def tidy(self) -> None:
        """Removes what a sudden end left of files that were being written, an hour old or more."""
        for path in leftovers(self._folder, self.backups_folder, self._photos.folder, self._folder / FOLDER):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def export(self, target: Path) -> About:
        """Writes everything, photos too, into one file.

        Raises:
            StorageError: it cannot be written.
        """
        return write_archive(target, self._engine, self._folder, self._photos)

    def restore(self, path: Path) -> tuple[About, int]:
        """Puts what a backup or an export holds in the place of all that is here, of which a backup is made first.

        Returns:
            What it holds, and how many photos of it were left out.

        Raises:
            StorageError: it cannot be read or written; then all is as it was.
        """
        with self._one_at_a_time(), opened(path, self._folder) as held, self._files_of(held) as files:
            about = look_into(path)
            self.back_up_if_changed()
            files.put_in_place(files.new)  # before, so that nobody's change waits for it
            with held.engine.begin() as old, self._session.begin() as session:
                put_in_place(old, session.connection())
                files.put_in_place(files.differing)
            self.forget_damage()
            return about, files.left_out

    def bring_in(self, path: Path) -> BroughtIn:
        """Adds the games of a backup or an export that are not here; none that is here is touched.

        Raises:
            StorageError: it cannot be read or written; then all is as it was.
        """
        with self._one_at_a_time(), opened(path, self._folder) as held, self._files_of(held) as files:
            files.put_in_place(files.new)
            with held.engine.begin() as old, self._session.begin() as session:
                missing = missing_games(old, session)
                total = old.scalar(select(func.count()).select_from(GameRow)) or 0
                if session.scalar(select(func.count()).select_from(GameRow)):
                    for game_id in missing:
                        add_game(old, session, game_id)
                else:
                    put_in_place(old, session.connection())  # every address is as it was
            self.forget_damage()
            other_rules = tuple(place.stem for _, place in files.differing if place.suffix == ".toml")
            return BroughtIn(len(missing), total - len(missing), other_rules, files.left_out)

    def limit_photos(self, limit: PhotoLimit) -> int:
        """Removes the oldest photos beyond a limit. Returns how many; raises as ``remove_old_photos``."""
        return remove_old_photos(self._photos, self._session, limit)

    def _files_of(self, held: Opened) -> AbstractContextManager[Incoming]:
        return coming_in(held, self._folder, self._photos)

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """So that no number of files that are brought in fills memory or disk."""
        if not self._bringing_in.acquire(blocking=False):
            raise StorageError("another file is being brought in just now; wait until it is there and do it again")
        try:
            yield
        finally:
            self._bringing_in.release()


def leftovers(*folders: Path) -> list[Path]:
    """Files and folders that were never finished: hidden ones named by ``replace_file``, ``snapshot`` and the like."""
    before = time.time() - _HOUR
    hidden = [path for folder in folders if folder.is_dir() for path in folder.glob(".*")]
    return [path for path in hidden if _UNFINISHED.fullmatch(path.name) and path.stat().st_mtime < before]


def outdated(backups: list[Path]) -> list[Path]:
    """Those of the backups, the oldest first, that may go: all but the newest ten and the last one of each day."""
    kept = set(backups[-_NEWEST:])
    oldest_day = (datetime.now(UTC) - timedelta(days=_DAYS)).strftime("%Y%m%d")
    last_of_day = {path.name.split("-")[1]: path for path in backups}
    kept |= {path for day, path in last_of_day.items() if day >= oldest_day}
    return [path for path in backups if path not in kept]
