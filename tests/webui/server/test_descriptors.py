"""Out of file descriptors, the server's loop does not turn in vain."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from contextlib import closing
from socket import create_connection
from typing import Any

import pytest
from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]

from webui.server import waitress_server
from webui.server.waitress_server import make_server


def test_a_connection_that_cannot_be_accepted_is_left_alone_for_a_while(
    make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = make_server(make_app(), "127.0.0.1", 0)
    tries: list[int] = []

    def no_descriptor(_: Any) -> None:
        tries.append(1)
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(waitress_server, "_PAUSE_SECONDS", 10_000.0)
    with caplog.at_level(logging.WARNING), monkeypatch.context() as out, closing(server):
        with closing(create_connection(("127.0.0.1", server.effective_port))):
            out.setattr("socket.socket.accept", no_descriptor)
            for _ in range(20):
                wasyncore.loop(timeout=0.01, map=server._map, use_poll=True, count=1)
        assert len(tries) == 1
        (said,) = [record for record in caplog.records if record.name.startswith(("webui", "waitress"))]
        assert "Too many open files" in said.getMessage() and said.exc_info is None
    server.task_dispatcher.shutdown()
