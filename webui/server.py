"""The web server that the page runs in."""

from __future__ import annotations

from typing import Any

import waitress  # type: ignore[import-untyped]
from flask import Flask

THREADS = 24
# Past this the connection is cut; up to it the page itself says that an upload is too large.
_MAX_BODY = 512 * 1024 * 1024
# What may wait for a slow viewer of the live picture; more would only make it late.
_MOST_WAITING = 256 * 1024


def make_server(app: Flask, host: str, port: int) -> Any:
    """The server at an address, to be run.

    Raises:
        OSError: the address cannot be had.
        ValueError: it is no address.
    """
    return waitress.create_server(
        app,
        host=host,
        port=port,
        threads=THREADS,
        max_request_body_size=_MAX_BODY,
        outbuf_high_watermark=_MOST_WAITING,
        channel_request_lookahead=1,  # so that a stream hears when its page is gone
        ident="handfoot",
    )
