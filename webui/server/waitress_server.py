"""The web server that the page runs in."""

from __future__ import annotations

from typing import Any

import waitress  # type: ignore[import-untyped]
from flask import Flask

from webui.server.slow_clients import use_timeouts

THREADS = 24
# Past this the connection is cut; up to it the page itself says that an upload is too large.
_MAX_BODY = 128 * 1024 * 1024
# What may wait for a slow viewer of the live picture; more would only make it late.
_MOST_WAITING = 256 * 1024
_CONNECTIONS = 600


def make_server(app: Flask, host: str, port: int) -> Any:
    """The server at an address, to be run.

    Raises:
        OSError: the address cannot be had.
        ValueError: it is no address.
    """
    sockets: dict[int, Any] = {}
    server = waitress.create_server(
        app,
        map=sockets,
        host=host,
        port=port,
        threads=THREADS,
        max_request_body_size=_MAX_BODY,
        outbuf_high_watermark=_MOST_WAITING,
        channel_request_lookahead=1,  # so that a stream hears when its page is gone
        max_request_header_size=64 * 1024,
        connection_limit=_CONNECTIONS,
        asyncore_use_poll=True,  # which knows no upper bound of connections, as select does
        clear_untrusted_proxy_headers=False,  # by them the door sees that somebody comes through a proxy
        ident="handfoot",
    )
    use_timeouts(sockets)
    return server
