"""The request guard: checks of every request before any page sees it.

They admit only devices that entered the access code, known host names, and changes that come from our own pages.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, abort, current_app, g, redirect, request, session, url_for
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from werkzeug.wrappers import Response as AnyResponse

from webui.access.addresses import is_own_origin, referring_page, requested_host, requested_hosts
from webui.access.callers import SESSION_KEY, install_callers
from webui.access.network import (
    client_network,
    is_forwarded,
    is_ip_address,
    is_local_request,
    is_loopback,
    sender_address,
    split_url,
    tells_sender,
)
from webui.context.responses.moved import moved_to_encrypted
from webui.context.services import services, services_of
from webui.context.table_devices import at_another_place, plays_there, serves_table
from webui.storage.errors import StorageError
from webui.storage.records import DeviceRecord
from webui.translation import _

_PUBLIC = frozenset(
    {"static", "login.show", "login.enter_code", "login.enter_by_link", "health.healthz", "tables.enter"}
)
"""Endpoints for everybody: the login page with its styles, whether the service works, private addresses of tables."""
_VIEWER_PAGES = frozenset(
    {
        *("home.show", "game.show", "round.tally", "statistics.show", "appearance.show"),
        *("players.show", "players.person", "league.show", "share.show", "share.picture"),
        *("follow.television", "follow.live", "follow.version"),
        *("table_now.show", "table_now.live", "table_now.version", "sign.show"),
        *("pictures.view", "pictures.card"),
        *("results.show", "results.screen", "results.card", "results.version", "results.live"),
    }
)
"""Endpoints that viewers without the code may read, if viewers are allowed. They may change nothing."""
_KEEPER_PAGES = frozenset(
    {
        *("backups.show", "backups.back_up", "backups.export_all", "backups.restore_missing"),
        *("backups.import_file", "backups.accept_damage", "export.all_csv", "export.all_json"),
        *("decks.import_file", "decks.remove_for_good", "learned.forget", "learn.start", "learn.cancel"),
        *("login.remove_device", "login.change_code", "login.allow_viewers"),
        *("evenings.new", "evenings.create", "evenings.rehearse"),
        *("evening.enter", "evening.leave", "evening.draw", "evening.draw_from_hat"),
        *("evening.swap",),
        *("evening.confirm", "evening.release", "evening.decide_cut", "evening.decide_order", "evening.decide_winner"),
        *("evening.take_break", "evening.set_state", "evening.delete_rehearsal", "evening.helped", "evening.undo"),
        *("hall.show", "hall.check_in", "hall.take_off_absent", "hall.set_clock"),
        *("roster.show", "roster.rename", "roster.substitute", "roster.come_back", "roster.adjust", "roster.take_back"),
        *("tables.cards", "tables.revoke", "players.join", "players.part"),
    }
)
"""Endpoints for this machine itself and for devices that it gave that right; others that were let in play and mend."""
_LOCAL_PAGES = frozenset({"login.set_keeper", "login.open_to_network"})
"""Endpoints for this machine itself alone, so that no device passes on a right or opens the way for others."""
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
    known_hosts = frozenset(name.lower() for name in hosts)
    install_callers(app, services_of(app).store.devices.is_out)

    @app.before_request
    def check() -> AnyResponse | None:
        for host in requested_hosts():
            if not (host == "localhost" or is_ip_address(host) or host in known_hosts):
                abort(
                    400,
                    f"This page does not answer to the name {host or '(none)'}; open it by its address, or start it "
                    "with that --name.",
                )
        _refuse_cross_site()
        if moved := moved_to_encrypted():
            return moved
        if request.endpoint in _PUBLIC:
            request.max_content_length = _MAX_PUBLIC_BYTES
        elif request.mimetype == "application/x-www-form-urlencoded":
            request.max_content_length = _MAX_FORM_BYTES
        if login := _require_login():
            return login
        if request.endpoint in _LOCAL_PAGES and not is_local():
            abort(403, _("You can only do this on the computer itself."))
        if request.endpoint in _KEEPER_PAGES:
            require_keeper()
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            origin = request.headers.get("Origin")
            if origin is not None and not is_own_origin(origin):
                abort(403, _foreign_origin(origin))
            if current_app.config["WTF_CSRF_ENABLED"]:
                _check_token(csrf)
        return None

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(_HEADERS)
        if request.is_secure or is_loopback(requested_host()):  # browsers ignore it elsewhere, with a warning
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        if response.mimetype == "text/html" or (
            request.endpoint != "static" and "Cache-Control" not in response.headers
        ):
            response.headers["Cache-Control"] = "no-store"
        return response

    app.jinja_env.globals.update(
        form_token=form_token,
        has_access=has_access,
        is_viewer=is_viewer,
        is_keeper=is_keeper,
        is_local=is_local,
        is_forwarded=lambda: is_forwarded(request),
        may_score=may_score,
    )


def form_token() -> str:
    """The CSRF token that every form of this visitor carries."""
    session.permanent = True
    return str(generate_csrf())


def has_access() -> bool:
    """Whether this visitor may do everything: the browser runs on this machine, or its device was admitted."""
    return is_local() or current_device() is not None


def is_keeper() -> bool:
    """Whether this visitor may also look after the games: backups, exports, who is in."""
    return is_local() or ((device := current_device()) is not None and device.keeper)


def require_keeper() -> None:
    """Refuses visitors who only play."""
    if not is_keeper():
        abort(
            403,
            _(
                "You can only do this on the computer itself, or on a device that manages everything (see "
                "Join). Go back to the games."
            ),
        )


def access_check() -> Callable[[], bool]:
    """Tells whether the visitor of this request still has the access that it asked with.

    To be called again and again by answers that go on for long, from any thread: being sent out ends them too.
    """
    kept, keeper = services(), request.endpoint in _KEEPER_PAGES
    device = current_device() or (table_device() if g.get("at_table") else None)
    game_id = (request.view_args or {}).get("game_id")
    if is_local():
        return lambda: True

    def check() -> bool:
        if device is None:
            return kept.access_code.secrets.open_to_viewers
        try:
            if device.table and game_id and not plays_there(kept.store, device.table, game_id):
                return False
            return kept.store.devices.has(device.id, keeper, device.table)
        except StorageError:
            return True  # asked again in a second; a download that ended now would pass for a whole file

    return check


def is_local() -> bool:
    """Whether this request was made on this machine itself."""
    return is_local_request(request, requested_host())


def is_viewer() -> bool:
    """Whether this page is shown to a viewer, who may read and change nothing."""
    return request.endpoint in _VIEWER_PAGES and services().access_code.secrets.open_to_viewers and not may_score()


def may_score() -> bool:
    """Whether this visitor may change the game of this page: as everybody who joined, or as a device of its table."""
    return has_access() or bool(g.get("at_table"))


def current_device() -> DeviceRecord | None:
    """The admitted device that sent this request; None for this machine itself and for strangers."""
    device = _known_device()
    return device if device is not None and device.table is None else None


def table_device() -> DeviceRecord | None:
    """The device that sent this request, if it was let in for one table of an event alone."""
    device = _known_device()
    return device if device is not None and device.table is not None else None


def _known_device() -> DeviceRecord | None:
    if "device" not in g:
        g.device = None  # if the lookup fails, the error page asks again and must not fail too
        secret = session.get(SESSION_KEY)
        if isinstance(secret, str):
            g.device = services().store.devices.find(secret)
    device: DeviceRecord | None = g.device
    return device


def client_id() -> str | None:
    """An identifier of the client for quotas; None for this machine itself."""
    if is_local():
        return None
    device = _known_device()
    return f"device {device.id}" if device else client_network(sender_address(request))


def admit_device(name: str, square: str, keeper: bool = False, table: tuple[int, int] | None = None) -> None:
    """Gives this visitor's device access from now on; the arguments are those of ``Devices.add``."""
    session[SESSION_KEY] = services().store.devices.add(name, square, keeper, table)
    session.permanent = True
    g.pop("device", None)


def _refuse_cross_site() -> None:
    """Refuses what other sites load and frame; links from elsewhere are fine (W3C Fetch Metadata)."""
    headers = request.headers
    is_link = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest", "document") == "document"
    if headers.get("Sec-Fetch-Site") in ("cross-site", "same-site") and not is_link:
        abort(403, _("Another website asked for this, and it was not sent."))


def _require_login() -> AnyResponse | None:
    """A redirect to the login page for devices without access; None if the request may go on."""
    if request.endpoint in _PUBLIC or has_access():
        return None
    table = device.table if (device := table_device()) else None
    if table is not None and serves_table(services().store, table):
        g.at_table = True
        return None
    reads = request.method in ("GET", "HEAD")
    if reads and request.endpoint in _VIEWER_PAGES and services().access_code.secrets.open_to_viewers:
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
