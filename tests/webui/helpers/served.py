"""Serves the page as ``handfoot serve`` does, with a reader of the caller's choice.

Arguments: data folder, port, ``drawn``, ``seeing``, ``shipped`` or the readings of a film, the camera (default: the
first one), and the host that it is to know itself by (default: this machine alone).
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from flask import Flask
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

from scorer.deck import use_deck_folder
from scorer.rules import use_folder
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.filmed import FilmedReader
from tests.webui.helpers.seeing import SeeingReader
from webui.access.certificate import Certificate
from webui.app import create_app
from webui.cli import main
from webui.commands import serve
from webui.context.services import services_of
from webui.context.warmup import start_warm_up
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import Reader, ReaderService
from webui.server.shutdown import RequestCounter, run_until_stopped
from webui.server.stop_signals import StopSignals
from webui.server.waitress_server import listen_encrypted, make_server
from webui.settings import Settings, default_database, use_own_files


@contextmanager
def beside(app: Flask, certificate: Certificate | None = None) -> Iterator[int]:
    """Serves an app in another thread; yields the port, with a certificate that of the encrypted page."""
    server = make_server(app, "127.0.0.1", 0)  # the system chooses a free port, so that no other process can take it
    port = int(server.effective_port)
    if certificate:
        port = listen_encrypted(server, app, "127.0.0.1", 0, certificate)
    listeners = [one for one in server._map.values() if isinstance(one, BaseWSGIServer)]
    threading.Thread(target=server.run, daemon=True).start()
    yield port
    for channel in [
        one for listener in listeners for one in list(listener.active_channels.values())
    ]:  # a browser would ask again over what it keeps open
        channel.will_close = True
    server.pull_trigger()
    for _ in range(100):
        if not any(listener.active_channels for listener in listeners):
            break
        time.sleep(0.02)
    for listener in listeners:
        listener.close()
    server.task_dispatcher.shutdown()
    with suppress(OSError):
        server.pull_trigger()


def make_served(folder: Path, reader: str, camera: str | None = None, host: str = "127.0.0.1") -> Flask:
    """The page on a data folder, with its rule sets in use; the reader, as in the arguments, loads beside it."""
    kinds: dict[str, Callable[[], Reader]] = {
        "drawn": DrawnReader,
        "seeing": SeeingReader,
        "shipped": lambda: load_chosen_reader(folder)[1],
    }
    loading = ReaderService(kinds.get(reader, lambda: FilmedReader(Path(reader))))
    use_own_files(folder)
    return create_app(Settings(folder, host=host, camera=camera, database=default_database()), loading)


class _Stopped(StopSignals):
    """What a signal would do, at the bidding of a test."""

    def exit_at_once(self, exit_code: int) -> None:
        pass

    def _install(self) -> None:
        pass

    def stop(self) -> None:
        self._handle(signal.SIGTERM, None)


@contextmanager
def program(monkeypatch: pytest.MonkeyPatch, *words: str) -> Iterator[threading.Thread]:
    """``handfoot`` with these words in a thread of this process, where a process of its own takes seconds to load
    everything; stopped at the end as by a signal. Its reader knows the drawn tables."""
    stop, codes = _Stopped(), list[int]()
    monkeypatch.setattr("webui.cli.StopSignals", lambda: stop)
    monkeypatch.setattr(serve, "load_chosen_reader", lambda _: ("drawn", DrawnReader()))
    thread = threading.Thread(target=lambda: codes.append(main(words)))
    thread.start()
    try:
        yield thread
    finally:
        stop.stop()
        thread.join(120)
        use_folder(None)
        use_deck_folder(None)
    assert codes == [0]


def refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The sentence with which a page does not begin to be served."""
    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(serve, "make_server", lambda *_: 1 / 0)  # it must not come so far
        assert main(["serve", *words]) == 1
    use_folder(None)
    use_deck_folder(None)
    (sentence,) = capsys.readouterr().err.splitlines()
    return sentence


@contextmanager
def in_a_thread(
    folder: Path, reader: str, camera: str | None = None, certificate: Certificate | None = None
) -> Iterator[int]:
    """Serves the page from another thread of this process; yields the port."""
    app = make_served(folder, reader, camera)
    own = services_of(app)
    own.photo_queue.resume()
    own.watch.resume()
    try:
        with beside(app, certificate) as port:
            yield port
    finally:
        own.watch.close()
        own.photo_queue.close()
        own.camera.close()
        own.store.close()
        use_folder(None)
        use_deck_folder(None)


if __name__ == "__main__":
    folder, port, reader, *others = sys.argv[1:]
    stop = StopSignals()
    stop.note()
    app = make_served(Path(folder), reader, *others)
    server = make_server(app, "127.0.0.1", int(port))
    services_of(app).photo_queue.resume()
    services_of(app).watch.resume()
    ended = threading.Event()
    start_warm_up(app, ended)
    run_until_stopped(server, RequestCounter(app), stop)
    ended.set()
