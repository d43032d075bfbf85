"""How the page comes to an end: nobody is let in any more, and what was asked for is done and answered."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Iterable
from types import FrameType
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_PATIENCE = 10.0
"""Seconds in which requests may come to their end when the page is stopped; systemd waits for longer."""


class Traffic:
    """Counts the requests that an app works on; the pictures and events of a stream, once begun, are none."""

    def __init__(self, app: Flask) -> None:
        self._app = app.wsgi_app
        self._lock = threading.Lock()
        self.busy = 0
        app.wsgi_app = self  # type: ignore[method-assign]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with self._lock:
            self.busy += 1
        try:
            return self._app(environ, start_response)
        finally:
            with self._lock:
                self.busy -= 1


def run_until_stopped(server: Any, traffic: Traffic, patience: float = _PATIENCE) -> None:
    """Serves until SIGINT or SIGTERM, then ends what has begun; a second signal ends it at once.

    Args:
        server: of ``webui.server.waitress_server.make_server``.
        traffic: of its app.
        patience: how many seconds what has begun may take.
    """
    sockets = server.map if hasattr(server, "map") else server._map
    # a name such as localhost may have two addresses, and each is listened at
    doors = [held for held in sockets.values() if isinstance(held, BaseWSGIServer)]
    stopping = threading.Event()

    def stop(_: int, __: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()
        doors[0].pull_trigger()

    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, stop)
    try:
        while not stopping.is_set():
            _turn(doors[0], sockets, 1.0)
        for door in doors:
            wasyncore.dispatcher.close(door)
        ends, quiet = time.monotonic() + patience, 0
        while quiet < 3 and time.monotonic() < ends:
            _turn(doors[0], sockets, 0.05)
            quiet = 0 if traffic.busy else quiet + 1
    except KeyboardInterrupt:
        pass
    logging.getLogger("waitress").setLevel(logging.ERROR)  # streams are cut off, and that is no news
    server.task_dispatcher.shutdown(timeout=1)


def _turn(door: Any, sockets: dict[int, Any], seconds: float) -> None:
    """Waits so long for anything to come or to be sent, and sees to it once."""
    wasyncore.loop(timeout=seconds, map=sockets, use_poll=door.adj.asyncore_use_poll, count=1)
