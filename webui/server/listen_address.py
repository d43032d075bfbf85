"""Takes a running server to another address of this machine, with everybody who is connected and may stay."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]

from webui.access.network import is_loopback
from webui.server.slow_clients import TimeoutChannel
from webui.server.waitress_server import sockets_of

_SECONDS = 10.0
"""For the server's loop to come to it; it turns at least once a second."""
_log = logging.getLogger(__name__)


def listen_at(server: Any, host: str) -> None:
    """Lets a server listen at another address, at the ports it has, plain or encrypted as they are.

    Its listeners are opened anew, since no socket may listen at all addresses beside one that listens at one of them.
    Connections stay; where the page is to be for this machine alone, those of all others are cut.

    Args:
        server: from ``webui.server.waitress_server.make_server``; its loop runs in another thread.
        host: an IPv4 address of this machine, or ``0.0.0.0`` for all of them.

    Raises:
        OSError: the address is not available, or the server is too busy; it listens where it did.
    """
    sockets = sockets_of(server)
    listeners = [one for one in sockets.values() if isinstance(one, TcpWSGIServer)]
    done: Future[None] = Future()

    def work() -> None:
        if not done.set_running_or_notify_cancel():
            return  # nobody waits any longer
        try:
            _listen_all(listeners, host)
            if is_loopback(host):
                for channel in [one for one in sockets.values() if isinstance(one, TimeoutChannel)]:
                    if not is_loopback(channel.addr[0]):
                        channel.cut()
            done.set_result(None)
        except Exception as error:  # it belongs to whoever waits, not to the loop
            done.set_exception(error)

    listeners[0].trigger.pull_trigger(work)
    try:
        done.result(_SECONDS)
    finally:
        done.cancel()
    _log.info("listens at %s now", host)


def _listen_all(listeners: Sequence[Any], host: str) -> None:
    before = [listener.socket.getsockname() for listener in listeners]
    try:
        for listener, (_, port) in zip(listeners, before, strict=True):
            _listen(listener, (host, port))
    except Exception:
        for listener, address in zip(listeners, before, strict=True):
            _listen(listener, address)
        raise


def _listen(listener: Any, address: tuple[str, int]) -> None:
    """Closes what a listener listens at, and lets it listen at a host and port."""
    with suppress(OSError):  # some systems know no such end of a socket that only listens
        listener.socket.shutdown(socket.SHUT_RDWR)
    wasyncore.dispatcher.close(listener)
    listener.create_socket(listener.family, listener.socktype)
    listener.set_reuse_addr()
    listener.bind(address)
    listener.effective_host, listener.effective_port = listener.getsockname()
    listener.accept_connections()
