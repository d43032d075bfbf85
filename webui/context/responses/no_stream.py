"""The answer where a page asks for a stream of changes that is not given; then it asks for the version now and then."""

from __future__ import annotations

from flask import Response

_FULL = "event: full\ndata: 0\n\n"


def no_stream() -> Response:
    """Tables, people and onlookers of a club evening are many, and each stream would hold a thread."""
    return Response(_FULL, mimetype="text/event-stream")
