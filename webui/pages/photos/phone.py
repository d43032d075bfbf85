"""A phone or tablet as the table camera: the page on which its browser takes pictures, and where it sends them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from vision.cameras.phone import MAILBOX
from webui.access.addresses import requested_host
from webui.access.network import is_loopback
from webui.context.guard.rights import access_check
from webui.context.invitation import encrypted_address, own_fingerprint
from webui.context.services import services
from webui.context.visitor import visitor_name
from webui.translation import _

page = Blueprint("phone", __name__, url_prefix="/camera/phone")

MAX_PICTURE_BYTES = 4 * 1024 * 1024
"""Of a picture of 1280 pixels, which has some 300 KB; a still may have as much as any photo."""
_LARGEST_SIDE = 20_000


@page.get("/")
def show() -> str:
    """The page of the device itself; browsers hand over their camera only where it came encrypted or from itself."""
    return render_template(
        "camera/phone.html",
        secure=request.is_secure or is_loopback(requested_host()),
        encrypted=encrypted_address(),
        fingerprint=own_fingerprint(),
    )


@page.get("/aim")
def aim() -> str:
    """The dialog in which a device takes one photo; a script shows it over the page that the photo is for."""
    return render_template("camera/aim.html")


@page.post("/start")
def start() -> dict[str, Any]:
    """Makes this device the table camera. Answers its key, or which device is in the way."""
    phone = services().camera.phone
    sides = request.form.get("width", 0, type=int), request.form.get("height", 0, type=int)
    still = sides if all(0 < side < _LARGEST_SIDE for side in sides) else None
    key = phone.begin(visitor_name(), still, "over" in request.form, access_check())
    if key is None:
        return {"key": None, "other": phone.in_use.name if phone.in_use else ""}
    return {"key": key}


@page.post("/frame/<key>")
def frame(key: str) -> dict[str, Any]:
    """Takes the next picture (JPEG) of this device, with ``still`` the still that was wanted, or with ``paused`` word
    that its camera stands still.

    Answers after how many milliseconds the next is wanted, and whether a still is; or that this device is not the
    table camera, with who is, and whether it was stopped.
    """
    is_still, rests = "still" in request.args, "paused" in request.args
    data = request.get_data(cache=False)
    if not is_still and len(data) > MAX_PICTURE_BYTES:
        abort(413)
    if not (rests or data.startswith(b"\xff\xd8\xff")):
        abort(400, _("This is not a picture from a camera. Reload the page and start again."))
    phone = services().camera.phone
    if not (phone.pause(key) if rests else phone.put(key, data, is_still)):
        return {"over": True, "other": phone.in_use.name if phone.in_use else None, "stopped": phone.was_stopped(key)}
    return {"over": False, "pause": round(1000 * MAILBOX.pause), "still": MAILBOX.wants_still}


@page.post("/stop/<key>")
def stop(key: str) -> dict[str, Any]:
    """This device is the table camera no more."""
    services().camera.phone.end(key)
    return {}


@page.post("/stop")
def stop_any() -> Response:
    """Somebody stops the phone that is the table camera."""
    services().camera.phone.end()
    flash(_("That device is no longer the table camera."), "good")
    return redirect(url_for("camera.show"), 303)
