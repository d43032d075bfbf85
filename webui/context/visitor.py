"""Who is at the page: the name somebody gave this device, or what kind of device it is."""

from __future__ import annotations

from flask import request, session

from webui.context.request_guard import this_device
from webui.context.services import services
from webui.storage.db.audit_log import AUTHOR
from webui.wording import tidy

_NAME = "who"
_DEVICES = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "an Android device"),
    ("Windows", "a Windows computer"),
    ("Macintosh", "a Mac"),
    ("Linux", "a Linux computer"),
)


def sign() -> None:
    """Every change of this request is logged under the visitor's name."""
    AUTHOR.set(who())


def who() -> str:
    """The visitor in words: ``Ann``, ``an iPhone``."""
    name = session.get(_NAME)
    if name:
        return str(name)
    agent = request.headers.get("User-Agent", "")
    return next((words for mark, words in _DEVICES if mark in agent), "a device")


def call_oneself(name: str) -> None:
    """Keeps who holds this device; nothing makes it a device again."""
    session[_NAME] = tidy(name)
    if device := this_device():
        services().store.devices.rename(device.id, who())
