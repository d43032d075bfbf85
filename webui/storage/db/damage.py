"""A damaged database is moved aside, whole, and a person is told until they have said how to go on."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from webui.storage.db.engines import WAIT
from webui.storage.db.snapshot import stamp
from webui.storage.errors import StorageError
from webui.storage.photo_files import replace_file

_NOTE = "damaged.json"
_log = logging.getLogger(__name__)


def move_aside_if_damaged(path: Path) -> None:
    """Looks a database file over, and moves it aside with all that belongs to it where it is none any more.

    Raises:
        StorageError: it cannot be moved.
    """
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=WAIT)) as connection:
            answer = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.OperationalError:  # locked or not ours to open, which says nothing of damage; opening it will tell
        return
    except sqlite3.DatabaseError as error:
        answer = str(error)
    if answer == "ok":
        return
    aside = path.with_name(f"{path.stem}-damaged-{stamp()}.db")
    note = f"the games in {path} were damaged ({answer}); they are kept as {aside.name} and a new list was begun"
    try:
        # The log of writes goes first: found beside a new database it would be taken for its own.
        for suffix in ("-wal", "-shm", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        replace_file(path.with_name(_NOTE), json.dumps({"note": note}).encode())
    except OSError as error:
        raise StorageError(f"the games in {path} are damaged and cannot be moved aside: {error.strerror}") from error
    _log.error("database damaged (%s), moved aside as %s", answer, aside.name)


def damage(folder: Path) -> str | None:
    """The sentence about a database that was moved aside, until ``forget_damage``."""
    try:
        return str(json.loads((folder / _NOTE).read_text(encoding="utf-8"))["note"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return f"the games in {folder} were damaged and a new list was begun"


def forget_damage(folder: Path) -> None:
    """A person has seen it and said how to go on."""
    (folder / _NOTE).unlink(missing_ok=True)
