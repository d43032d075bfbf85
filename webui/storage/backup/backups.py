"""Backups with their rotation, export, restore and import."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from sqlalchemy import Engine, func, select

from scorer.rules import shipped_rules
from webui.storage import clock
from webui.storage.backup.archive import OpenArchive, open_archive, read_info
from webui.storage.backup.checks.process import NOTHING_LEFT_OUT, CheckedGames
from webui.storage.backup.deck_import import NewDeck
from webui.storage.backup.import_files import StagedFiles, stage_files
from webui.storage.backup.import_games import add_event, add_game, add_other_names, missing
from webui.storage.backup.photo_retention import remove_old_photos
from webui.storage.backup.write_archive import ArchiveInfo, ArchiveStream, write_archive
from webui.storage.clock import Judgement, judge, parsed
from webui.storage.db.damage import clear_damage_note, damage_note
from webui.storage.db.sessions import Sessions
from webui.storage.db.snapshot import raise_sequence, replace_games, timestamp
from webui.storage.db.tables import EventRow, GameRow, LogRow
from webui.storage.errors import StorageError
from webui.storage.files.deck_files import DECKS
from webui.storage.files.folder_lock import only_import
from webui.storage.files.photo_files import PhotoFiles
from webui.storage.files.photo_limit import PhotoLimit
from webui.storage.files.watched_files import WatchedFiles
from webui.storage.kept_rules import OWN_RULES

_KEEP_NEWEST = 10
_KEEP_DAILY = 30
_LARGEST_NUMBER = 2**53
"""Of a log entry, as long as a backup tells the truth."""
_PATTERN = "handfoot-*.zip"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backup:
    """A readable backup in the backup folder."""

    path: Path
    info: ArchiveInfo

    @property
    def made(self) -> tuple[int, int, str]:
        """Sorts backups by the order in which they were made. Their times do not: the clock may have been moved."""
        return self.info.number, self.info.newest, self.path.name

    @property
    def held(self) -> tuple[int, int, str]:
        """Sorts backups by what they hold: the later the newest change of its games, the later the backup."""
        return self.info.newest, self.info.number, self.path.name


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import.

    ``new`` and ``known`` count the games that were added and those that existed, both without practice;
    ``other_rules`` are the ids of user rule sets that differ from those here, which were kept; ``left_out`` counts
    photos that were not valid, ``checked`` names games and user files that were not; ``decks`` are those that were
    added; ``renamed`` are names that now count as another person's, with that name.
    """

    new: int
    known: int
    other_rules: tuple[str, ...] = ()
    left_out: int = 0
    checked: CheckedGames = NOTHING_LEFT_OUT
    decks: tuple[NewDeck, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


class Backups:
    """Operations on all games at once. Backups are in the folder ``backups`` of the data folder."""

    def __init__(self, folder: Path, engine: Engine, sessions: Sessions, photos: PhotoFiles) -> None:
        self._data_folder, self._engine, self._session, self._photos = folder, engine, sessions, photos
        self._export_lock = threading.Lock()

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
        """All readable backups, by what they hold, the newest games first."""
        backups = []
        for path in self.folder.glob(_PATTERN):
            try:
                backups.append(Backup(path, read_info(path)))
            except StorageError as error:
                _log.warning("%s", error)
        return sorted(backups, key=lambda backup: backup.held, reverse=True)

    def newest_with_games(self) -> Backup | None:
        """The backup with the newest games: the one to restore or to offer after damage. None where none has any."""
        return next((backup for backup in self.all() if backup.info.games), None)

    def back_up(self) -> Backup:
        """Makes a backup, without photos, and removes old ones; see ``outdated``.

        Raises:
            StorageError: it cannot be written; older ones are still there.
        """
        before = self.all()
        number = 1 + max((backup.info.number for backup in before), default=0)
        path = self.folder / f"handfoot-{timestamp()}.zip"
        if path.exists():  # made while the clock stood elsewhere
            path = path.with_name(f"{path.stem}-{number}.zip")
        made = Backup(path, write_archive(path, self._engine, self._data_folder, None, number))
        for old in outdated([*before, made]):
            old.path.unlink(missing_ok=True)
        _log.info("backup %s written", path.name)
        return made

    def back_up_if_changed(self) -> Backup | None:
        """Like ``back_up``; does nothing where the backup made last is up to date or there are no games."""
        with self._session() as session:
            games = session.scalar(select(func.count()).select_from(GameRow).where(~GameRow.practice))
            newest = session.scalar(select(func.max(LogRow.id))) or 0
        last = max(self.all(), key=lambda backup: backup.made, default=None)
        if games == 0 or (last and (last.info.games, last.info.newest) == (games, newest)):
            return None
        return self.back_up()

    def export(self, target: Path, photos: bool = True) -> ArchiveInfo:
        """Writes everything into one file, or as a backup all but the photos and what was learned of decks.

        Raises:
            StorageError: it cannot be written.
        """
        return write_archive(target, self._engine, self._data_folder, self._photos if photos else None)

    def stream_export(self) -> ArchiveStream:
        """Everything, photos included, as it is sent; one at a time. It must be closed.

        Raises:
            StorageError: another one is being sent, or the games cannot be copied.
        """
        if not self._export_lock.acquire(blocking=False):
            raise StorageError("all games are being exported right now; wait until that is done and try again")
        try:
            return ArchiveStream(self._engine, self._data_folder, self._photos, self._export_lock.release)
        except BaseException:
            self._export_lock.release()
            raise

    def restore(self, path: Path) -> ImportResult:
        """Replaces all games by those of a backup or an export, after a backup of the current ones; all are new then.

        Raises:
            StorageError: it cannot be read or written; then nothing is changed.
        """
        with self._opened(path) as (archive, staged):
            info = read_info(path)
            self.back_up_if_changed()
            staged.decks.install(staged.installed)
            staged.installed.install(staged.new)  # before the transaction, so that nobody's change waits for it
            with archive.engine.begin() as old, self._session.begin() as session:
                replace_games(old, session.connection())
                staged.installed.install(staged.differing)
            self.clear_damage()
            return ImportResult(info.games, 0, left_out=staged.left_out, checked=_left_out(archive, staged))

    def import_games(self, path: Path) -> ImportResult:
        """Adds the games of a backup or an export that are missing here; existing games do not change.

        Raises:
            StorageError: it cannot be read or written; then nothing is changed.
        """
        with self._opened(path) as (archive, staged):
            shadows = {
                target for _, target in staged.new if target.suffix == ".toml" and target.stem in shipped_rules()
            }
            staged.decks.install(staged.installed)
            staged.installed.install((file, target) for file, target in staged.new if target not in shadows)
            with archive.engine.begin() as old, self._session.begin() as session:
                new = missing(old, session, GameRow)
                renamed: tuple[tuple[str, str], ...] = ()
                counted = set(old.scalars(select(GameRow.id).where(~GameRow.practice)))
                if any(session.scalar(select(func.count()).select_from(table)) for table in (GameRow, EventRow)):
                    for game_id in new:
                        add_game(old, session, game_id)
                    for event_id in missing(old, session, EventRow):
                        add_event(old, session.connection(), event_id)
                    renamed = add_other_names(old, session.connection())
                else:
                    replace_games(old, session.connection())  # keeps every id, and so every address
            self.clear_damage()
            other_rules = tuple(target.stem for _, target in staged.differing if target.suffix == ".toml")
            return ImportResult(
                len(counted.intersection(new)),
                len(counted.difference(new)),
                other_rules,
                staged.left_out,
                _left_out(archive, staged, shadows),
                tuple(staged.decks.new),
                renamed,
            )

    def clock(self) -> Judgement:
        """What the clock is worth, compared with the log and the backup made last.

        Raises:
            StorageError: the database cannot be read.
        """
        last = max(self.all(), key=lambda backup: backup.made, default=None)
        backed_up = parsed(last.info.made_at) if last else None
        with self._session() as session:
            stamps = session.scalars(select(LogRow.made_at).order_by(LogRow.id.desc()).execution_options(yield_per=100))
            logged = (time for stamp in stamps if (time := parsed(stamp)))
            newest = next(logged, None)
            first = max((time for time in (newest, backed_up) if time), default=None)
            return judge(clock.now(), chain([first] if first else (), [newest] if newest else (), logged))

    def remove_old_photos(self, limit: PhotoLimit) -> int:
        """Removes the oldest photos beyond a limit. Returns how many; see ``photo_retention``.

        Films of watched rounds go too, before photos where there is too little room.

        While the games are damaged and nobody has decided how to go on, all photos stay.

        Raises:
            StorageError: the folder cannot be written, or the database not read.
        """
        if self.damage:
            return 0
        judged = self.clock()
        if judged.believed is not None:
            WatchedFiles(self._data_folder).keep_within(limit, self._photos.size(), judged)
        return remove_old_photos(self._photos, self._session, limit, judged)

    def continue_log_numbers(self) -> None:
        """Lets the log of a list without any changes go on after those of the backups.

        Without this, a list begun anew after damage would number its changes from 1 again, and what a backup holds
        could not be compared.

        Raises:
            StorageError: the database cannot be written.
        """
        newest = max((backup.info.newest for backup in self.all()), default=0)
        if 0 < newest < _LARGEST_NUMBER:
            with self._session.begin() as session:
                if session.scalar(select(func.max(LogRow.id))) is None:
                    raise_sequence(session.connection(), LogRow.__tablename__, newest)

    @contextmanager
    def _opened(self, path: Path) -> Iterator[tuple[OpenArchive, StagedFiles]]:
        """A file to bring in, and what it brings beside games; one at a time."""
        with (
            only_import(self._data_folder),
            open_archive(path, self._data_folder) as archive,
            stage_files(archive, self._data_folder, self._photos) as staged,
        ):
            yield archive, staged


def _left_out(archive: OpenArchive, staged: StagedFiles, shadows: Iterable[Path] = ()) -> CheckedGames:
    """What of an archive was left out: what is not valid, decks, and rule sets that would replace shipped ones."""
    why = "it is named like a rule set that comes with handfoot"
    refused = archive.checked.refused | {f"{OWN_RULES}/{target.name}": why for target in sorted(shadows)}
    refused |= {f"{DECKS}/{id}": why for id, why in staged.decks.left_out.items()}
    return replace(archive.checked, refused=refused)


def outdated(backups: Iterable[Backup]) -> list[Backup]:
    """The backups to remove.

    Those stay that were made last, the one with the newest games, and the last one of each of the newest days on which
    there are any. No clock is asked: were it wrong, the good ones would be gone.
    """
    made = sorted(backups, key=lambda backup: backup.made, reverse=True)
    last_of_day: dict[str, Backup] = {}
    for backup in made:
        last_of_day.setdefault(backup.info.made_at[:10], backup)
    kept = {backup.path for backup in [*made[:_KEEP_NEWEST], *list(last_of_day.values())[:_KEEP_DAILY]]}
    newest = max((backup for backup in made if backup.info.games), key=lambda backup: backup.held, default=None)
    return [backup for backup in made if backup.path not in kept and backup is not newest]
