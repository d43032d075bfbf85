"""A PostgreSQL server that falls silent: a relay before it that stops passing anything on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.webui.helpers.postgres import Cluster


class Relay:
    """A TCP relay to a server's socket. While it is silent it takes connections and bytes in and passes none on."""

    def __init__(self, cluster: Cluster) -> None:
        self._target = str(cluster.folder / ".s.PGSQL.5432")
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"postgresql://club@127.0.0.1:{self._listener.getsockname()[1]}/postgres"

    def silence(self) -> None:
        self._flows.clear()

    def resume(self) -> None:
        """Passes on what was held back, and everything from now on."""
        self._flows.set()

    def close(self) -> None:
        self._flows.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self._open.append(near)
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self._flows.wait()
        with suppress(OSError):
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._target)
            self._open.append(far)
            threading.Thread(target=self._pass_on, args=(far, near), daemon=True).start()
            self._pass_on(near, far)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed(cluster: Cluster) -> Iterator[Relay]:
    relay = Relay(cluster)
    try:
        yield relay
    finally:
        relay.close()
