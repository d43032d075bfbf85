"""``handfoot`` without a command, as a process: it opens the page, and the page lets phones in and shuts them out."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests.webui.helpers.served import program
from tests.webui.test_cli import ROOT, free_port, wait_for
from webui.access.own_addresses import likely_addresses
from webui.commands import serve
from webui.commands.options import HTTPS_PORT, PORT
from webui.commands.screen import show_page

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and terminals are POSIX's")

Begin = Callable[..., AbstractContextManager[str]]


@contextmanager
def handfoot(home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program as a newcomer starts it at a screen, and the address that it says.

    Its data folder lies in ``home``, and what it opened in a browser stands in ``opened`` there.
    """
    away = ("WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY")
    known = {name: value for name, value in os.environ.items() if name not in away}
    opens = home / "browser"
    opens.write_text(f'#!/bin/sh\necho "$1" >>"{home}/opened"\n')
    opens.chmod(0o700)
    known |= {"XDG_DATA_HOME": str(home), "BROWSER": f"{opens} %s", "DISPLAY": ":7"}
    near, far = os.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "webui.cli"], cwd=ROOT, env=known, stdout=far, stderr=subprocess.PIPE, text=True
    )
    os.close(far)
    with os.fdopen(near, errors="replace") as said:
        try:
            line = said.readline()
            address = re.search(r"is open at (http://\S+)", line)
            assert address, (line, program.communicate()[1])
            yield program, address[1]
        finally:
            program.send_signal(signal.SIGTERM)
            wrong = program.communicate(timeout=120)[1]
    assert program.returncode == 0 and "Traceback" not in wrong, wrong


def opened(home: Path, wanted: int) -> list[str]:
    """The addresses that the browser was given, once there are so many."""
    for _ in range(100):
        with suppress(FileNotFoundError):
            if len(found := (home / "opened").read_text().split()) >= wanted:
                return found
        time.sleep(0.1)
    return []


def test_it_opens_the_page_and_a_second_start_opens_the_same(tmp_path: Path) -> None:
    with handfoot(tmp_path) as (first, address):
        assert opened(tmp_path, 1) == [address]
        assert "New game" in wait_for(address, first)
        with handfoot(tmp_path) as (second, again):
            assert second.wait(60) == 0 and again == address
        assert opened(tmp_path, 2) == [address, address]
        assert "New game" in wait_for(address, first), "the first one goes on"


