"""The archive format of backups and exports: a ZIP of the database as SQLite, user rule sets and optionally photos.

The format is the same whether the games are in SQLite or in PostgreSQL. An archive may come from anybody, so reading
one checks it against zip bombs, and takes of its database what ``checks`` finds valid.
"""

from __future__ import annotations

import errno
import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import SQLAlchemyError

from vision.stored_arrays import DAMAGED_ZIP
from webui.storage.backup.checks.process import CheckedGames, check_in_process, damaged
from webui.storage.backup.deck_import import StagedDecks, deck_file_names, largest, stage_decks
from webui.storage.backup.write_archive import ABOUT, MAX_PHOTO, MAX_USER_FILE, PHOTOS, SPARE_DISK, ArchiveInfo
from webui.storage.db.connect import FILE_NAME
from webui.storage.db.engines import file_engine
from webui.storage.db.tables import GameRow
from webui.storage.errors import ArchiveError, StorageError, reason
from webui.storage.files.deck_files import DECKS, Decode

_USER_FILE = re.compile(r"rulesets/[^/\\]+\.toml|zones\.json")
_PLAIN_USER_FILE = re.compile(r"rulesets/[\w-]{1,60}\.toml|zones\.json")
"""Decks, which are pictures for the most part, are other files; see ``deck_import``."""
_MAX_DATABASE = 1024**3
MAX_USER_FILES = 500
_MAX_RATIO, _SMALL = 60, 64 * 1024**2
"""How many times a database may grow when it is unpacked, and the size up to which it may grow as it likes."""
_CHUNK = 16 * 1024**2
"""Bytes read at once; the ZIP directory, which is read in one piece, has room for 170 000 photos in it."""
_MAX_EXPANSION = 4
"""Photos are compressed already, so unpacked they cannot be much larger than the archive."""
_PLAIN_NAME = re.compile(r"\w[\w.-]*")
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How files are packed in an export; others ask for gigabytes before the first byte."""
_OF_A_MAC = "__MACOSX/"
"""What a Mac adds to a file that it packs again: notes of its own, under the names of our files."""
_INFO = TypeAdapter(ArchiveInfo)


def read_info(path: Path) -> ArchiveInfo:
    """Reads the description of an archive.

    Raises:
        ArchiveError: it is not an archive of handfoot, or is damaged.
        StorageError: it cannot be read.
    """
    with read_errors(path), open_zip(path) as archive, archive.open(ABOUT) as packed:
        return _INFO.validate_json(packed.read(MAX_USER_FILE))


@dataclass(frozen=True, slots=True)
class OpenArchive:
    """An open archive: its valid games in a database of the newest schema, and its other files by name.

    ``checked`` tells which games and user files are not valid, and are not there.
    """

    engine: Engine
    archive: zipfile.ZipFile
    names: tuple[str, ...]
    checked: CheckedGames

    def user_files(self) -> Iterator[tuple[str, bytes]]:
        """Valid user rule sets and table zones: each path relative to the data folder, and its content."""
        for name in dict.fromkeys(self.names):
            if _PLAIN_USER_FILE.fullmatch(name) and name not in self.checked.refused:
                yield name, self.read(name)

    def decks(self, work: Path, folder: Path, decode: Decode) -> StagedDecks:
        """Stages the valid decks that a data folder does not have; see ``deck_import.stage_decks``."""
        refused = {name.split("/")[1] for name in self.checked.refused if name.startswith(f"{DECKS}/")}
        names = [name for name in self.names if not name.startswith(tuple(f"{DECKS}/{id}/" for id in refused))]
        return stage_decks(names, self.read, work, folder, decode)

    def rename_decks(self, ids: Mapping[str, str]) -> None:
        """Gives decks of the archive other ids in its games, which are copied from here."""
        with self.engine.begin() as connection:
            for game, decks in connection.execute(select(GameRow.id, GameRow.decks).where(GameRow.decks.is_not(None))):
                changed = ",".join(ids.get(id, id) for id in (decks or "").split(","))
                connection.execute(update(GameRow).where(GameRow.id == game).values(decks=changed))

    def photo_names(self) -> Iterator[str]:
        """The file names of photos and previews."""
        for name in self.names:
            plain = name.removeprefix(PHOTOS)
            if name.startswith(PHOTOS) and _PLAIN_NAME.fullmatch(plain):
                yield plain

    def read(self, name: str) -> bytes:
        """The content of a file. Raises zipfile.BadZipFile where it is damaged."""
        return read_member(self.archive, name)


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The content of a file of an archive.

    Raises:
        zipfile.BadZipFile: it is damaged.
    """
    try:
        with archive.open(name) as packed:
            return b"".join(iter(lambda: packed.read(_CHUNK), b""))
    except (*DAMAGED_ZIP, OSError, ValueError, KeyError) as error:
        raise zipfile.BadZipFile(f"{name} is damaged: {error}") from error


