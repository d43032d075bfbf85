"""Hands out what one question or one change needs: a session on the database, and a sentence where that fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from webui.storage.db.audit_log import keep_log
from webui.storage.db.engines import WAIT, for_writing
from webui.storage.error_text import reason, sentence
from webui.storage.errors import StorageError


class Sessions:
    """Sessions of one database; safe to use from several threads, but one that writes is never begun in another.

    Args:
        engine: the database.
        tell: called after each commit.
    """

    def __init__(self, engine: Engine, tell: Callable[[], None]) -> None:
        self._reading = sessionmaker(engine, expire_on_commit=False)
        self._writing = sessionmaker(for_writing(engine), expire_on_commit=False)
        keep_log(self._writing, tell)
        self._one_writer = threading.Lock()

    @contextmanager
    def __call__(self) -> Iterator[Session]:
        """To look: all that is read is of one moment.

        Raises:
            StorageError: the database cannot be read.
        """
        try:
            with self._reading() as session:
                yield session
        except SQLAlchemyError as error:
            raise StorageError(f"The games cannot be read just now: {reason(error)}; try again in a moment.") from error

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """To change: all of it is kept, on the disk, when this ends, or none of it where anything is raised.

        Raises:
            StorageError: the disk is full or cannot be written, the database does not answer, ...
        """
        if not self._one_writer.acquire(timeout=WAIT):
            raise StorageError("This was not kept: others have been writing for too long; do it again in a moment.")
        try:
            with self._writing.begin() as session:
                yield session
        except SQLAlchemyError as error:
            raise StorageError(sentence(error)) from error
        finally:
            self._one_writer.release()
