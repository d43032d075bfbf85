"""The request guard: checks of every request before any page sees it.

They admit only devices that entered the access code, known host names, and changes that come from our own pages.
"""

from __future__ import annotations

from functools import partial

from flask import Flask, Response, abort, current_app, g, redirect, request, session, url_for
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from werkzeug.wrappers import Response as AnyResponse

from webui.access.addresses import is_own_origin, referring_page, requested_host, requested_hosts
from webui.access.callers import install_callers
from webui.access.network import (
    is_forwarded,
    is_ip_address,
    is_loopback,
    split_url,
    tells_sender,
)
from webui.context.guard.devices import is_local, table_device
from webui.context.guard.rights import Right, has_access, is_keeper, is_viewer, may_score, require_keeper, right_of
from webui.context.guard.table_devices import at_another_place, serves_table
from webui.context.responses.encrypted_redirect import encrypted_redirect
from webui.context.services import services, services_of
from webui.translation import _

_MAX_PUBLIC_BYTES, _MAX_FORM_BYTES = 16 * 1024, 1024 * 1024
"""Largest bodies of a request. A form that is not multipart is parsed at once and takes fifty times its size then."""
_SILENT_PROXY = (
    "A proxy in front of this page tells neither who asks nor by what address; let it pass both on (nginx: "
    "proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header Host $http_host;), as SECURITY.md shows."
)
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


def install_request_guard(app: Flask, hosts: tuple[str, ...]) -> None:
    """Installs the checks.

    In this order: a known host name, no data for other sites, an admitted device, and for every change the same
    origin and a CSRF token. A token cannot be had by another site, as its scripts cannot read our pages. A host name
    that is not ours is refused because of DNS rebinding: somebody else's name may point at this machine.

    Args:
        app: the app to guard.
        hosts: host names that this page answers to, besides IP addresses and ``localhost``.
    """
    app.config.update(WTF_CSRF_FIELD_NAME="token", WTF_CSRF_TIME_LIMIT=None, WTF_CSRF_CHECK_DEFAULT=False)
    app.config["WTF_CSRF_SSL_STRICT"] = False  # asks the Referer; ours is the Origin, which browsers always send
    csrf = CSRFProtect(app)
    install_callers(app, services_of(app).store.devices.is_out)

    app.before_request(partial(_check, csrf, frozenset(name.lower() for name in hosts)))
    app.after_request(_with_headers)
    app.jinja_env.globals.update(
        form_token=form_token,
        has_access=has_access,
        is_viewer=is_viewer,
        is_keeper=is_keeper,
        is_local=is_local,
        is_forwarded=lambda: is_forwarded(request),
        may_score=may_score,
    )


def _check(csrf: CSRFProtect, known_hosts: frozenset[str]) -> AnyResponse | None:
    """All checks of a request; what leads it elsewhere, None if it may go on."""
    for host in requested_hosts():
        if not (host == "localhost" or is_ip_address(host) or host in known_hosts):
            abort(
                400,
                f"This page does not answer to the name {host or '(none)'}; open it by its address, or start it "
                "with that --name.",
            )
    _refuse_cross_site()
    if leads_on := encrypted_redirect():
        return leads_on
    right = right_of(request.endpoint)
    if right is Right.PUBLIC:
        request.max_content_length = _MAX_PUBLIC_BYTES
    elif request.mimetype == "application/x-www-form-urlencoded":
        request.max_content_length = _MAX_FORM_BYTES
    if login := _require_login():
        return login
    if right is Right.LOCAL and not is_local():
        abort(403, _("You can only do this on the computer itself."))
    if right is Right.KEEPER:
        require_keeper()
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        origin = request.headers.get("Origin")
        if origin is not None and not is_own_origin(origin):
            abort(403, _foreign_origin(origin))
        if current_app.config["WTF_CSRF_ENABLED"]:
            _check_token(csrf)
    return None


def _with_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    if request.is_secure or is_loopback(requested_host()):  # browsers ignore it elsewhere, with a warning
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if response.mimetype == "text/html" or (request.endpoint != "static" and "Cache-Control" not in response.headers):
        response.headers["Cache-Control"] = "no-store"
    return response


def form_token() -> str:
    """The CSRF token that every form of this visitor carries."""
    session.permanent = True
    return str(generate_csrf())


def _refuse_cross_site() -> None:
    """Refuses what other sites load and frame; links from elsewhere are fine (W3C Fetch Metadata)."""
    headers = request.headers
    is_link = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest", "document") == "document"
    if headers.get("Sec-Fetch-Site") in ("cross-site", "same-site") and not is_link:
        abort(403, _("Another website asked for this, and it was not sent."))


def _require_login() -> AnyResponse | None:
    """A redirect to the login page for devices without access; None if the request may go on."""
    right = right_of(request.endpoint)
    if right is Right.PUBLIC or has_access():
        return None
    table = device.table if (device := table_device()) else None
    if table is not None and serves_table(services().store, table):
        g.at_table = True
        return None
    reads = request.method in ("GET", "HEAD")
    if reads and right is Right.VIEWER and services().access_code.secrets.open_to_viewers:
        return None
    if table is not None:
        return at_another_place(services().store, table)
    if is_loopback(request.remote_addr or "") and is_loopback(requested_host()) and not tells_sender(request):
        abort(403, _SILENT_PROXY)
    if "text/html" in request.headers.get("Accept", "text/html"):
        referrer = referring_page() or url_for("home.show")  # the page with the button, to press it once more
        target = request.script_root + request.full_path.removesuffix("?") if reads else referrer
        return redirect(url_for("login.show", to=target), 303)
    abort(403, _("This device has not joined yet. Open the first page and enter the code."))


def _foreign_origin(origin: str) -> str:
    """The sentence for a form that was sent from another address than the one it arrived by."""
    sent_from = split_url(origin).netloc
    if not sent_from:
        return _("This came from another website, so it was not done. Do it on the page itself.")
    return (
        f"This was sent from {sent_from}, but reached the page as {request.host}, and was not done; do it on the page "
        f"itself, or, if {sent_from} is this page, let the proxy in front of it pass the whole address on (nginx: "
        "proxy_set_header Host $http_host;)."
    )


def _check_token(csrf: CSRFProtect) -> None:
    try:
        csrf.protect()
    except CSRFError:
        abort(
            403,
            _("This page was open too long. Go back, reload it and try again."),
        )
