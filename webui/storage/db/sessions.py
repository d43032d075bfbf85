"""Session factory; maps database errors to sentences for users."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from webui.storage.db.audit_log import attach_audit_log
from webui.storage.db.engines import LOCK_SECONDS, SQLITE, for_writing
from webui.storage.errors import StorageError, reason, storage_error, write_error


class Sessions:
    """Sessions of one database. Thread-safe; do not open a writing session inside another.

    Args:
        engine: the database.
        on_commit: called after each commit.
    """

    def __init__(self, engine: Engine, on_commit: Callable[[], None]) -> None:
        self._reading = sessionmaker(engine, expire_on_commit=False)
        self._writing = sessionmaker(for_writing(engine), expire_on_commit=False)
        attach_audit_log(self._writing, on_commit)
        self._write_lock = threading.Lock()
        self._folder = Path(str(engine.url.database)).parent if engine.dialect.name == SQLITE else None

    @contextmanager
    def __call__(self) -> Iterator[Session]:
        """A reading session: one consistent snapshot of the database.

        Raises:
            DatabaseAway: the database server does not answer.
            StorageError: the database cannot be read.
        """
        try:
            with self._reading() as session:
                yield session
        except SQLAlchemyError as error:
            why = reason(error, self._folder)
            sentence = f"The games cannot be read right now: {why}. Try again in a moment."
            raise storage_error(error, sentence, self._folder) from error

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """A writing session: one transaction, committed at the end of the block, rolled back on any exception.

        Raises:
            DatabaseAway: the database server does not answer.
            StorageError: the database cannot be written, or others have been writing for too long.
        """
        if not self._write_lock.acquire(timeout=LOCK_SECONDS):
            raise StorageError("This was not saved because others kept saving too long. Try again in a moment.")
        try:
            with self._writing.begin() as session:
                yield session
        except SQLAlchemyError as error:
            raise storage_error(error, write_error(error, self._folder), self._folder) from error
        finally:
            self._write_lock.release()
