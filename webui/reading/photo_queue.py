"""Where photos wait their turn: one is decoded and read at a time, so that no number of them fills the memory.

A page hands in what is to be done and gets a ticket; whoever has it can ask how many come before and, in the end,
where to go on and what there is to say. What waits lies on the disk, and is done after the next start where the page
ends before.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask

from scorer.rules import RulesError
from scorer.sheets import SheetError
from vision.images.sandbox import shared_decoder
from webui.reading.reader_service import lower_priority
from webui.storage.db.audit_log import AUTHOR
from webui.storage.errors import StorageError
from webui.storage.job_files import Job, JobFiles, StoredJob

MOST_BYTES = 200 * 1024 * 1024
"""Of photos that wait, on the disk; a phone sends 1 MB or so for each, as the page makes them smaller."""
MOST_WAITING = 100
PATIENCE = 10.0
"""Seconds that a request waits for its photos; after that its page asks again now and then."""
_MOST_PATIENT = 4
"""So many requests may wait at a time, as each holds one of the page's threads."""
_REMEMBERED = 200
_MOST_REFUSED = 20

Work = Callable[[StoredJob], "Outcome"]
WORKS: dict[str, Work] = {}
"""What does each kind of job."""


def does(kind: str) -> Callable[[Work], Work]:
    """Names what does the jobs of a kind."""

    def name(work: Work) -> Work:
        WORKS[kind] = work
        return work

    return name


class QueueFull(Exception):
    """So much is waiting that no more fits."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the page goes on, sentences about what went wrong, and one about what went well.

    ``refused`` is a sentence where nothing could be kept; then there is no going on.
    """

    target: str
    sentences: Sequence[str] = ()
    good: str | None = None
    refused: str | None = None


@dataclass(eq=False, slots=True)
class Ticket:
    """One thing handed in. ``outcome`` is None until it is done."""

    size: int
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    outcome: Outcome | None = None
    told: bool = False
    done: threading.Event = field(default_factory=threading.Event)


class PhotoQueue:
    """Does what is handed in, one after the other, in a thread of its own. Safe to use from several threads."""

    def __init__(self, app: Flask, folder: Path) -> None:
        self._app, self._room = app, JobFiles(folder)
        self._lock = threading.Condition()
        self._waiting: deque[tuple[Ticket, StoredJob]] = deque()
        self._refused: dict[str, StoredJob] = {}
        self._known: OrderedDict[str, Ticket] = OrderedDict()
        self._bytes = self._reserved = 0
        self._closed = False
        self._patient = threading.BoundedSemaphore(_MOST_PATIENT)
        self._thread: threading.Thread | None = None
        self.decode = shared_decoder().decode

    def submit(self, size: int, job: Job, photos: Iterable[tuple[bytes, str]] = ()) -> Ticket:
        """Puts something at the end of the queue.

        Args:
            size: the bytes that it holds while it waits.
            job: what is to be done.
            photos: its photos with their names; asked for only where there is room for them.

        Raises:
            QueueFull: too much is waiting.
            StorageError: the disk does not take it.
        """
        with self._lock:
            if self._reserved >= MOST_WAITING or self._bytes + size > MOST_BYTES:
                raise QueueFull
            self._bytes += size
            self._reserved += 1
        ticket = Ticket(size)
        try:
            waiting = self._room.add(ticket.id, job, photos)
        except BaseException:
            self._release(ticket)
            raise
        self._queue(ticket, waiting)
        return ticket

    def resume(self) -> None:
        """Goes on with what waited when the page ended; called once it is sure that no other page does."""
        for waiting in self._room.all():
            ticket = Ticket(waiting.size, waiting.ticket)
            with self._lock:
                self._bytes += ticket.size
                self._reserved += 1
            self._queue(ticket, waiting)

    def _queue(self, ticket: Ticket, waiting: StoredJob) -> None:
        with self._lock:
            self._waiting.append((ticket, waiting))
            self._known[ticket.id] = ticket
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="photo-desk", daemon=True)
                self._thread.start()
            self._lock.notify()

    def close(self) -> None:
        """Ends when what is being done is done; what waits is done after the next start."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            self._lock.notify()
        if self._thread is not None:
            self._thread.join()

    def wait(self, ticket: Ticket) -> None:
        """Waits for it, but not for ever, and not where many wait already."""
        if self._patient.acquire(blocking=False):
            try:
                ticket.done.wait(PATIENCE)
            finally:
                self._patient.release()

    def find(self, ticket_id: str) -> Ticket | None:
        with self._lock:
            return self._known.get(ticket_id)

    def before(self, ticket: Ticket) -> int:
        """How many come before it, the one that is being read among them."""
        with self._lock:
            for place, (held, _) in enumerate(self._waiting):
                if held is ticket:
                    return place + 1
        return 0

    def take(self, ticket: Ticket) -> Outcome | None:
        """What came of it, for whoever asks first, so that it is said once."""
        with self._lock:
            told, ticket.told = ticket.told, True
            refused = self._refused.pop(ticket.id, None)
        if refused:
            self._room.remove(refused)
        return None if told else ticket.outcome

    def _do(self, ticket: Ticket, waiting: StoredJob) -> Outcome:
        target = waiting.job.target
        try:
            waiting = self._room.begin(waiting)
            outcome = WORKS[waiting.job.kind](waiting)
        except StorageError as error:
            outcome = Outcome(target, refused=str(error))
        except (RulesError, SheetError) as error:
            outcome = Outcome(target, [str(error)])
        except Exception:
            logging.getLogger(__name__).exception("reading photos failed")
            outcome = Outcome(target, ["Something went wrong while the photos were read; send them again."])
        done = [] if outcome.refused else [waiting]
        if outcome.refused:  # until somebody has heard it, it is not given up, but for what nobody asks about
            with self._lock:
                self._refused[ticket.id] = waiting
                if len(self._refused) > _MOST_REFUSED:
                    done = [self._refused.pop(next(iter(self._refused)))]
        for one in done:
            self._room.remove(one)
        return outcome

    def _run(self) -> None:
        lower_priority()
        while True:
            with self._lock:
                while not self._waiting:
                    if self._closed:
                        return
                    self._lock.wait()
                ticket, waiting = self._waiting.popleft()
            AUTHOR.set(waiting.job.author)
            with self._app.test_request_context():  # for the addresses of pages
                ticket.outcome = self._do(ticket, waiting)
            self._release(ticket)
            ticket.done.set()

    def _release(self, ticket: Ticket) -> None:
        with self._lock:
            self._bytes -= ticket.size
            self._reserved -= 1
