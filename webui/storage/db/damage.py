"""Moves a damaged SQLite file aside, and keeps a note about it until a person has decided how to go on."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from webui.storage.db.engines import LOCK_SECONDS
from webui.storage.db.snapshot import timestamp
from webui.storage.errors import StorageError, reason
from webui.storage.files.atomic_files import read_json, replace_file

_NOTE = "damaged.json"
_log = logging.getLogger(__name__)


def move_aside_if_damaged(path: Path) -> None:
    """Checks a database file, and where it is damaged moves it aside with its write-ahead log and leaves a note.

    An empty file is what is left of one after a power cut, where changes or backups lie beside it; else it is new.

    Raises:
        StorageError: it is damaged and cannot be moved.
    """
    if not path.exists():
        return
    if path.is_file() and path.stat().st_size == 0:
        if not _has_held_games(path):
            return
        _move_aside(path, "the file is empty")
        return
    try:
        with closing(sqlite3.connect(path, timeout=LOCK_SECONDS)) as connection:
            answer = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.OperationalError:  # locked or not readable, which is no damage; opening it reports that
        return
    except sqlite3.DatabaseError as error:
        answer = str(error)
    if answer != "ok":
        _move_aside(path, answer)


def _has_held_games(path: Path) -> bool:
    """Whether changes or backups lie beside a database file. SQLite would remove changes to an empty one unread."""
    changes = path.with_name(f"{path.name}-wal")
    return (changes.exists() and changes.stat().st_size > 0) or any(path.parent.glob("backups/*.zip"))


def _move_aside(path: Path, answer: str) -> None:
    aside = path.with_name(f"{path.stem}-damaged-{timestamp()}.db")
    note = f"the games in {path.name} were damaged ({answer}); they are kept as {aside.name} and a new list was begun"
    try:
        # The write-ahead log is moved first: SQLite would apply one that it finds beside a new database.
        for suffix in ("-wal", "-shm", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        replace_file(path.with_name(_NOTE), json.dumps({"note": note}).encode())
    except OSError as error:
        raise StorageError(f"the games in {path} are damaged and cannot be moved aside: {reason(error)}") from error
    _log.error("database damaged (%s), moved aside as %s", answer, aside.name)


def damage_note(folder: Path) -> str | None:
    """The sentence about a database that was moved aside, None where there is none or it was cleared."""
    note = folder / _NOTE
    try:
        return str(read_json(note)["note"]) if note.exists() else None
    except (KeyError, TypeError):
        return "the games kept here were damaged and a new list was begun"


def clear_damage_note(folder: Path) -> None:
    """Removes the note, once a person has decided how to go on."""
    (folder / _NOTE).unlink(missing_ok=True)
