"""The photo queue: one job at a time decodes and reads photos, so that memory use does not grow with their number.

A page submits a job and gets a ticket; with it the page asks how many jobs come before and, at the end, for the
outcome. Jobs that wait lie on the disk and are done after the next start if the server stops first. While a database
server does not answer, they wait for it.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scorer.rules import RulesError
from scorer.sheets import SheetError
from webui.house_rules.unusable import rules_reason
from webui.reading.reader_service import lower_priority
from webui.storage.db.audit_log import AUTHOR
from webui.storage.errors import DatabaseAway, StorageError
from webui.storage.files.job_files import Job, JobFiles, StoredJob
from webui.storage.records import FirstMeldRecord
from webui.translation import _

MOST_BYTES = 200 * 1024 * 1024
"""Bytes of waiting photos on the disk. A phone sends about 1 MB a photo, as the page reduces them first."""
MOST_WAITING = 100
WAIT_SECONDS = 10.0
"""Seconds that a request waits for its photos; after that its page polls."""
BETWEEN_TRIES = 2.0
"""Seconds between two tries while the database does not answer."""
_MAX_WAITING_REQUESTS = 4
"""Requests that may wait at a time, as each holds a thread of the server."""
_MAX_KNOWN_TICKETS = 200
_MAX_REFUSED = 20

JobHandler = Callable[[StoredJob], "Outcome"]


class JobTargetGone(Exception):
    """The game, the round or the photo that a job is for is not stored any more."""


class QueueFull(Exception):
    """No more fits into the queue."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job.

    Attributes:
        target: URL of the page to go on with.
        errors: sentences about what went wrong.
        success: a sentence about what went well, if there is anything to say.
        refused: a sentence if nothing could be stored; then there is no page to go on with.
        first_meld: the first meld that was read; its page takes the place of ``target``.
    """

    target: str
    errors: Sequence[str] = ()
    success: str | None = None
    refused: str | None = None
    first_meld: FirstMeldRecord | None = None


@dataclass(eq=False, slots=True)
class Ticket:
    """One submitted job. ``outcome`` is None until it is done; ``collected`` whether its outcome was shown."""

    size: int
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    outcome: Outcome | None = None
    collected: bool = False
    done: threading.Event = field(default_factory=threading.Event)


class PhotoQueue:
    """Does jobs one after the other in a thread of its own. Thread-safe.

    Args:
        folder: the data folder, in which waiting jobs are stored.
        handlers: what does the jobs of each kind. A handler runs outside of any request.
    """

    def __init__(self, folder: Path, handlers: Mapping[str, JobHandler]) -> None:
        self.handlers = dict(handlers)
        self._files = JobFiles(folder)
        self._lock = threading.Condition()
        self._waiting: deque[tuple[Ticket, StoredJob]] = deque()
        self._refused: dict[str, StoredJob] = {}
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()
        self._bytes = self._reserved = 0
        self._at_work: StoredJob | None = None
        self._closed = False
        self._waiting_requests = threading.BoundedSemaphore(_MAX_WAITING_REQUESTS)
        self._thread: threading.Thread | None = None

    def submit(self, size: int, job: Job, photos: Iterable[tuple[bytes, str]] = ()) -> Ticket:
        """Puts a job at the end of the queue and returns a ticket to poll.

        Args:
            size: the bytes that it takes while it waits.
            job: what is to be done.
            photos: its photos with their names; read only if there is room for them.

        Raises:
            QueueFull: too much is waiting.
            StorageError: the job cannot be written to the disk.
        """
        with self._lock:
            if self._reserved >= MOST_WAITING or self._bytes + size > MOST_BYTES:
                raise QueueFull
            self._bytes += size
            self._reserved += 1
        ticket = Ticket(size)
        try:
            stored = self._files.add(ticket.id, job, photos)
        except BaseException:
            self._release(ticket)
            raise
        self._enqueue(ticket, stored)
        return ticket

    def resume(self) -> None:
        """Takes up the jobs on the disk; to be called when no other process works on this data folder."""
        for stored in self._files.all():
            ticket = Ticket(stored.size, stored.ticket)
            with self._lock:
                self._bytes += ticket.size
                self._reserved += 1
            self._enqueue(ticket, stored)

    def close(self) -> None:
        """Returns when the job at work is done; the others stay on the disk for the next start."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            self._lock.notify()
        if self._thread is not None:
            self._thread.join()

    def wait(self, ticket: Ticket) -> None:
        """Waits for a job for ``WAIT_SECONDS`` seconds; returns at once if many requests wait already."""
        if self._waiting_requests.acquire(blocking=False):
            try:
                ticket.done.wait(WAIT_SECONDS)
            finally:
                self._waiting_requests.release()

    def find(self, ticket_id: str) -> Ticket | None:
        """The ticket with an id; None if it is unknown or forgotten."""
        with self._lock:
            return self._tickets.get(ticket_id)

    def jobs(self) -> tuple[Job, ...]:
        """The jobs that are not done, the one at work first."""
        with self._lock:
            at_work = () if self._at_work is None else (self._at_work,)
            return tuple(stored.job for stored in (*at_work, *(stored for _, stored in self._waiting)))

    def jobs_before(self, ticket: Ticket) -> int:
        """How many jobs come before this one, including the one at work."""
        with self._lock:
            for index, (waiting, _) in enumerate(self._waiting):
                if waiting is ticket:
                    return index + (self._at_work is not None)
        return 0

    def collect(self, ticket: Ticket) -> Outcome | None:
        """The outcome of a job, for the first who asks, so that it is shown once; then None."""
        with self._lock:
            collected, ticket.collected = ticket.collected, True
            refused = self._refused.pop(ticket.id, None)
        if refused:
            self._files.remove(refused)
        return None if collected else ticket.outcome

    def _enqueue(self, ticket: Ticket, stored: StoredJob) -> None:
        with self._lock:
            self._waiting.append((ticket, stored))
            self._tickets[ticket.id] = ticket
            while len(self._tickets) > _MAX_KNOWN_TICKETS:
                self._tickets.popitem(last=False)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="photo-queue", daemon=True)
                self._thread.start()
            self._lock.notify()

    def _run(self) -> None:
        lower_priority()
        while True:
            with self._lock:
                while not self._waiting:
                    if self._closed:
                        return
                    self._lock.wait()
                ticket, stored = self._waiting.popleft()
                self._at_work = stored
            AUTHOR.set(stored.job.author)
            try:
                stored = self._files.begin(stored)
                ticket.outcome = self._do(ticket, stored)
            except DatabaseAway:
                self._put_back(ticket, stored)
                continue
            except StorageError as error:  # of the disk with the photos
                ticket.outcome = self._refuse(ticket, stored, str(error))
            with self._lock:
                self._at_work = None
            self._release(ticket)
            ticket.done.set()

    def _do(self, ticket: Ticket, stored: StoredJob) -> Outcome:
        """Does a job and removes it.

        Raises:
            DatabaseAway: the database server does not answer.
        """
        target = stored.job.target
        try:
            outcome = self.handlers[stored.job.kind](stored)
        except DatabaseAway:
            raise
        except StorageError as error:
            outcome = Outcome(target, refused=str(error))
        except RulesError as error:
            outcome = Outcome(target, [rules_reason(error)])
        except SheetError as error:
            outcome = Outcome(target, [str(error)])
        except JobTargetGone:
            outcome = Outcome(target, [_("What these photos belong to was removed meanwhile, so they were not kept.")])
        except Exception:
            logging.getLogger(__name__).exception("reading photos failed")
            outcome = Outcome(target, [_("Something went wrong while reading the photos. Send them again.")])
        if outcome.refused:
            return self._refuse(ticket, stored, outcome.refused)
        self._files.remove(stored)
        return outcome

    def _refuse(self, ticket: Ticket, stored: StoredJob, why: str) -> Outcome:
        """Keeps a job on the disk until its sender has read why, or too many wait for that."""
        with self._lock:
            self._refused[ticket.id] = stored
            oldest = self._refused.pop(next(iter(self._refused))) if len(self._refused) > _MAX_REFUSED else None
        if oldest is not None:
            self._files.remove(oldest)
        return Outcome(stored.job.target, refused=why)

    def _put_back(self, ticket: Ticket, stored: StoredJob) -> None:
        """Puts a job back to the front of the queue, to be done again in a moment."""
        stored = self._files.put_back(stored)
        with self._lock:
            self._at_work = None
            if not self._closed:  # else it is done after the next start
                self._waiting.appendleft((ticket, stored))
                self._lock.wait(BETWEEN_TRIES)

    def _release(self, ticket: Ticket) -> None:
        with self._lock:
            self._bytes -= ticket.size
            self._reserved -= 1
