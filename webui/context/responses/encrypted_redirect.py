"""Leads other devices from the page without encryption to the encrypted one, where there is one."""

from __future__ import annotations

from flask import make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from webui.access.addresses import requested_host
from webui.access.network import is_loopback
from webui.context.invitation import encrypted_base, own_fingerprint
from webui.context.services import services

_GO_ON = frozenset({"static", "health.healthz"})
"""Endpoints that hold nothing of anybody."""


def encrypted_redirect() -> Response | None:
    """Answers a request of another device that came without encryption; None if it may go on.

    Code, cookies and pictures are to cross the network encrypted only. A page says so and leads on, since the browser
    warns of an own certificate, which would frighten whoever were sent there at once; to a given one, it is sent on.
    This machine itself, and a proxy on it, go on without: nothing of theirs crosses the network here.
    """
    if (
        services().settings.https_port is None
        or request.is_secure
        or is_loopback(request.remote_addr or "")
        or request.endpoint in _GO_ON
    ):
        return None
    host = requested_host()
    base = encrypted_base(f"[{host}]" if ":" in host else host)
    reads = request.method in ("GET", "HEAD")
    address = base + request.script_root + (request.full_path.removesuffix("?") if reads else "/")
    fingerprint = own_fingerprint()
    if reads and fingerprint is None:
        return redirect(address, 307)
    return make_response(
        render_template("encrypted_redirect.html", address=address, fingerprint=fingerprint), 200 if reads else 403
    )
