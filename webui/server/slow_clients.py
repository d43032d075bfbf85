"""Time and space limits for connections: slow phones are served, clients that only hold threads are cut off."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

from webui.access.network import client_network, is_loopback

MAX_INCOMING_BYTES = 256 * 1024 * 1024
"""Bodies of all requests on their way in; they lie on the disk until they are complete."""
MAX_CLIENT_CONNECTIONS = 40
"""Of one address of the network; a browser opens six."""
HEAD_SECONDS = 20.0
"""In which the head of a request must be complete."""
_MIN_BODY_RATE = 16 * 1024
"""Bytes a second; a photo of 1 MB may take a minute more."""
STUCK_SECONDS = 60.0
"""After which a client that takes nothing of its answer counts as gone."""


class TimeoutChannel(HTTPChannel):  # type: ignore[misc]
    """One connection; it is cut if its request comes in too slowly or its answer is not taken.

    Waitress alone waits without end for both (Slowloris and slow read, CAPEC-469).
    """

    _begun = 0.0

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        client = client_network(addr[0])
        open_channels = list(server.active_channels.values())
        same = sum(client_network(channel.addr[0]) == client for channel in open_channels)
        if same > MAX_CLIENT_CONNECTIONS and not is_loopback(client):
            self._cut()

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self._begun = time.monotonic()
        taken = super().received(data)
        if self._incoming and self._all_incoming() > MAX_INCOMING_BYTES:
            self._cut()
        return taken

    def readable(self) -> bool:
        """Called by the server's loop at least once a second."""
        if self.request is not None and not self.requests:
            if time.monotonic() - self._begun > HEAD_SECONDS + self._incoming / _MIN_BODY_RATE:
                self._cut()
        elif self.total_outbufs_len and time.time() - self.last_activity > STUCK_SECONDS:
            self._cut()
        return bool(super().readable())

    def _cut(self) -> None:
        self.will_close = True
        with suppress(OSError):  # it may be closed already
            self.socket.shutdown(socket.SHUT_RDWR)  # else the loop waits until the rest of the answer is sent

    @property
    def _incoming(self) -> int:
        """The size in bytes of the body that is on its way in."""
        request = self.request
        if request is None or not request.headers_finished:
            return 0
        return max(int(request.content_length), int(request.body_bytes_received))

    def _all_incoming(self) -> int:
        channels = list(self.server.active_channels.values())
        return sum(channel._incoming for channel in channels if isinstance(channel, TimeoutChannel))


def use_timeouts(sockets: Mapping[int, Any]) -> None:
    """Makes listening servers handle each new connection as a ``TimeoutChannel``.

    Args:
        sockets: the sockets of the server's loop by file descriptor.
    """
    for listener in sockets.values():
        if isinstance(listener, BaseWSGIServer):
            listener.channel_class = TimeoutChannel
