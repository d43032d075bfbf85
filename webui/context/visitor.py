"""The name of the visitor, under which changes are logged: typed on this device, or else the kind of device."""

from __future__ import annotations

from itertools import count

from flask import request, session

from webui.context.guard.devices import current_device, table_device
from webui.context.services import services
from webui.games.names import known_people
from webui.storage.db.audit_log import AUTHOR
from webui.translation import N_, _
from webui.wording import name_key, tidy

_SESSION_KEY = "who"
_DEVICES = (
    ("iPhone", N_("an iPhone")),
    ("iPad", N_("an iPad")),
    ("Android", N_("an Android device")),
    ("Windows", N_("a Windows computer")),
    ("Macintosh", N_("a Mac")),
    ("Linux", N_("a Linux computer")),
)
"""A part of the User-Agent header, and the device in words; the first that matches holds."""
_ANY_DEVICE = N_("a device")


def set_author() -> None:
    """Sets the author under which the changes of this request are logged."""
    AUTHOR.set(visitor_name())


def visitor_name() -> str:
    """``Ann``, ``an iPhone``; ``table 3`` or ``Ann (table 3)`` for a device that scores one table of an event.

    What a table typed as its name cannot pass for somebody else in the history.
    """
    name = session.get(_SESSION_KEY)
    if (device := table_device()) is not None and device.table is not None:
        at = f"table {device.table[1]}"
        return f"{name} ({at})" if name else at
    if name:
        return str(name)
    agent = request.headers.get("User-Agent", "")
    kind = _(next((device for part, device in _DEVICES if part in agent), _ANY_DEVICE))
    joined = current_device()
    return joined.name if joined is not None and _unnumbered(joined.name) == kind else kind


def new_device_name() -> str:
    """The visitor's name as that of a device that joins: ``an iPhone 2`` for a second one that nobody named."""
    name, taken = visitor_name(), {device.name for device in services().store.devices.all()}
    if session.get(_SESSION_KEY) or name not in taken:
        return name
    return next(numbered for number in count(2) if (numbered := f"{name} {number}") not in taken)


def _unnumbered(name: str) -> str:
    return name.rstrip(" 0123456789")


def set_visitor_name(name: str) -> None:
    """Remembers who uses this device; an empty name forgets it."""
    session[_SESSION_KEY] = tidy(name)
    if device := current_device():
        services().store.devices.rename(device.id, visitor_name())


def known_names() -> list[str]:
    """Names to suggest: of people who played before, most frequent first, then those typed on devices that joined."""
    store = services().store
    names = {name_key(name): name for name in known_people(store.counted_games())}
    kinds = [kind for _part, kind in _DEVICES] + [_ANY_DEVICE]
    unnamed = {*kinds, *map(_, kinds)}
    for device in store.devices.all():
        if device.table is None and _unnumbered(device.name) not in unnamed:
            names.setdefault(name_key(device.name), device.name)
    return list(names.values())
