"""Forms that make something make it once: the same form sent twice gets the same answer twice.

Every form carries a key that its page was given (``idempotency_key``). A view marked ``@idempotent`` runs once for a
key and what was filled in; a form that comes again while it runs waits for it, and both are answered alike. What failed
may be repeated, and a form without a key is always done.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from flask import Flask, Response, abort, current_app, g, make_response, request, session

from webui.translation import _

KEY_FIELD = "once"
KEPT_SECONDS = 600
"""How long an answer is remembered: a button is pressed twice within seconds, a phone asks again within minutes."""
_MOST_ANSWERS = 1000
_WAIT_SECONDS = 60
_MOST_WAITING = 4
"""Requests that wait for the same form at a time, as each holds a thread of the server."""
_FAILED = 400
_CHUNK = 1 << 20
_EXTENSION = "handfoot-once"

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer with what it added to the visitor's session."""

    body: bytes
    status: int
    headers: list[tuple[str, str]]
    session: dict[str, Any]


@dataclass(eq=False, slots=True)
class _Sent:
    """A form that was sent; ``answer`` is None while it is being done, and for good where it failed."""

    at: float
    done: threading.Event = field(default_factory=threading.Event)
    answer: _Answer | None = None


class SentForms:
    """The forms that were sent lately, by key and content. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: OrderedDict[str, _Sent] = OrderedDict()
        self._waiting = threading.BoundedSemaphore(_MOST_WAITING)

    def begin(self, form: str) -> tuple[_Sent, bool]:
        """The entry of a form, and whether the caller is the first and has to do it."""
        now = time.monotonic()
        with self._lock:
            while self._forms and (
                len(self._forms) > _MOST_ANSWERS or now - next(iter(self._forms.values())).at > KEPT_SECONDS
            ):
                self._forms.popitem(last=False)
            if (sent := self._forms.get(form)) is not None:
                return sent, False
            made = self._forms[form] = _Sent(now)
            return made, True

    def end(self, form: str, sent: _Sent, answer: _Answer | None) -> None:
        """Sets the answer of a form; None forgets it, so that it can be sent again."""
        with self._lock:
            sent.answer = answer
            if answer is None and self._forms.get(form) is sent:
                del self._forms[form]
        sent.done.set()

    def wait(self, sent: _Sent) -> bool:
        """Waits until a form is done; False where that takes too long or too many wait already."""
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return sent.done.wait(_WAIT_SECONDS)
        finally:
            self._waiting.release()


def install_idempotency(app: Flask) -> None:
    """Makes ``idempotent`` and the templates' ``idempotency_key`` work in an app."""
    app.extensions[_EXTENSION] = SentForms()
    app.jinja_env.globals["idempotency_key"] = idempotency_key


def idempotency_key() -> str:
    """The key that the forms of this page carry; each page that is shown has its own."""
    if "idempotency_key" not in g:
        g.idempotency_key = secrets.token_urlsafe(12)
    return str(g.idempotency_key)


def idempotent(view: View) -> View:
    """Marks a view that makes something, so that the same form sent twice makes it once."""

    @wraps(view)
    def answer(**values: Any) -> Any:
        if not request.form.get(KEY_FIELD):
            return view(**values)
        forms: SentForms = current_app.extensions[_EXTENSION]
        form = _fingerprint()
        sent, first = forms.begin(form)
        while not first:
            if not forms.wait(sent):
                abort(409, _("You sent this twice and it is still being done. Wait a moment and look again."))
            if sent.answer is not None:
                return _repeated(sent.answer)
            sent, first = forms.begin(form)
        made = None
        try:
            before = dict(session)
            response = make_response(view(**values))
            if response.status_code < _FAILED:
                made = _answer_of(response, before)
            return response
        finally:
            forms.end(form, sent, made)

    answer.idempotent = True  # type: ignore[attr-defined]
    return answer  # type: ignore[return-value]


def _fingerprint() -> str:
    """A hash of where a form was sent to and everything in it but the token, which is renewed with every page."""
    digest = hashlib.sha256(request.path.encode())
    fields = [(name, value) for name, value in request.form.items(multi=True) if name != "token"]
    digest.update(repr(fields).encode("utf-8", "surrogatepass"))
    for name, file in request.files.items(multi=True):
        digest.update(repr((name, file.filename)).encode("utf-8", "surrogatepass"))
        while chunk := file.stream.read(_CHUNK):
            digest.update(chunk)
        file.stream.seek(0)
    return digest.hexdigest()


def _answer_of(response: Response, before: dict[str, Any]) -> _Answer:
    headers = [(name, value) for name, value in response.headers if name in ("Location", "Content-Type")]
    added = {name: value for name, value in session.items() if before.get(name) != value}
    return _Answer(response.get_data(), response.status_code, headers, added)


def _repeated(answer: _Answer) -> Response:
    """The same answer again. The browser may have dropped the first one, with the cookie that lets a device in."""
    session.update(answer.session)
    return Response(answer.body, answer.status, answer.headers)
