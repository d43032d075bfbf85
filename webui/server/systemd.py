"""Tells systemd that the page is ready and still answers, so that a page that hangs is restarted.

The protocol is sd_notify(3): lines of text to the socket in NOTIFY_SOCKET, ``READY=1`` once, then ``WATCHDOG=1`` at
least every WATCHDOG_USEC microseconds. Without systemd nothing is sent.
"""

from __future__ import annotations

import os
import socket
import threading
import urllib.error
import urllib.request

from webui.whole_numbers import whole_number

_TIMEOUT = 10.0


def notify_systemd(message: str) -> bool:
    """Sends one message; returns whether systemd listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(message.encode(), address)
    except OSError:
        return False
    return True


def start_watchdog(url: str) -> threading.Event:
    """Reports that the page is ready, then from a thread again and again that it answers.

    Args:
        url: is requested each time; if there is no answer, systemd gets no message.

    Returns:
        An event that ends the thread when it is set.
    """
    stop = threading.Event()
    notify_systemd("READY=1")
    if microseconds := whole_number(os.environ.get("WATCHDOG_USEC", "")):
        interval = microseconds / 1e6 / 3
        threading.Thread(target=_watch, args=(url, interval, stop), name="watchdog", daemon=True).start()
    return stop


def _watch(url: str, interval: float, stop: threading.Event) -> None:
    while not stop.wait(interval):
        try:
            with urllib.request.urlopen(url, timeout=_TIMEOUT):
                answered = True
        except urllib.error.HTTPError:
            answered = True  # an error page is an answer too
        except OSError:
            answered = False
        if answered:
            notify_systemd("WATCHDOG=1")
