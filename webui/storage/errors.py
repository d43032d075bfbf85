"""The one exception of the storage, and the sentences for what a database or a disk reports."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

_FULL = "the disk is full"
_READ_ONLY = "the disk is read-only"
_FORBIDDEN = "this user may not write there"
_IS_FOLDER = "a folder lies where a file belongs"
_IS_FILE = "a file lies where a folder belongs"
_TOO_MANY_OPEN = "too many files and connections are open"
_FAILING = "the disk does not do what it is told"
_DAMAGED = "the games are damaged"
_NO_ANSWER = "the database does not answer"
_TOO_LONG = "the database takes too long"
_OTHERS_WRITE = "someone else has been saving for too long"
_CANNOT_BE_OPENED = "the file cannot be opened"
_REASONS = (
    ("database or disk is full", _FULL),
    ("no space left", _FULL),
    ("could not extend file", _FULL),
    ("session is read-only", _NO_ANSWER),  # only the standby of a PostgreSQL server answers
    ("cannot execute", _NO_ANSWER),  # ... in a read-only transaction, in recovery
    ("readonly database", _READ_ONLY),
    ("read-only", _READ_ONLY),
    ("malformed", _DAMAGED),
    ("not a database", _DAMAGED),
    ("database is locked", _OTHERS_WRITE),
    ("lock timeout", _OTHERS_WRITE),
    ("statement timeout", _TOO_LONG),
    ("disk i/o error", _FAILING),
    ("unable to open database file", _CANNOT_BE_OPENED),
    ("queuepool limit", "too many requests at once"),
    ("password authentication failed", "it does not accept this user and password"),
    ("timeout expired", _NO_ANSWER),
    ("connection failed", _NO_ANSWER),
    ("connection is bad", _NO_ANSWER),  # psycopg, of a socket that is gone
    ("the database system is", _NO_ANSWER),  # ... starting up or shutting down
    ("connection refused", _NO_ANSWER),
    ("could not connect", _NO_ANSWER),
    (_NO_ANSWER, _NO_ANSWER),
)
"""A part of the driver's message in lower case, and the reason that it stands for; the first that is found holds."""
_VAGUE = (_READ_ONLY, _FAILING, _CANNOT_BE_OPENED)
"""What SQLite says of a file on a full disk, on one that can only be read, or out of file descriptors."""
_ADVICE = {
    _FULL: "free up some space and try again",
    _READ_ONLY: "make sure it can be written to and try again",
    _FORBIDDEN: "let this user write in the data folder and do it again",
    _IS_FOLDER: "move it out of the data folder and do it again",
    _IS_FILE: "move it out of the data folder and do it again",
    _TOO_MANY_OPEN: "wait a moment and try again",
    _DAMAGED: "stop the program and start it again: they are put aside then, and the newest backup is offered",
}
DISK_REASONS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EIO: _FAILING,
    errno.EISDIR: _IS_FOLDER,
    errno.ENOTDIR: _IS_FILE,
    errno.EEXIST: _IS_FILE,
    errno.EMFILE: _TOO_MANY_OPEN,
    errno.ENFILE: _TOO_MANY_OPEN,
}
"""Reasons by the ``errno`` of an OSError that concerns the disk and not the program."""
_NEEDED_BYTES = 64 * 1024
"""With less free, not even one change can be stored."""


_UNSURE = "The database has stopped answering. Check whether this was saved before you try again."

DatabaseError = SQLAlchemyError | sqlite3.Error
"""What SQLAlchemy raises, and the driver of SQLite where it is used by itself."""


class StorageError(Exception):
    """Games cannot be read or written; the message is one sentence for users."""


class DatabaseAway(StorageError):
    """The database server does not answer. What was asked is to be asked again once it does: of a change it may be
    unknown whether it was saved, which ``unsure`` says."""

    unsure = False


class ArchiveError(StorageError):
    """A file to bring in is at fault: damaged, of another program or too large. Nothing is wrong with the storage."""


def reason(error: DatabaseError | OSError, folder: Path | None = None) -> str:
    """Why it failed, as a clause: ``the disk is full``.

    Args:
        error: what was raised.
        folder: where the files are; it is looked at where the error alone does not say what is wrong.
    """
    if isinstance(error, OSError):
        return DISK_REASONS.get(error.errno or 0, error.strerror or str(error))
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return _NO_ANSWER
    message = str(error.orig if isinstance(error, DBAPIError) else error)
    known = next((text for part, text in _REASONS if part in message.lower()), None)
    if known in _VAGUE and folder is not None:
        known = disk_trouble(folder) or known
    return known or message.strip().splitlines()[0]


def storage_error(error: DatabaseError | OSError, sentence: str, folder: Path | None = None) -> StorageError:
    """The exception with this ``sentence`` for what a database reported."""
    if reason(error, folder) != _NO_ANSWER:
        return StorageError(sentence)
    away = DatabaseAway(sentence)
    away.unsure = sentence == _UNSURE
    return away


def disk_trouble(folder: Path) -> str | None:
    """Why nothing can be written to a folder, as a clause; None if nothing is known to prevent it."""
    try:
        os.close(os.open(folder, os.O_RDONLY)) if os.name == "posix" else folder.stat()
        if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
            return _READ_ONLY
        if shutil.disk_usage(folder).free < _NEEDED_BYTES:
            return _FULL
    except OSError as error:
        return reason(error)
    return None if os.access(folder, os.W_OK) else _FORBIDDEN


def advice(error: DatabaseError | OSError, folder: Path | None = None) -> str:
    """What users can do about it, as a clause: ``free up some space and try again``."""
    return _ADVICE.get(reason(error, folder), "make sure it is connected and working, then try again")


@contextmanager
def disk_errors(what: str) -> Iterator[None]:
    """Maps what a disk reports to a StorageError: ``the deck cannot be kept: the disk is full; …``."""
    try:
        yield
    except OSError as error:
        end = "." if what[0].isupper() else ""
        raise StorageError(f"{what}: {reason(error)}; {advice(error)}{end}") from error


def write_error(error: DatabaseError | OSError, folder: Path | None = None) -> str:
    """The sentence for a change that failed.

    Nothing of it was stored, except perhaps where the connection to a database server was lost during the commit.
    """
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return _UNSURE
    return f"This could not be saved, and nothing was changed: {reason(error, folder)}; {advice(error, folder)}."
