"""The screen of this machine: whether it has one, and showing the page on it."""

from __future__ import annotations

import os
import socket
import sys
import time
import webbrowser

from webui.access.network import split_url

_PATIENCE = 20.0
"""Seconds in which a page that is just being started must answer."""


def has_screen() -> bool:
    """Whether a browser that is opened here is seen by whoever started this: not over SSH, nor without a display."""
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        return False
    is_desktop = sys.platform in ("win32", "darwin")
    return is_desktop or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show_page(address: str) -> None:
    """Opens a page in this machine's browser, where somebody sits at a terminal before it."""
    if sys.stdout.isatty() and has_screen():
        webbrowser.open(address)


def wait_for_page(address: str) -> None:
    """Waits until a page answers that another process has begun to serve, but not for long."""
    end, place = time.monotonic() + _PATIENCE, split_url(address)
    while time.monotonic() < end:
        try:
            socket.create_connection((place.hostname or "localhost", place.port or 80), 1.0).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
