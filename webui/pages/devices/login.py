"""The door: a code or a square to scan lets a device in, and the list of those let in says who is to go."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.access.access_code import TooManyGuesses
from webui.context.request_guard import is_in, let_in
from webui.context.services import services
from webui.context.visitor import who

page = Blueprint("door", __name__)


@page.get("/enter")
def enter() -> str | Response:
    """Asks for the code."""
    return redirect(_target(), 303) if is_in() else _ask()


@page.post("/enter")
def take_in() -> tuple[str, int] | Response:
    """Lets in who knows the code."""
    try:
        if is_in() or services().access_code.opens(request.form.get("code", ""), request.remote_addr or ""):
            return _welcome()
    except TooManyGuesses:
        return _ask("Too many codes were tried. Wait ten minutes, or scan the square on the table's screen."), 429
    return _ask("That is not the code. It has six digits and stands on the table's first screen."), 403


@page.get("/enter/<key>")
def scan(key: str) -> tuple[str, int] | Response:
    """Lets in who scanned the square."""
    if is_in() or services().access_code.scanned(key):
        return _welcome()
    return _ask("That square has been changed since. Scan the one that the table shows now, or enter its code."), 403


@page.post("/devices/<int:device_id>/remove")
def remove(device_id: int) -> Response:
    """Lets a device in no more. It knows the code, so there is a new one."""
    kept = services()
    kept.store.devices.remove(device_id)
    kept.access_code.change_code()
    flash("That device is out, and there is a new code. All others stay in.", "good")
    return redirect(url_for("screens.join"), 303)


@page.post("/devices/code")
def change_code() -> Response:
    services().access_code.change_code()
    flash("There is a new code and a new square. Devices that are in stay in.", "good")
    return redirect(url_for("screens.join"), 303)


@page.post("/devices/viewers")
def let_look() -> Response:
    """Lets others of the network look on without the code, or no more."""
    answer = request.form.get("viewers")
    if answer not in ("yes", "no"):
        abort(400, "Say whether others may look on, yes or no; go back and choose one.")
    services().access_code.open_to_viewers(answer == "yes")
    return redirect(url_for("screens.join"), 303)


def _welcome() -> Response:
    if not is_in():
        let_in(who())
        flash("Welcome. This device is in, and stays in.", "good")
    return redirect(_target(), 303)


def _ask(sentence: str | None = None) -> str:
    return render_template("door/enter.html", sentence=sentence, to=_target())


def _target() -> str:
    """Where the visitor wanted to go: a page of ours, never another site's."""
    to = request.values.get("to", "/")
    ours = to.startswith("/") and not to.startswith(("//", "/enter")) and "\\" not in to and to.isprintable()
    return to if ours else "/"