@contextmanager
def open_archive(path: Path, work: Path) -> Iterator[OpenArchive]:
    """Opens an archive, with its valid games unpacked below ``work`` and migrated to the newest schema.

    Raises:
        ArchiveError: it is not an archive of handfoot, is damaged, or is of a version unknown here.
        StorageError: it cannot be read or unpacked here.
    """
    with read_errors(path), tempfile.TemporaryDirectory(dir=work, prefix=".from-") as unpacked:
        folder = Path(unpacked)
        with open_zip(path) as archive:
            archive.getinfo(FILE_NAME)  # else it is none of ours
            names = tuple(wanted_files(archive, path, work))
            for name in (FILE_NAME, *filter(_PLAIN_USER_FILE.fullmatch, names), *deck_file_names(names)):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as packed, (folder / name).open("wb") as file:
                    shutil.copyfileobj(packed, file, 1024**2)
            source = (folder / FILE_NAME).rename(folder / "as-it-came.db")
            checked = check_in_process(path.name, folder, source, folder / FILE_NAME)
            checked = replace(checked, refused=_oddly_named(names) | checked.refused)
            source.unlink()
            engine = file_engine(folder / FILE_NAME)
            try:
                yield OpenArchive(engine, archive, names, checked)
            finally:
                engine.dispose()


def _oddly_named(names: Iterable[str]) -> dict[str, str]:
    """Why rule sets with other names than files of ours have are left out, by name."""
    odd = (name for name in names if _USER_FILE.fullmatch(name) and not _PLAIN_USER_FILE.fullmatch(name))
    shown = ("".join(sign if sign.isprintable() else "?" for sign in name[:80]) for name in odd)
    return dict.fromkeys(shown, "a rule set's name has letters, digits and hyphens only, 60 at most")


class _BoundedFile(io.FileIO):
    """A file whose single reads are bounded, whatever sizes the ZIP directory claims."""

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(_CHUNK + 1 if size is None or size < 0 else min(size, _CHUNK + 1))
        if len(data) > _CHUNK:
            raise ArchiveError(f"{Path(str(self.name)).name} lists more files than any export has; choose another file")
        return data


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """Opens a ZIP file that is packed as exports are.

    Raises:
        ValueError, OSError, ArchiveError, and those of ``DAMAGED_ZIP``: it is none, or is damaged.
    """
    if path.exists() and not path.is_file():
        raise ValueError("expected a file, got a folder or a device")  # some of which never end
    with _BoundedFile(path) as file, zipfile.ZipFile(file) as archive:
        if any(entry.compress_type not in _PACKINGS for entry in archive.infolist()):
            raise ArchiveError(f"{path.name} is packed in a way that no export is; choose another file")
        _without_outer_folder(archive, (FILE_NAME, f"{DECKS}/"))
        yield archive


