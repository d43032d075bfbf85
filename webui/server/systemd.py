"""Tells systemd that the page is up and still answers, so that a page that hangs is started anew.

The protocol is sd_notify(3): lines of text to the socket that NOTIFY_SOCKET names, ``READY=1`` once, and ``WATCHDOG=1``
at least every WATCHDOG_USEC microseconds. Without systemd nothing is sent.
"""

from __future__ import annotations

import os
import socket
import threading
import urllib.error
import urllib.request

_PATIENCE = 10.0


def tell_systemd(message: str) -> bool:
    """Sends one message; whether there was anybody to send it to."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # a socket without a file
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(message.encode(), address)
    except OSError:
        return False
    return True


def keep_watchdog(page: str) -> threading.Event:
    """Says that the page is ready, then again and again that it answers, from a thread of its own.

    Args:
        page: an address that is asked for each time; where it does not answer, systemd hears nothing.

    Returns:
        An event that ends it when it is set.
    """
    stop = threading.Event()
    tell_systemd("READY=1")
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    if microseconds.isdecimal() and int(microseconds):
        every = int(microseconds) / 1e6 / 3
        threading.Thread(target=_watch, args=(page, every, stop), name="watchdog", daemon=True).start()
    return stop


def _watch(page: str, every: float, stop: threading.Event) -> None:
    while not stop.wait(every):
        try:
            with urllib.request.urlopen(page, timeout=_PATIENCE):
                answered = True
        except urllib.error.HTTPError:
            answered = True  # it said something, and that is enough
        except OSError:
            answered = False
        if answered:
            tell_systemd("WATCHDOG=1")
