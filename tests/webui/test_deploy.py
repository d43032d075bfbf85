"""What runs on a machine of its own: the watchdog's words; unit and Dockerfile say what the program knows."""

from __future__ import annotations

import json
import shlex
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from webui.cli import _parser
from webui.watchdog import keep_watchdog, tell_systemd

ROOT = Path(__file__).parents[2]


class Systemd:
    """The socket on which systemd listens."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._socket.settimeout(3)
        monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))

    def hears(self) -> str:
        return self._socket.recv(100).decode()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Systemd:
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    return Systemd(tmp_path, monkeypatch)


class _Silent(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Nothing is printed."""


def test_systemd_hears_that_the_page_answers_and_nothing_once_it_does_not(systemd: Systemd) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stop = keep_watchdog(f"http://127.0.0.1:{server.server_port}/")
    assert [systemd.hears() for _ in range(3)] == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]
    server.shutdown()
    server.server_close()
    with pytest.raises(TimeoutError):
        for _ in range(3):  # one may be on its way
            systemd.hears()
    stop.set()


def test_without_systemd_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not tell_systemd("READY=1")


def test_the_unit_starts_the_program_as_it_is() -> None:
    lines = (ROOT / "deploy" / "handfoot.service").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    assert settings["Type"] == "notify" and settings["Restart"] == "always" and settings["WatchdogSec"] == "60"
    program, *arguments = shlex.split(settings["ExecStart"])
    assert program.endswith("/bin/handfoot")
    assert _parser().parse_args(arguments).host == "0.0.0.0"


def test_the_dockerfile_copies_what_is_there_and_starts_the_program_as_it_is() -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]]
    assert copied and all((ROOT / name).exists() for name in copied)
    packages = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("packages = [")[1].split("]")[0]
    assert {name.strip(' "') for name in packages.split(",")} <= set(copied)
    command = json.loads(next(line for line in lines if line.startswith("CMD "))[4:])
    given = _parser().parse_args(command[1:])
    assert command[0] == "handfoot" and (given.host, str(given.data)) == ("0.0.0.0", "/data")
    assert "RUN pip install --no-cache-dir ." in lines, "the README's own way, run by the CI script too"