def _without_outer_folder(archive: zipfile.ZipFile, marks: tuple[str, ...]) -> None:
    """Lets an open archive name its files as it did before it was packed again; another one stays as it is.

    Args:
        archive: the archive. Files outside the folder, and notes of a Mac, are not in it any more.
        marks: files and folders (with a slash) of which ours has one at the top.
    """
    entries = [entry for entry in archive.infolist() if not entry.filename.startswith(_OF_A_MAC)]
    if any(entry.filename.startswith(marks) for entry in entries):
        return
    inside = [entry.filename.partition("/") for entry in entries]
    folders = {folder for folder, _, rest in inside if rest.startswith(marks)}
    if len(folders) != 1:
        return
    outer = f"{folders.pop()}/"
    kept = [entry for entry in entries if entry.filename.startswith(outer) and entry.filename != outer]
    for entry in kept:  # each is found by its place, and its name there is checked by ``orig_filename``
        entry.filename = entry.filename.removeprefix(outer)
    archive.filelist[:] = kept
    archive.NameToInfo.clear()
    archive.NameToInfo.update({entry.filename: entry for entry in kept})


def _most_bytes(entry: zipfile.ZipInfo, only_decks: bool) -> int | None:
    """How many bytes a file of an archive may have; None for files that are not taken."""
    if not only_decks:
        if entry.filename == FILE_NAME:
            return min(_MAX_DATABASE, max(_SMALL, _MAX_RATIO * entry.compress_size))
        if entry.filename.startswith(PHOTOS):
            return MAX_PHOTO
        if _USER_FILE.fullmatch(entry.filename):
            return MAX_USER_FILE
    return largest(entry.filename)


def wanted_files(archive: zipfile.ZipFile, path: Path, work: Path, only_decks: bool = False) -> list[str]:
    """The names of the files that are taken of an archive, whose sizes are checked before any is unpacked.

    Args:
        archive: the archive.
        path: where it is.
        work: where it is to be unpacked.
        only_decks: whether nothing but decks is wanted.

    Raises:
        ArchiveError: it was built to fill memory or disk.
        StorageError: there is no room for it.
    """
    sizes = {entry: _most_bytes(entry, only_decks) for entry in archive.infolist()}
    wanted = {entry: most for entry, most in sizes.items() if most is not None}
    if any(entry.file_size > most for entry, most in wanted.items()):
        raise ArchiveError(f"{path.name} holds a file larger than any export has; choose another file")
    own = [entry for entry in wanted if _USER_FILE.fullmatch(entry.filename)]
    if len(own) >= MAX_USER_FILES:
        raise ArchiveError(f"{path.name} holds more house rules than any export has; choose another file")
    pictures = [entry.file_size for entry in wanted.keys() - {*own} if entry.filename != FILE_NAME]
    if sum(pictures) > _MAX_EXPANSION * path.stat().st_size:
        raise ArchiveError(f"{path.name} holds photos that are larger than the file itself; choose another file")
    if sum(entry.file_size for entry in wanted) > shutil.disk_usage(work).free - SPARE_DISK:
        raise StorageError(f"{path.name} needs more room than there is in {work}; free up some space and try again")
    return [entry.filename for entry in wanted]


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Maps all that reading an archive may raise to a StorageError, or an ArchiveError where the file is at fault."""
    try:
        yield
    except FileNotFoundError as error:
        raise StorageError(f"there is no file {path}; name a backup or an export of handfoot") from error
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise ArchiveError(f"{path.name} is not a handfoot backup or export; choose another file") from error
    except (OSError, SQLAlchemyError) as error:
        at_fault = (
            isinstance(error, OSError) and error.errno == errno.EINVAL
        )  # it leads to a place before its beginning
        text = f"{path.name} cannot be read: {reason(error)}; try again or choose another file"
        raise (ArchiveError if at_fault else StorageError)(text) from error
    except DAMAGED_ZIP as error:
        raise damaged(path.name, error) from error
