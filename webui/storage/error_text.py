"""What the database says when it fails, as one sentence for a person."""

from __future__ import annotations

import errno

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

_FULL = "the disk is full"
_READ_ONLY = "the disk can only be read"
_DAMAGED = "the games are damaged"
_SIGNS = (
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
_WHAT_TO_DO = {
    _FULL: "make room on it and do it again",
    _READ_ONLY: "see that it can be written and do it again",
    _DAMAGED: "stop handfoot and start it again: they are put aside then, and the newest backup is offered",
}
NO_ROOM = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: _READ_ONLY, errno.EACCES: _READ_ONLY}


_GONE = "the database does not answer"


def reason(error: SQLAlchemyError | OSError) -> str:
    """Why it failed, in a few words: ``the disk is full``."""
    if isinstance(error, OSError):
        return NO_ROOM.get(error.errno or 0, error.strerror or str(error))
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return _GONE
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    found = next((words for sign, words in _SIGNS if sign in said.lower()), None)
    return found or said.strip().splitlines()[0]


def what_to_do(error: SQLAlchemyError | OSError) -> str:
    """What a person can do about it: ``make room on it and do it again``."""
    return _WHAT_TO_DO.get(reason(error), "see that it is there and works, then do it again")


def sentence(error: SQLAlchemyError | OSError) -> str:
    """What a person is told whose step failed; none of it was kept, unless a server ended before it said so."""
    if reason(error) == _GONE:
        return "The database has stopped answering; look whether this was kept before you do it again."
    return f"This could not be kept, and nothing was changed: {reason(error)}; {what_to_do(error)}."
