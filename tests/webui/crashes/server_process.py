"""The server in a forked process, which starts quickly and can be killed."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.webui.helpers.drawn import DrawnReader
from tests.webui.test_cli import free_port
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import Reader, ReaderService
from webui.server.shutdown import RequestCounter, run_until_stopped
from webui.server.stop_signals import StopSignals
from webui.server.waitress_server import make_server
from webui.settings import Settings
from webui.storage.errors import StorageError

_REFUSED_START = 3


class ServerProcess:
    """One run of the server on a data folder.

    Args:
        folder: the data folder.
        address: the address of a PostgreSQL database, None for SQLite.
        read: creates the reader.
    """

    def __init__(self, folder: Path, address: str | None, read: Callable[[], Reader] = DrawnReader) -> None:
        self.port = free_port()
        fork = multiprocessing.get_context("fork")
        self._process = fork.Process(target=_serve, args=(folder, address, self.port, read), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def wait(self) -> bool:
        """Waits until the server answers. Returns False where it refused to start, with a sentence."""
        for _ in range(3000):
            if not self._process.is_alive():
                assert self._process.exitcode == _REFUSED_START, f"the page ended with {self._process.exitcode}"
                return False
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return True
            time.sleep(0.02)
        raise AssertionError("the page does not answer")

    def stop(self) -> int | None:
        """Stops it with SIGTERM. Returns the exit code."""
        os.kill(self.pid, signal.SIGTERM)
        self._process.join(60)
        return self._process.exitcode

    def kill(self) -> None:
        """Kills it with SIGKILL."""
        os.kill(self.pid, signal.SIGKILL)
        self._process.join()


def _serve(folder: Path, address: str | None, port: int, read: Callable[[], Reader]) -> None:
    logging.disable()
    try:
        settings = Settings(folder, camera=str(folder / "no-camera"), database=address)
        app = create_app(settings, ReaderService(read))
        server = make_server(app, "127.0.0.1", port)
        services_of(app).photo_queue.resume()
        stop = StopSignals()
        stop.note()
        run_until_stopped(server, RequestCounter(app), stop)
    except StorageError as error:
        print(f"handfoot: {error}", file=sys.stderr, flush=True)
        os._exit(_REFUSED_START)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
