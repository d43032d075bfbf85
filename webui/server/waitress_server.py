"""The HTTP server (waitress) with the limits of this app."""

from __future__ import annotations

import errno
import logging
import sys
import time
from collections.abc import Mapping
from typing import Any

import waitress  # type: ignore[import-untyped]
from flask import Flask
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]

from webui.access.callers import callers_of
from webui.access.certificate import Certificate
from webui.server.fair_share import MAX_NETWORK_CONNECTIONS, TwoLanes
from webui.server.slow_clients import use_timeouts
from webui.server.tls.channel import TlsChannel

THREADS = 24
_MAX_BODY = 128 * 1024 * 1024
"""Bytes; beyond this the connection is cut. Up to it the app itself answers that an upload is too large."""
_MAX_BUFFERED = 256 * 1024
"""Bytes that wait for a slow viewer of the live picture; more would only delay the picture."""
_LOCAL_CONNECTIONS = 120
"""Places that only this machine itself takes."""
_DESCRIPTORS = 4096
"""Files and connections that this process may have open, where the system allows so many; macOS begins with 256."""
_PAUSE_SECONDS = 1.0
_OUT_OF_DESCRIPTORS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Why a connection cannot be accepted and goes on waiting; see accept(2)."""
_log = logging.getLogger(__name__)


def make_server(app: Flask, host: str, port: int) -> Any:
    """A server that listens at an address and is yet to be run.

    Raises:
        OSError: the address is not available.
        ValueError: it is not an address.
    """
    _raise_descriptor_limit()
    sockets: dict[int, Any] = {}
    server = waitress.create_server(
        app, map=sockets, host=host, port=port, _dispatcher=TwoLanes(THREADS), **_limits(app)
    )
    use_timeouts(sockets, callers_of(app))
    _pause_when_out_of_descriptors(sockets)
    return server


def listen_encrypted(server: Any, app: Flask, host: str, port: int, certificate: Certificate) -> int:
    """Lets a server from ``make_server`` listen at a second port, encrypted; both share threads and limits.

    Returns:
        The port.

    Raises:
        OSError: the address is not available.
        ValueError: it is not an address.
    """
    sockets = sockets_of(server)
    before = [one for one in sockets.values() if isinstance(one, TcpWSGIServer)]
    waitress.create_server(
        app,
        map=sockets,
        host=host,
        port=port,
        _dispatcher=server.task_dispatcher,
        url_scheme="https",
        **_limits(app),
    )
    for listener in [one for one in sockets.values() if isinstance(one, TcpWSGIServer) and one not in before]:
        listener.__class__ = _EncryptedServer
        listener.certificate, listener.channel_class = certificate, TlsChannel
        listener.callers, listener.thread_shares = before[0].callers, before[0].thread_shares
        listener.add_task = before[0].add_task
        port = int(listener.effective_port)
    return port


def sockets_of(server: Any) -> dict[int, Any]:
    """The sockets of a server's loop by file descriptor: its listeners, its connections and what wakes it."""
    found: dict[int, Any] = server.map if hasattr(server, "map") else server._map
    return found


def _limits(app: Flask) -> dict[str, Any]:
    """What waitress is told of how much it takes."""
    return {
        "max_request_body_size": _MAX_BODY,
        "outbuf_high_watermark": _MAX_BUFFERED,
        "channel_request_lookahead": 1,  # so that a stream notices when its client is gone
        "max_request_header_size": 64 * 1024,
        "connection_limit": MAX_NETWORK_CONNECTIONS + _LOCAL_CONNECTIONS,
        "asyncore_use_poll": True,  # select() has an upper bound of connections
        "clear_untrusted_proxy_headers": False,  # the request guard needs them to tell that a proxy forwards
        # Taken off a path that has it, as some proxies have done already.
        "url_prefix": app.config["APPLICATION_ROOT"].rstrip("/"),
        "ident": "handfoot",
    }


def _raise_descriptor_limit() -> None:
    """Lets this process open more files and connections, within what the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:
            _log.info("the limit of open files stays %d: %s", soft, error)


def _pause_when_out_of_descriptors(sockets: Mapping[int, Any]) -> None:
    """Lets listening servers pause where a connection cannot be accepted.

    The system reports such a connection again and again, as it still waits: without a pause the server's loop would do
    nothing but fail, and fill the log. During the pause those who are connected are served, and free descriptors.

    Args:
        sockets: the sockets of the server's loop by file descriptor.
    """
    for listener in sockets.values():
        if isinstance(listener, TcpWSGIServer):
            listener.__class__ = _PausingServer


class _PausingServer(TcpWSGIServer):  # type: ignore[misc]
    """A listening server that does not look at new connections for a second where it cannot accept one."""

    _paused_until = 0.0
    _is_told = False

    def readable(self) -> bool:
        """Called by the server's loop at least once a second."""
        return bool(super().readable()) and time.monotonic() >= self._paused_until

    def accept(self) -> Any:
        """Accepts a connection; None where there is none, or it has to wait."""
        try:
            accepted = super().accept()
        except OSError as error:
            if error.errno not in _OUT_OF_DESCRIPTORS:
                raise
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            if not self._is_told:
                _log.warning("no more connections for now: %s", error.strerror)
            self._is_told = True
            return None
        self._is_told = False
        return accepted


class _EncryptedServer(_PausingServer):
    """A listening server whose connections are encrypted by a certificate."""

    certificate: Certificate

    def accept(self) -> Any:
        """Accepts a connection, whose handshake is yet to come."""
        accepted = super().accept()
        if accepted is None:
            return None
        line, address = accepted
        try:
            context = self.certificate.context
            return context.wrap_socket(line, server_side=True, do_handshake_on_connect=False), address
        except (OSError, ValueError):  # it is gone already
            line.close()
            return None
