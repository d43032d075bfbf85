"""Answers that go on for long: they end when their visitor is sent out, and no proxy holds them back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

from flask import Response

from webui.context.guard.rights import access_check

_CHECK_SECONDS = 1.0


class Parts(Protocol):
    """The parts of an answer; ``close`` is called at its end, however that comes."""

    def __next__(self) -> bytes: ...

    def close(self) -> None: ...


def stream_response(parts: Parts, content_type: str) -> Response:
    """Answers with parts as they come, for as long as the visitor has access.

    nginx hands parts on at once only with the header that is set here; without it they wait until its buffer is full.
    """
    response = Response(_WhileLetIn(parts, access_check()), content_type=content_type)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class _WhileLetIn(Iterator[bytes]):
    """Parts until the visitor has no access any more, which is asked at most once a second."""

    def __init__(self, parts: Parts, has_access: Callable[[], bool]) -> None:
        self._parts, self._has_access, self._asked = parts, has_access, time.monotonic()

    def __next__(self) -> bytes:
        if time.monotonic() - self._asked > _CHECK_SECONDS:
            if not self._has_access():
                raise StopIteration
            self._asked = time.monotonic()
        return next(self._parts)

    def close(self) -> None:
        self._parts.close()
