"""Who sent a request: this machine itself, a device that was let in, one of a table of an event, or a stranger."""

from __future__ import annotations

from flask import g, request, session

from webui.access.addresses import requested_host
from webui.access.callers import SESSION_KEY
from webui.access.network import client_network, is_local_request, sender_address
from webui.context.services import services
from webui.storage.records import DeviceRecord


def is_local() -> bool:
    """Whether this request was made on this machine itself."""
    return is_local_request(request, requested_host())


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


def admit_device(name: str, key_id: str, keeper: bool = False, table: tuple[int, int] | None = None) -> None:
    """Gives this visitor's device access from now on; the arguments are those of ``Devices.add``."""
    session[SESSION_KEY] = services().store.devices.add(name, key_id, keeper, table)
    session.permanent = True
    g.pop("device", None)
