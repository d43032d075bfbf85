"""The HTTP server (waitress) with the limits of this app."""

from __future__ import annotations

from typing import Any

import waitress  # type: ignore[import-untyped]
from flask import Flask

from webui.access.callers import callers_of
from webui.server.fair_share import MAX_NETWORK_CONNECTIONS
from webui.server.slow_clients import use_timeouts

THREADS = 24
_MAX_BODY = 128 * 1024 * 1024
"""Bytes; beyond this the connection is cut. Up to it the app itself answers that an upload is too large."""
_MAX_BUFFERED = 256 * 1024
"""Bytes that wait for a slow viewer of the live picture; more would only delay the picture."""
_LOCAL_CONNECTIONS = 120
"""Places that only this machine itself takes."""


def make_server(app: Flask, host: str, port: int) -> Any:
    """A server that listens at an address and is yet to be run.

    Raises:
        OSError: the address is not available.
        ValueError: it is not an address.
    """
    sockets: dict[int, Any] = {}
    server = waitress.create_server(
        app,
        map=sockets,
        host=host,
        port=port,
        threads=THREADS,
        max_request_body_size=_MAX_BODY,
        outbuf_high_watermark=_MAX_BUFFERED,
        channel_request_lookahead=1,  # so that a stream notices when its client is gone
        max_request_header_size=64 * 1024,
        connection_limit=MAX_NETWORK_CONNECTIONS + _LOCAL_CONNECTIONS,
        asyncore_use_poll=True,  # select() has an upper bound of connections
        clear_untrusted_proxy_headers=False,  # the request guard needs them to tell that a proxy forwards
        ident="handfoot",
    )
    use_timeouts(sockets, callers_of(app))
    return server
