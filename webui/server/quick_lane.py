"""A lane of its own for requests that need no database, so that they are answered while all others wait for it."""

from __future__ import annotations

from typing import Any

from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

_THREADS = 4
_PATHS = ("/static/", "/healthz")
"""Beginnings of the paths, behind the prefix, whose pages touch neither database nor disk beyond their own files."""


def is_quick(channel: Any) -> bool:
    """Whether a connection (a channel, in waitress's words) whose next request is complete belongs into this lane."""
    path = str(getattr(channel.requests[0], "path", "")) if channel.requests else ""
    return path.removeprefix(channel.adj.url_prefix).startswith(_PATHS)


class TwoLanes(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Hands requests to the server's threads, and those that are answered at once to a few more of their own.

    Args:
        threads: how many threads answer all other requests.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.set_thread_count(threads)
        self._quick = ThreadedTaskDispatcher()
        self._quick.set_thread_count(_THREADS)

    def add_task(self, task: Any) -> None:
        """Takes a connection whose next request is complete."""
        if is_quick(task):
            self._quick.add_task(task)
        else:
            super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Ends the threads of both lanes, as far as they are idle in time."""
        self._quick.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))
