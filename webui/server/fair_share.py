"""Shares of connections, bodies and threads: what runs short is taken from who holds most, never from the next.

Requests that need no database have threads of their own, so that they are answered while all others wait for it.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from webui.access.callers import Caller

MAX_CLIENT_CONNECTIONS = 40
"""Of one client; a browser opens six."""
MAX_NETWORK_CONNECTIONS = 480
"""Of all other machines; the places beyond are for this machine itself."""
MAX_INCOMING_BYTES = 256 * 1024 * 1024
"""Bytes held of bodies, of all clients, until the requests are answered; they lie on the disk."""
MAX_CLIENT_THREADS = 12
"""Requests of one client at work; half of the server's threads."""
_QUICK_THREADS = 4
_QUICK_PATHS = ("/static/", "/healthz")
"""Beginnings of the paths, behind the prefix, whose pages touch neither database nor disk beyond their own files."""


def is_quick(channel: Any) -> bool:
    """Whether a connection (a channel, in waitress's words) whose next request is complete belongs into this lane."""
    path = str(getattr(channel.requests[0], "path", "")) if channel.requests else ""
    return path.removeprefix(channel.adj.url_prefix).startswith(_QUICK_PATHS)


class TwoLanes(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Hands requests to the server's threads, and those that are answered at once to a few more of their own.

    Args:
        threads: how many threads answer all other requests.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.set_thread_count(threads)
        self._quick = ThreadedTaskDispatcher()
        self._quick.set_thread_count(_QUICK_THREADS)

    def add_task(self, task: Any) -> None:
        """Takes a connection whose next request is complete."""
        if is_quick(task):
            self._quick.add_task(task)
        else:
            super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Ends the threads of both lanes, as far as they are idle in time."""
        self._quick.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))


class Connection(Protocol):
    """What is compared of a connection; ``last_activity`` in seconds since the epoch, ``held`` in bytes."""

    caller: Caller
    last_activity: float

    @property
    def held(self) -> int: ...


C = TypeVar("C", bound=Connection)


def one_too_many(connections: Iterable[C], newest: C) -> C | None:
    """The connection to cut after ``newest`` was opened; None while there is room.

    A client's own share ends with the newest of its connections. Where the places of all are taken, strangers go before
    devices that were let in, and among them the client with most connections loses the one that was silent longest.
    """
    network = [one for one in connections if one.caller.client is not None]
    shares = Counter(one.caller.client for one in network)
    if shares[newest.caller.client] > MAX_CLIENT_CONNECTIONS:
        return newest
    if len(network) <= MAX_NETWORK_CONNECTIONS:
        return None
    return max(network, key=lambda one: (not one.caller.let_in, shares[one.caller.client], -one.last_activity))


def greediest(connections: Iterable[C]) -> C | None:
    """The connection to cut where bodies hold too much: the largest of the client that holds most; None while there is
    room."""
    holding = [one for one in connections if one.held]
    held: Counter[str | None] = Counter()
    for one in holding:
        held[one.caller.client] += one.held
    if held.total() <= MAX_INCOMING_BYTES:
        return None
    return max(holding, key=lambda one: (held[one.caller.client], one.held))


class ThreadShares:
    """Lets each client work with a part of the server's threads; what it asks beyond waits for its own. Thread-safe.

    What is answered at once is not counted, as it has threads of its own.

    Args:
        add_task: gives a connection whose request is complete to the threads.
    """

    def __init__(self, add_task: Callable[[Any], None]) -> None:
        self._add_task = add_task
        self._lock = threading.Lock()
        self._at_work: Counter[str] = Counter()
        self._waiting: dict[str, deque[Any]] = {}

    def add(self, channel: Any) -> None:
        """Takes a connection whose next request is complete."""
        client = None if is_quick(channel) else channel.caller.client
        with self._lock:
            if client is not None and self._at_work[client] >= MAX_CLIENT_THREADS:
                self._waiting.setdefault(client, deque()).append(channel)
                return
            self._begin(channel, client)

    def done(self, channel: Any) -> None:
        """To be called when a connection's request has been answered."""
        with self._lock:
            client = channel.shares.popleft()
            if client is None:
                return
            self._at_work[client] -= 1
            if waiting := self._waiting.get(client):
                self._begin(waiting.popleft(), client)
            else:
                self._waiting.pop(client, None)
                self._at_work += Counter()  # drops clients with nothing at work

    def _begin(self, channel: Any, client: str | None) -> None:
        channel.shares.append(client)
        if client is not None:
            self._at_work[client] += 1
        self._add_task(channel)
