"""Logging in: the access code or the link in the QR code admits a device; removing devices, changing the code."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.access.access_code import TooManyGuesses
from webui.access.network import sender_address
from webui.context.once import once
from webui.context.request_guard import admit_device, has_access
from webui.context.services import services
from webui.context.visitor import visitor_name

page = Blueprint("login", __name__)


@page.get("/enter")
def show() -> str | Response:
    """The form that asks for the code."""
    return redirect(_target(), 303) if has_access() else _form()


@page.post("/enter")
@once
def enter_code() -> tuple[str, int] | Response:
    """Admits a device whose user entered the code."""
    code, address = request.form.get("code", ""), sender_address(request)
    try:
        if has_access() or services().access_code.is_code(code, address):
            return _admit()
    except TooManyGuesses:
        return _form("Too many codes were tried. Wait ten minutes, or scan the square on the table's screen."), 429
    return _form("That is not the code. It has six digits and stands on the table's first screen."), 403


@page.get("/enter/<key>")
def enter_by_link(key: str) -> tuple[str, int] | Response:
    """Admits a device that opened the link in the QR code."""
    if has_access() or services().access_code.is_key(key):
        return _admit()
    return _form("That square has been changed since. Scan the one that the table shows now, or enter its code."), 403


@page.post("/devices/<int:device_id>/remove")
@once
def remove_device(device_id: int) -> Response:
    """Removes a device. Its user knows the code, so the code changes too."""
    services().store.devices.remove(device_id)
    services().access_code.change()
    flash("That device is out, and there is a new code. All others stay in.", "good")
    return redirect(url_for("follow.join"), 303)


@page.post("/devices/code")
@once
def change_code() -> Response:
    """Makes a new code and QR code."""
    services().access_code.change()
    flash("There is a new code and a new square. Devices that are in stay in.", "good")
    return redirect(url_for("follow.join"), 303)


@page.post("/devices/viewers")
def allow_viewers() -> Response:
    """Allows others of the network to look on without the code, or forbids it."""
    answer = request.form.get("viewers")
    if answer not in ("yes", "no"):
        abort(400, "Say whether others may look on, yes or no; go back and choose one.")
    services().access_code.set_open_to_viewers(answer == "yes")
    return redirect(url_for("follow.join"), 303)


def _admit() -> Response:
    if not has_access():
        admit_device(visitor_name())
        flash("Welcome. This device is in, and stays in.", "good")
    return redirect(_target(), 303)


def _form(sentence: str | None = None) -> str:
    return render_template("login/login.html", sentence=sentence, to=_target())


def _target() -> str:
    """The page that the visitor wanted, if it is one of ours; another site's URL would be an open redirect."""
    to = request.values.get("to", "/")
    ours = to.startswith("/") and not to.startswith(("//", "/enter")) and "\\" not in to and to.isprintable()
    return to if ours else "/"
