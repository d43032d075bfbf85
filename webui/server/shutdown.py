"""Serving until a signal, then a graceful shutdown: no new connections, requests at work are answered."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

from webui.server.stop_signals import StopSignals
from webui.server.waitress_server import sockets_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_GRACE_SECONDS = 10.0
"""For requests at work when the page is stopped; systemd waits for longer."""


class RequestCounter:
    """Counts the requests that an app works on. A response that streams does not count once it has begun."""

    def __init__(self, app: Flask) -> None:
        self._app = app.wsgi_app
        self._lock = threading.Lock()
        self.active = 0
        app.wsgi_app = self  # type: ignore[method-assign]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with self._lock:
            self.active += 1
        try:
            return self._app(environ, start_response)
        finally:
            with self._lock:
                self.active -= 1


def run_until_stopped(server: Any, requests: RequestCounter, stop: StopSignals, grace: float = _GRACE_SECONDS) -> None:
    """Serves until SIGINT or SIGTERM, then finishes the requests at work; a second signal stops at once.

    Args:
        server: from ``webui.server.waitress_server.make_server``.
        requests: counts the requests of its app.
        stop: notes the signals, and may have noted one already.
        grace: seconds that requests at work may take.
    """
    sockets = sockets_of(server)
    # A host name such as localhost may have two addresses, each with a listener of its own.
    listeners = [one for one in sockets.values() if isinstance(one, BaseWSGIServer)]
    try:
        stop.wake_by(listeners[0].pull_trigger)
        while not stop.requested:
            _poll(listeners[0], sockets, 1.0)
        for listener in listeners:
            wasyncore.dispatcher.close(listener)
        end, idle_polls = time.monotonic() + grace, 0
        while idle_polls < 3 and time.monotonic() < end:
            _poll(listeners[0], sockets, 0.05)
            idle_polls = 0 if requests.active else idle_polls + 1
    except KeyboardInterrupt:
        pass
    logging.getLogger("waitress").setLevel(logging.ERROR)  # streams are cut off now, which is no news
    server.task_dispatcher.shutdown(timeout=1)


def _poll(listener: Any, sockets: dict[int, Any], seconds: float) -> None:
    """Waits at most so long for socket events and handles them once."""
    wasyncore.loop(timeout=seconds, map=sockets, use_poll=listener.adj.asyncore_use_poll, count=1)
