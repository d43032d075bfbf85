"""Time and space limits for connections: slow phones are served, clients that only hold threads are cut off."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]
from waitress.utilities import RequestEntityTooLarge  # type: ignore[import-untyped]

from webui.access.callers import Callers, caller_at
from webui.server.fair_share import ThreadShares, greediest, one_too_many

STRANGER_BODY = 16 * 1024
"""Bytes of a body before the code was entered; the form with the code needs no more."""
HEAD_SECONDS = 20.0
"""In which the head of a request must be complete, and a stranger's body begin."""
BODY_SECONDS = 60.0
"""That a device which was let in may send nothing of its photo, as in a bad corner of the house."""
_MIN_BODY_RATE = 16 * 1024
"""Bytes a second; a photo of 1 MB may take a minute more."""
STUCK_SECONDS = 60.0
"""After which a client that takes nothing of its answer counts as gone."""


class _Request(HTTPRequestParser):  # type: ignore[misc]
    """A request on its way in. A stranger's large body is not taken in: the app answers to its head alone."""

    error: Any

    def __init__(self, channel: TimeoutChannel, adj: Any) -> None:
        super().__init__(adj)
        self._channel = channel
        self._most: int | None = None

    def received(self, data: bytes) -> int:
        taken: int = super().received(data)
        if self.headers_finished and self.error is None:
            if self._most is None:
                self._channel.identify(self)
                self._most = int(self.adj.max_request_body_size) if self._channel.caller.let_in else STRANGER_BODY
            if self.content_length > self._most and not self.completed:
                self._refuse()
            elif self.chunked and self.body_bytes_received > self._most:
                self.error = RequestEntityTooLarge(f"a body has at most {self._most} bytes here")
                self._refuse()
        return taken

    def _refuse(self) -> None:
        self.completed, self.expect_continue = True, False
        self.headers["CONNECTION"] = "close"  # what still comes of the body is no request


class TimeoutChannel(HTTPChannel):  # type: ignore[misc]
    """One connection; it is cut if its request comes in too slowly or its answer is not taken.

    Waitress alone waits without end for both (Slowloris and slow read, CAPEC-469). ``caller`` is known once the head of
    a request is; before, by the connection's address.
    """

    _begun = 0.0
    _is_cut = False

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.caller = caller_at(addr[0])
        self.shares: deque[str | None] = deque()
        self.parser_class = partial(_Request, self)
        super().__init__(server, sock, addr, adj, map=map)
        if surplus := one_too_many(self._open_channels(), self):
            surplus.cut()

    def identify(self, request: Any) -> None:
        """Finds out who sends a request, from its head."""
        environ = {f"HTTP_{name}": value for name, value in request.headers.items()}
        environ |= {"REMOTE_ADDR": self.addr[0], "SERVER_PROTOCOL": f"HTTP/{request.version}"}
        environ["wsgi.url_scheme"] = self.adj.url_scheme
        self.caller = self.server.callers(environ)

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self._begun = time.monotonic()
        taken = super().received(data)
        if self.held and (largest := greediest(self._open_channels())):
            largest.cut()
        return taken

    def readable(self) -> bool:
        """Called by the server's loop at least once a second."""
        if self.request is not None and not self.requests:
            patience = BODY_SECONDS if self.request.headers_finished and self.caller.let_in else HEAD_SECONDS
            if time.monotonic() - self._begun > patience + self.request.body_bytes_received / _MIN_BODY_RATE:
                self.cut()
        elif self.total_outbufs_len and time.time() - self.last_activity > STUCK_SECONDS:
            self.cut()
        return bool(super().readable())

    def service(self) -> None:
        try:
            super().service()
        finally:
            self.server.thread_shares.done(self)

    def cut(self) -> None:
        """Ends the connection."""
        self.will_close = self._is_cut = True
        with suppress(OSError):  # it may be closed already
            # Else the loop waits until the rest of the answer is sent. An SSLSocket's own would end the encryption as
            # well, also for a thread that sends just now.
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)

    @property
    def held(self) -> int:
        """The bytes held of bodies: of the one that comes in, and of those whose requests wait or are at work."""
        requests = [self.request, *self.requests]
        return 0 if self._is_cut else sum(request.body_bytes_received for request in requests if request is not None)

    def _open_channels(self) -> Iterator[TimeoutChannel]:
        channels = list(self._map.values())  # of all listeners
        return (one for one in channels if isinstance(one, TimeoutChannel) and not one._is_cut)


def use_timeouts(sockets: Mapping[int, Any], callers: Callers) -> None:
    """Makes listening servers handle each new connection as a ``TimeoutChannel``.

    Args:
        sockets: the sockets of the server's loop by file descriptor.
        callers: tells who sends a request.
    """
    listeners = [listener for listener in sockets.values() if isinstance(listener, BaseWSGIServer)]
    shares = ThreadShares(listeners[0].task_dispatcher.add_task)  # all listeners have the same threads
    for listener in listeners:
        listener.channel_class = TimeoutChannel
        listener.callers, listener.thread_shares, listener.add_task = callers, shares, shares.add
