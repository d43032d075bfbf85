"""The address by which the visitor came: through a proxy that tells it, by a path of its own, or straight."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix

from webui.access.network import is_loopback, split_url

_DEFAULT_PORTS = {"http": 80, "https": 443}
_BEFORE_PROXY = "werkzeug.proxy_fix.orig"


def install_addresses(app: Flask, prefix: str) -> None:
    """Makes an app answer under a path, and believe a proxy on this machine by what address it was asked.

    Args:
        app: the app.
        prefix: the path before every address, such as ``/cards``; empty if there is none.
    """
    app.config["APPLICATION_ROOT"] = prefix or "/"  # also the path of the session's cookie
    app.wsgi_app = _BehindProxy(app.wsgi_app)  # type: ignore[method-assign]

    @app.after_request
    def name_no_host(response: Response) -> Response:
        """Leads on by paths alone, which are right even if a proxy does not tell the address (RFC 9110, 10.2.2)."""
        if response.location and response.location.startswith(request.host_url):
            response.location = response.location.removeprefix(request.host_url.removesuffix("/"))
        return response


def cookie_path() -> str:
    """The path for which this app sets cookies."""
    return request.script_root or "/"


def requested_host() -> str:
    """The host name in the address by which the visitor came, in small letters; empty if there is none."""
    return _host_name(request.host)


def requested_port() -> int | None:
    """The port in that address; None for the usual one of its scheme."""
    try:
        return split_url(f"//{request.host}").port
    except ValueError:
        return None


def requested_hosts() -> tuple[str, ...]:
    """The host names in everything that says by what address the visitor came; a script may set all but the last."""
    asked_of_us = request.environ.get(_BEFORE_PROXY, {}).get("HTTP_HOST")
    return requested_host(), _host_name(request.host if asked_of_us is None else asked_of_us)


def is_own_origin(origin: str) -> bool:
    """Whether the value of an ``Origin`` header is the host and port by which this request came."""
    sent_from = split_url(origin)
    asked_of = split_url(f"{sent_from.scheme}://{request.host}")
    try:
        ports = [one.port or _DEFAULT_PORTS.get(one.scheme) for one in (sent_from, asked_of)]
    except ValueError:  # no number, or too large a one
        return False
    return bool(sent_from.hostname) and sent_from.hostname == asked_of.hostname and ports[0] == ports[1]


def referring_page() -> str | None:
    """Path and query of the page that the visitor came from; None if it is none of ours."""
    page = split_url(request.referrer or "")
    path = page.path + (f"?{page.query}" if page.query else "")
    return path if page.hostname == requested_host() and is_own_path(path) else None


def is_own_path(path: str) -> bool:
    """Whether a path, with or without a query, leads to this app wherever a browser may stand."""
    root = f"{request.script_root}/"
    return path.startswith(root) and not path.startswith("//") and "\\" not in path and path.isprintable()


class _BehindProxy:
    """Takes scheme and host from ``X-Forwarded-Proto`` and ``X-Forwarded-Host`` if a proxy on this machine asks."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._told = ProxyFix(app, x_for=0, x_proto=1, x_host=1)  # who asks: ``sender_address``

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        app = self._told if is_loopback(environ.get("REMOTE_ADDR", "")) else self._app
        return app(environ, start_response)


def _host_name(host: str) -> str:
    return (split_url(f"//{host}").hostname or "").lower()
