"""Connections to a PostgreSQL server that may fall silent: whoever waits for it waits for a bounded time.

A server that is frozen, or a network that swallows what is sent, answers nothing and refuses nothing. Its own timeouts
do not help then, nor do TCP's where its machine still acknowledges what arrives; libpq waits without end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy import Engine, event

ANSWER_SECONDS = 5.0
"""In which a server must answer a question that costs it nothing."""
SILENCE_SECONDS = 25.0
"""In which it must say something about a statement; by ``engines.STATEMENT_SECONDS`` it has ended it itself."""
_RETRY_SECONDS = 2.0
_SLOW_SECONDS = 1.0
"""A connection that failed after so long would keep everybody else waiting too."""
CONNECT_OPTIONS = {
    "connect_timeout": 5,
    **{"keepalives": 1, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3},
    "tcp_user_timeout": 25_000,
}
"""Parameters of libpq: 5 s to be let in; an unused connection over which nothing arrives any more is found in 25 s."""
_NO_ANSWER = "the database does not answer"

_Asked = Generator[Any, Any, Any]


class ServerWatch:
    """Whether the server answers. While it does not, one thread at a time tries, and all others are refused at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trying = False
        self._next_try = 0.0
        self.silent = False

    def note_silence(self) -> None:
        """Reports that the server did not answer in time."""
        with self._lock:
            self.silent = True
            self._next_try = time.monotonic() + _RETRY_SECONDS

    @contextmanager
    def connecting(self) -> Iterator[None]:
        """A block that opens a connection.

        Raises:
            OperationalError: the server is known not to answer, and the block is not entered.
        """
        with self._lock:
            if self.silent and (self._trying or time.monotonic() < self._next_try):
                raise psycopg.OperationalError(_NO_ANSWER)
            self._trying = True
        began = time.monotonic()
        try:
            yield
        except psycopg.OperationalError:
            if time.monotonic() - began > _SLOW_SECONDS:
                self.note_silence()
            raise
        else:
            self.silent = False
        finally:
            self._trying = False


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is closed where the server says nothing for ``patience`` seconds.

    ``watch`` is shared by all connections to one server.
    """

    patience = ANSWER_SECONDS
    watch: ServerWatch

    def wait(self, gen: _Asked, *arguments: Any, **options: Any) -> Any:
        """Waits for the server; everything that asks it something comes through here, commits too.

        Raises:
            OperationalError: it has been silent for too long.
        """
        return super().wait(self._bounded(gen), *arguments, **options)

    def _bounded(self, asked: _Asked) -> _Asked:
        """The same question, asked with patience. psycopg sends it what the socket is ready for, ten times a second."""
        heard = time.monotonic()
        try:
            state = next(asked)
            while True:
                ready = yield state
                if ready:
                    heard = time.monotonic()
                elif time.monotonic() - heard > self._patience_now():
                    self._give_up()
                state = asked.send(ready)
        except StopIteration as end:
            return end.value

    def _patience_now(self) -> float:
        return min(self.patience, ANSWER_SECONDS) if self.watch.silent else self.patience

    def _give_up(self) -> None:
        self.watch.note_silence()
        self.pgconn.finish()  # what is asked may still be answered one day, and must not be taken for another answer
        raise psycopg.OperationalError(_NO_ANSWER)


def use_patient_connections(engine: Engine) -> None:
    """Lets an engine for PostgreSQL open its connections as ``PatientConnection``."""
    watch = ServerWatch()

    def connect(_: Any, __: Any, arguments: list[Any], options: dict[str, Any]) -> PatientConnection:
        with watch.connecting():
            made = PatientConnection.connect(*arguments, **options)
        made.watch = watch
        return made

    event.listen(engine, "do_connect", connect)
    # the pool tries a connection before it hands it out, which costs the server nothing
    event.listen(engine, "checkout", lambda connection, *_: set_patience(connection, SILENCE_SECONDS))
    event.listen(engine, "checkin", lambda connection, *_: set_patience(connection, ANSWER_SECONDS))


def set_patience(connection: Any, seconds: float) -> None:
    """Sets how long a connection, as the pool or SQLAlchemy has it, waits for the server from now on."""
    if connection is not None:
        connection.patience = seconds