@pytest.mark.parametrize(
    ("terminal", "environment", "shown"),
    [
        (True, {"DISPLAY": ":7"}, ["http://here/"]),
        (False, {"DISPLAY": ":7"}, []),
        (True, {"DISPLAY": ":7", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, []),
    ],
)
def test_nothing_is_opened_where_nobody_would_see_it(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, environment: dict[str, str], shown: list[str]
) -> None:
    opened = list[str]()
    monkeypatch.setattr(os, "environ", environment)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    monkeypatch.setattr("webbrowser.open", opened.append)
    show_page("http://here/")
    assert opened == shown


def test_a_usual_port_that_another_program_has_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(serve, "PORT", taken)
        assert serve._free_port() != taken
    assert serve._free_port() == taken and taken not in (PORT, HTTPS_PORT)


class Browser:
    """One browser, with its cookies."""

    def __init__(self, base: str) -> None:
        self._base, self._opener = base, build_opener(HTTPCookieProcessor(CookieJar()))
        host, _, port = base.split("://")[1].partition("/")[0].partition(":")
        self.place = (host, int(port))

    def open(self, path: str = "", **fields: str) -> tuple[int, str, str]:
        """Status, address and text of a page, or of the answer to its form with these fields."""
        data = urlencode(fields).encode() if fields else None
        headers = {"Accept": "text/html", "Accept-Language": "en"}
        try:
            with self._opener.open(Request(self._base + path, data, headers), timeout=30) as answer:
                return answer.status, answer.url, answer.read().decode()
        except HTTPError as error:
            return error.code, str(error.url), error.read().decode()

    def send(self, page: str, path: str, **fields: str) -> tuple[int, str, str]:
        """The same for a form on a page, with its hidden fields."""
        text = self.open(page)[2]
        hidden = {name: re.search(rf'name="{name}" value="([^"]+)"', text) for name in ("token", "once")}
        return self.open(path, **{name: found[1] for name, found in hidden.items() if found}, **fields)

    def is_refused(self) -> bool:
        """Whether nobody listens there."""
        with socket.socket() as line:
            return line.connect_ex(self.place) != 0


@pytest.fixture
def there() -> str:
    """An address of this machine in a network."""
    found = likely_addresses("0.0.0.0")
    if not found:
        pytest.skip("this machine has no address in a network")
    return found[0]


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Begin:
    """Starts the program in this process, without a command or with ``serve`` and its options; gives the address."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    @contextmanager
    def begun(*words: str) -> Iterator[str]:
        with program(monkeypatch, *words):
            said = ""
            while not (address := re.search(r"is open at (http://\S+)", said)):
                said += capsys.readouterr().out
                time.sleep(0.02)
            yield address[1]

    return begun


def test_the_switch_lets_phones_in_and_out_at_once_and_is_remembered(there: str, begin: Begin) -> None:
    with begin() as address:
        keeper, phone = Browser(address), Browser(address.replace("localhost", there))
        far = address.replace("localhost", there)
        assert phone.is_refused(), "off at first"
        assert "Let phones in" in keeper.open()[2] and "Let phones in" in keeper.open("join")[2]
        status, url, page = keeper.send("join", "devices/network", open="yes")
        assert (status, url.endswith("/join")) == (200, True)
        assert f"<b>{far}</b>" in page and 'class="qr"' in page
        code = re.search(r'class="digits">([\d ]+)<', page)
        assert code is not None and code[1] in keeper.open()[2], "the first page has it too"

        assert phone.open()[1].split("?")[0] == f"{far}enter", "the same door as by --lan"
        assert phone.send("", "enter", code="000000")[0] == 403
        assert "This device has joined" in phone.send("", "enter", code=code[1])[2]
        assert phone.send("join", "devices/network", open="no")[0] == 403, "it is for this machine itself"
        stream = socket.create_connection(phone.place)
        stream.settimeout(30)

        assert "shut out" in keeper.send("join", "devices/network", open="no")[2]
        assert phone.is_refused() and stream.recv(1) == b"", "also what was open"
        stream.close()
        assert "New game" in keeper.open()[2]
        keeper.send("join", "devices/network", open="yes")
        assert "New game" in phone.open()[2], "it is known still"
        assert keeper.send("join", "devices/network", open="maybe")[0] == 400
    with begin() as address:
        far = address.replace("localhost", there)
        assert Browser(far).open()[1].split("?")[0] == f"{far}enter", "on since the last time"
        Browser(address).send("join", "devices/network", open="no")
    with begin() as address:
        assert Browser(address.replace("localhost", there)).is_refused()


def test_where_the_other_address_is_taken_the_page_stays(there: str, begin: Begin) -> None:
    with begin() as address:
        keeper, port = Browser(address), int(address.rstrip("/").rsplit(":", 1)[1])
        with socket.create_server((there, port)):
            status, _, page = keeper.send("join", "devices/network", open="yes")
            assert status == 503 and "could not be changed" in page
            assert "Let phones in" in keeper.open("join")[2], "and off"
        assert 'class="qr"' in keeper.send("join", "devices/network", open="yes")[2]


def test_who_says_where_to_listen_has_no_switch(there: str, begin: Begin) -> None:
    """Also where somebody let phones in before."""
    with begin() as address:
        Browser(address).send("join", "devices/network", open="yes")
    for options in (("--host", "127.0.0.1"), ("--name", "cards.home"), ("--prefix", "/cards")):
        with begin("serve", "--port", str(free_port()), *options) as address:
            assert "Let phones in" not in Browser(address).open("join")[2], options
            assert Browser(address).send("", "devices/network", open="yes")[0] == 400, options
            assert Browser(address.replace("localhost", there)).is_refused(), options
