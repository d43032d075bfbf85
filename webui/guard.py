"""Who may talk to the page: no other site through a visitor's browser, nobody under a borrowed name."""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request, session

_TOKEN = "form-token"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)


def guard(app: Flask, hosts: tuple[str, ...]) -> None:
    """Installs the checks: a known host name, and on every change the same origin and the form's token.

    A request from another site carries no token, since its scripts cannot read our pages; a name that somebody else
    made point at this machine is refused, so that their page never counts as ours.
    """

    @app.before_request
    def check() -> None:
        host = urlsplit(f"//{request.host}").hostname or ""
        if not _is_ours(host, hosts):
            abort(
                400,
                f"This page does not answer to the name {host}; open it by its address, or start it with that --host.",
            )
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            abort(403, "This came from another site and was not done; do it on the page itself.")
        sent = request.form.get("token", "")
        if not secrets.compare_digest(sent.encode(), session.get(_TOKEN, "").encode()) or not sent:
            abort(
                403,
                "This page was open for too long or came from elsewhere; go back, load it again and repeat the step.",
            )

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        if response.mimetype == "text/html":
            response.headers["Cache-Control"] = "no-store"
        return response

    app.jinja_env.globals["form_token"] = form_token


def form_token() -> str:
    """The token that every form of this visitor carries."""
    if _TOKEN not in session:
        session[_TOKEN] = secrets.token_urlsafe(24)
        session.permanent = True
    return str(session[_TOKEN])


def _is_ours(host: str, hosts: tuple[str, ...]) -> bool:
    if host == "localhost" or host.endswith(".local") or host in hosts:
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
