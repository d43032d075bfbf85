"""Logging in: the access code or the link in the QR code admits a device; removing devices, changing the code."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.access.access_code import TooManyGuesses
from webui.access.addresses import is_own_path
from webui.access.network import sender_address
from webui.context.guard.devices import admit_device, current_device
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import has_access, keeper, local, public
from webui.context.services import services
from webui.context.visitor import new_device_name
from webui.storage.records import DeviceRecord
from webui.translation import _, ngettext

page = Blueprint("login", __name__)


@page.get("/enter")
@public
def show() -> str | Response:
    """The form that asks for the code."""
    return redirect(_target(), 303) if has_access() else _form()


@page.post("/enter")
@public
@idempotent
def enter_code() -> tuple[str, int] | Response:
    """Admits a device whose user entered the code."""
    access_code = services().access_code
    key_id = access_code.secrets.key_id  # before the code is compared, see _admit
    try:
        if has_access() or access_code.is_code(request.form.get("code", ""), sender_address(request)):
            return _admit(key_id)
    except TooManyGuesses:
        return _form(_("Too many wrong codes. Wait ten minutes, or scan the QR code on the main screen.")), 429
    return _form(_("That is not the code. Enter the six digits on the main screen.")), 403


@page.get("/enter/<key>")
@public
def enter_by_link(key: str) -> tuple[str, int] | Response:
    """Admits a device that opened the link in the QR code, or the keeper's link."""
    access_code = services().access_code
    secrets = access_code.secrets  # before the key is compared, see _admit
    if access_code.is_keeper_key(key):
        if (device := current_device()) and not device.keeper:
            services().store.devices.set_keeper(device.id, True)
        return _admit(secrets.keeper_key_id, keeper=True)
    if has_access() or access_code.is_key(key):
        return _admit(secrets.key_id)
    return _form(_("That QR code is old. Scan the one on the main screen now, or enter the code.")), 403


@page.post("/devices/<int:device_id>/remove")
@keeper
@idempotent
def remove_device(device_id: int) -> str | Response:
    """Removes a device, and those that it may have let in but for those that a person keeps by name.

    Its user knows the code, so the code changes too.
    """
    devices = services().store.devices
    found = next((device for device in devices.all() if device.id == device_id), None)
    others = _others_let_in(device_id)
    if found and others and "sure" not in request.form:
        return render_template("login/remove.html", device=found, others=others)
    kept = set(request.form.getlist("keep"))
    knew = [one for one in (found, *others) if one and str(one.id) not in kept]
    services().access_code.change(keeper_key=any(one.keeper for one in knew))
    # Asked again once the old way in is closed: none comes in between (see _admit).
    gone = [one for one in _others_let_in(device_id) if str(one.id) not in kept]
    devices.remove(device_id, *(one.id for one in gone))
    sentence = ngettext(
        "That device was removed, and there is a new code. The others stay.",
        "%(num)s devices were removed, and there is a new code. The others stay.",
        len(gone) + 1,
    )
    flash(sentence, "good")
    return redirect(url_for("follow.join"), 303)


@page.post("/devices/<int:device_id>/right")
@local
def set_keeper(device_id: int) -> Response:
    """Gives a device the right to look after the games, or takes it."""
    answer = request.form.get("right")
    if answer not in ("yes", "no"):
        abort(400, _("Choose whether this device can manage everything: yes or no. Go back and pick one."))
    if answer == "no":  # it may have seen the link of the terminal
        services().access_code.change_keeper_key()
    services().store.devices.set_keeper(device_id, answer == "yes")
    return redirect(url_for("follow.join"), 303)


@page.post("/devices/code")
@keeper
@idempotent
def change_code() -> Response:
    """Makes a new code and QR code."""
    services().access_code.change()
    flash(_("There is a new code and a new QR code. Devices that already joined stay."), "good")
    return redirect(url_for("follow.join"), 303)


@page.post("/devices/viewers")
@keeper
def allow_viewers() -> Response:
    """Allows others of the network to look on without the code, or forbids it."""
    answer = request.form.get("viewers")
    if answer not in ("yes", "no"):
        abort(400, _("Choose whether others can watch: yes or no. Go back and pick one."))
    services().access_code.set_open_to_viewers(answer == "yes")
    return redirect(url_for("follow.join"), 303)


@page.post("/devices/network")
@local
def open_to_network() -> Response:
    """Lets the other devices of the network come in by the code, or shuts them out, where there is the switch."""
    answer, network = request.form.get("open"), services().network
    if answer not in ("yes", "no"):
        abort(400, _("Choose whether phones are let in: yes or no. Go back and pick one."))
    if not network.exists:
        abort(400, _("How phones get in was said when the program was started, so it is not changed here."))
    try:
        network.turn(answer == "yes")
    except OSError as error:
        why = error.strerror or str(error)
        abort(
            503, _("This could not be changed (%(why)s). Stop the program, start it again and try once more.", why=why)
        )
    if answer == "no":
        flash(_("Phones are shut out now. Those that joined are remembered for the next time."), "good")
    return redirect(url_for("follow.join"), 303)


def _others_let_in(device_id: int) -> list[DeviceRecord]:
    """The devices that one may have let in, without the one that asks."""
    own = current_device()
    return [one for one in services().store.devices.came_with(device_id) if own is None or one.id != own.id]


def _admit(key_id: str, keeper: bool = False) -> Response:
    """Admits this visitor's device, unless its way in was closed meanwhile because somebody is being sent out."""
    if not has_access():
        admit_device(new_device_name(), key_id, keeper)
        secrets = services().access_code.secrets
        if (device := current_device()) and key_id not in (secrets.key_id, secrets.keeper_key_id):
            services().store.devices.remove(device.id)  # the code was changed while it came in
            abort(403, _("The code just changed. Open the first page and enter the new one."))
        flash(_("Welcome! This device has joined and is remembered."), "good")
    return redirect(_target(), 303)


def _form(sentence: str | None = None) -> str:
    return render_template("login/login.html", sentence=sentence, to=_target())


def _target() -> str:
    """The page that the visitor wanted, if it is one of ours; another site's URL would be an open redirect."""
    home, to = url_for("home.show"), request.values.get("to", "")
    ours = is_own_path(to) and not to.startswith(url_for("login.show"))
    return to if ours else home
