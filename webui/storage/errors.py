"""The one exception of the storage, and the sentences for what a database or a disk reports."""

from __future__ import annotations

import errno

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

_FULL = "the disk is full"
_READ_ONLY = "the disk can only be read"
_DAMAGED = "the games are damaged"
_NO_ANSWER = "the database does not answer"
_REASONS = (
    ("database or disk is full", _FULL),
    ("no space left", _FULL),
    ("could not extend file", _FULL),
    ("readonly database", _READ_ONLY),
    ("read-only", _READ_ONLY),
    ("malformed", _DAMAGED),
    ("not a database", _DAMAGED),
    ("database is locked", "somebody else has been writing for too long"),
    ("lock timeout", "somebody else has been writing for too long"),
    ("disk i/o error", "the disk does not do what it is told"),
    ("unable to open database file", "the file cannot be opened"),
    ("queuepool limit", "too many are asking at once"),
)
"""A part of the driver's message in lower case, and the reason that it stands for."""
_ADVICE = {
    _FULL: "make room on it and do it again",
    _READ_ONLY: "see that it can be written and do it again",
    _DAMAGED: "stop handfoot and start it again: they are put aside then, and the newest backup is offered",
}
DISK_REASONS = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: _READ_ONLY, errno.EACCES: _READ_ONLY}
"""Reasons by the ``errno`` of an OSError that concerns the disk and not the program."""


class StorageError(Exception):
    """Games cannot be read or written; the message is one sentence for users."""


def reason(error: SQLAlchemyError | OSError) -> str:
    """Why it failed, as a clause: ``the disk is full``."""
    if isinstance(error, OSError):
        return DISK_REASONS.get(error.errno or 0, error.strerror or str(error))
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return _NO_ANSWER
    message = str(error.orig if isinstance(error, DBAPIError) else error)
    known = next((text for part, text in _REASONS if part in message.lower()), None)
    return known or message.strip().splitlines()[0]


def advice(error: SQLAlchemyError | OSError) -> str:
    """What users can do about it, as a clause: ``make room on it and do it again``."""
    return _ADVICE.get(reason(error), "see that it is there and works, then do it again")


def write_error(error: SQLAlchemyError | OSError) -> str:
    """The sentence for a change that failed.

    Nothing of it was stored, except perhaps where the connection to a database server was lost during the commit.
    """
    if reason(error) == _NO_ANSWER:
        return "The database has stopped answering; look whether this was kept before you do it again."
    return f"This could not be kept, and nothing was changed: {reason(error)}; {advice(error)}."
