"""Who may talk to the page: devices that were let in, no other site through a visitor's browser, nobody under a
borrowed name."""

from __future__ import annotations

from flask import Flask, Response, abort, current_app, g, redirect, request, session, url_for
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from werkzeug.wrappers import Response as AnyResponse

from webui.access.network import comes_from_here, is_address, is_here_alone, neighbour, split_address
from webui.context.services import services
from webui.storage.records import DeviceRecord

_DEVICE = "device"
_OPEN = frozenset({"static", "door.enter", "door.take_in", "door.scan", "health.healthz"})
"""What everybody gets: the door itself, what it looks like, and whether the page works."""
_LOOKING = frozenset(
    {
        *("home.show", "game.show", "round.tally", "statistics.show", "display.show"),
        *("screens.television", "screens.live", "screens.version"),
        *("pictures.view", "pictures.card"),
    }
)
"""What those get who look on without the code, where that is allowed; nothing else, and no change at all."""
_MOST_AT_THE_DOOR, _MOST_OF_A_FORM = 16 * 1024, 1024 * 1024
"""Bytes; a form that is not sent in parts is taken apart all at once, and takes fifty times as much memory then."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def guard(app: Flask, hosts: tuple[str, ...]) -> None:
    """Installs the checks, in this order: a known host name, nothing for another site, a device that was let in, and
    on every change the same origin and the form's token.

    A request from another site carries no token, since its scripts cannot read our pages; a name that somebody else
    made point at this machine is refused, so that their page never counts as ours.
    """
    app.config.update(WTF_CSRF_FIELD_NAME="token", WTF_CSRF_TIME_LIMIT=None, WTF_CSRF_CHECK_DEFAULT=False)
    tokens = CSRFProtect(app)
    known = frozenset(name.lower() for name in hosts)

    @app.before_request
    def check() -> AnyResponse | None:
        host = _asked_host()
        if not (host == "localhost" or is_address(host) or host in known):
            abort(
                400,
                f"This page does not answer to the name {host or '(none)'}; open it by its address, or start it with "
                "that --name.",
            )
        _refuse_other_sites()
        if request.endpoint in _OPEN:
            request.max_content_length = _MOST_AT_THE_DOOR
        elif request.mimetype == "application/x-www-form-urlencoded":
            request.max_content_length = _MOST_OF_A_FORM
        if turned_away := _at_the_door():
            return turned_away
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            origin = request.headers.get("Origin")
            if origin is not None and split_address(origin).netloc != request.host:
                abort(403, "This came from another site and was not done; do it on the page itself.")
            if current_app.config["WTF_CSRF_ENABLED"]:
                _check_token(tokens)
        return None

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(_HEADERS)
        if request.is_secure or is_here_alone(_asked_host()):  # elsewhere browsers take no notice of it, and say so
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        if response.mimetype == "text/html":
            response.headers["Cache-Control"] = "no-store"
        return response

    app.jinja_env.globals.update(form_token=form_token, is_in=is_in, looks_on=looks_on)


def form_token() -> str:
    """The token that every form of this visitor carries."""
    session.permanent = True
    return str(generate_csrf())


def is_in() -> bool:
    """Whether this visitor may do everything: it sits at this machine, or its device was let in."""
    return is_here() or this_device() is not None


def is_here() -> bool:
    """Whether this visitor sits at this machine itself."""
    return comes_from_here(request, _asked_host())


def looks_on() -> bool:
    """Whether this page is shown to somebody who may look and change nothing."""
    return request.endpoint in _LOOKING and services().access_code.secrets.open_to_viewers and not is_in()


def this_device() -> DeviceRecord | None:
    """The device that was let in and asks just now, None where it is this machine itself or a stranger."""
    if "device" not in g:
        g.device = None  # where looking it up fails, the page that says so asks again
        secret = session.get(_DEVICE)
        if isinstance(secret, str):
            g.device = services().store.devices.find(secret)
    found: DeviceRecord | None = g.device
    return found


def this_guest() -> str | None:
    """What tells this device of the network from others; None where it is this machine itself."""
    if is_here():
        return None
    device = this_device()
    return f"device {device.id}" if device else neighbour(request.remote_addr or "")


def let_in(name: str) -> None:
    """Lets this visitor's device in from now on."""
    session[_DEVICE] = services().store.devices.add(name)
    session.permanent = True
    g.pop("device", None)


def _asked_host() -> str:
    return (split_address(f"//{request.host}").hostname or "").lower()


def _refuse_other_sites() -> None:
    """Pictures, streams and data are for our own pages; a link from elsewhere may lead here (Fetch Metadata, W3C)."""
    headers = request.headers
    if headers.get("Sec-Fetch-Site") == "cross-site" and headers.get("Sec-Fetch-Mode") != "navigate":
        abort(403, "This was asked for by another site and is not given to it.")


def _at_the_door() -> AnyResponse | None:
    """Sends those to the door who were not let in; None where they may come by."""
    if request.endpoint in _OPEN or is_in():
        return None
    looks = request.method in ("GET", "HEAD")
    if looks and request.endpoint in _LOOKING and services().access_code.secrets.open_to_viewers:
        return None
    if "text/html" in request.headers.get("Accept", "text/html"):
        came_from = split_address(request.referrer or "").path or "/"  # the page with the button, once they are in
        wanted = request.full_path.removesuffix("?") if looks else came_from
        return redirect(url_for("door.enter", to=wanted), 303)
    abort(403, "This device has not been let in yet; open the first page and enter the code of the table.")


def _check_token(tokens: CSRFProtect) -> None:
    try:
        tokens.protect()
    except CSRFError:
        abort(
            403,
            "This page was open for too long or came from elsewhere; go back, load it again and repeat the step.",
        )
