"""Patience with slow phones, and none with those who only hold the page up."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

from webui.access.network import is_here_alone, neighbour

ALL_BODIES = 256 * 1024 * 1024
"""What may be on its way in at a time, as it waits on the disk until it is whole."""
OF_ONE_GUEST = 40
"""Connections that one address of the network may hold; a browser opens six."""
HEAD_SECONDS = 20.0
"""Within these the head of a request must be here."""
_SLOWEST_BODY = 16 * 1024  # bytes a second; a photo of 1 MB may take a minute more
STUCK_SECONDS = 60.0
"""Who takes nothing of an answer for so long is gone."""


class TimeoutChannel(HTTPChannel):  # type: ignore[misc]
    """One connection, which is cut when its request comes too slowly or its answer is not taken.

    Waitress itself waits for ever for a request that keeps trickling in, and for an answer to be taken (Slowloris and
    slow read, CAPEC-469).
    """

    _begun = 0.0

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        guest = neighbour(addr[0])
        same = sum(neighbour(one.addr[0]) == guest for one in list(server.active_channels.values()))
        if same > OF_ONE_GUEST and not is_here_alone(guest):
            self._cut()

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self._begun = time.monotonic()
        taken = super().received(data)
        if self._coming and self._all_coming() > ALL_BODIES:
            self._cut()
        return taken

    def readable(self) -> bool:
        """Asked by the server's loop, at least once a second."""
        if self.request is not None and not self.requests:
            if time.monotonic() - self._begun > HEAD_SECONDS + self._coming / _SLOWEST_BODY:
                self._cut()
        elif self.total_outbufs_len and time.time() - self.last_activity > STUCK_SECONDS:
            self._cut()
        return bool(super().readable())

    def _cut(self) -> None:
        self.will_close = True
        with suppress(OSError):  # it may be gone already
            self.socket.shutdown(socket.SHUT_RDWR)  # or the loop would wait until what is left can be sent

    @property
    def _coming(self) -> int:
        """The bytes of the body that is on its way in."""
        request = self.request
        if request is None or not request.headers_finished:
            return 0
        return max(int(request.content_length), int(request.body_bytes_received))

    def _all_coming(self) -> int:
        channels = list(self.server.active_channels.values())
        return sum(channel._coming for channel in channels if isinstance(channel, TimeoutChannel))


def use_timeouts(sockets: Mapping[int, Any]) -> None:
    """Lets servers that listen handle each connection from now on as a ``TimeoutChannel``.

    Args:
        sockets: what the server's loop watches.
    """
    for one in sockets.values():
        if isinstance(one, BaseWSGIServer):
            one.channel_class = TimeoutChannel
