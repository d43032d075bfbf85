"""Server-sent events for pages that follow a game: one after each change, and a sign of life in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from flask import Response, request

from webui.access.quotas import Quota
from webui.context.guard.devices import client_id
from webui.context.guard.rights import access_check
from webui.context.responses.streams import stream_response
from webui.context.services import services
from webui.storage.change_signal import ChangeSignal
from webui.storage.errors import StorageError

MAX_STREAMS = 10
"""Event streams at a time; each holds a thread of the server."""
STREAMS_PER_CLIENT = 3
"""Fewer, so that one device cannot take them all; and with the live pictures fewer than the six connections that a
browser has for a page, or it would wait for ever for the next one."""
_MAX_STREAM_SECONDS = 120.0
"""A stream ends after so long, so that a phone that left unnoticed frees its thread."""
_KEEP_ALIVE_SECONDS = 3.0
"""After so long without a change a stream says that it is there; a page that hears nothing for 5 s asks by itself."""
_CHECK_SECONDS = 1.0
"""How often a stream checks whether its client is still connected and has access."""
_quota = Quota(MAX_STREAMS, STREAMS_PER_CLIENT)


def game_events(version: Callable[[], int]) -> Response:
    """A stream for this visitor: ``change`` with the version after each change; ``full`` if none is left.

    Args:
        version: a number that grows with each change.
    """
    since = request.headers.get("Last-Event-ID", type=int) or request.args.get("since", 0, type=int)
    client = client_id()
    is_cut = request.environ.get("waitress.client_disconnected", lambda: False)
    has_access = access_check()
    signal = services().store.change_signal
    if not _quota.take(client):
        return stream_response(_Stream(iter(["event: full\ndata: 0\n\n"]), lambda: None), "text/event-stream")
    parts = events(version, signal, since, lambda: is_cut() or not has_access())
    return stream_response(_Stream(parts, lambda: _quota.release(client)), "text/event-stream")


class _Stream(Iterator[bytes]):
    """The events for one client. However it ends, its share of the quota is released once."""

    def __init__(self, events: Iterator[str], release: Callable[[], None]) -> None:
        self._events, self._release, self._is_open = events, release, True

    def __next__(self) -> bytes:
        try:
            return next(self._events).encode()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._release()


def events(version: Callable[[], int], signal: ChangeSignal, since: int, is_gone: Callable[[], bool]) -> Iterator[str]:
    """Yields the events of a stream until its time is over, its client is gone, or the database cannot be read."""
    end = time.monotonic() + _MAX_STREAM_SECONDS
    yield "retry: 2000\n\n"
    sent_at = time.monotonic()
    while time.monotonic() < end and not is_gone():
        seen = signal.count
        try:
            now = version()
        except StorageError:  # the browser asks for the stream anew, and the page says what is wrong
            return
        if now > since:
            since = now
            sent_at = time.monotonic()
            yield f"id: {now}\nevent: change\ndata: {now}\n\n"
        elif time.monotonic() - sent_at > _KEEP_ALIVE_SECONDS:
            sent_at = time.monotonic()
            yield "event: here\ndata: 0\n\n"
        else:
            _wait_for_change(signal, seen, sent_at + _KEEP_ALIVE_SECONDS, is_gone)


def _wait_for_change(signal: ChangeSignal, seen: int, until: float, is_gone: Callable[[], bool]) -> None:
    while signal.wait(seen, _CHECK_SECONDS) == seen and not is_gone() and time.monotonic() <= until:
        pass
