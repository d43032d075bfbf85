"""Encrypted connections: answered as plain ones are, and limited as they are."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from flask import Flask, Response, jsonify, request

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.served import beside
from tests.webui.server.test_slow_clients import is_cut, number_cut
from webui.access.callers import Caller
from webui.access.certificate import Certificate
from webui.server import fair_share, slow_clients
from webui.server.shutdown import RequestCounter, run_until_stopped
from webui.server.stop_signals import StopSignals
from webui.server.tls import channel
from webui.server.waitress_server import listen_encrypted, make_server

BIG = 6 * 2**20
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return Certificate(tmp_path)


@pytest.fixture
def app(make_app: Callable[[], Flask]) -> Flask:
    app = make_app()

    def asked() -> Response:
        return jsonify(by=request.remote_addr, scheme=request.scheme, got=len(request.get_data()))

    app.add_url_rule("/asked", "asked", asked)
    app.add_url_rule("/big", "big", lambda: Response(bytes(2**20) for _ in range(BIG // 2**20)))
    return app


@pytest.fixture
def port(app: Flask, certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The encrypted page, with less patience."""
    monkeypatch.setattr(slow_clients, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(slow_clients, "STUCK_SECONDS", 1.0)
    monkeypatch.setattr(channel, "HANDSHAKE_SECONDS", 1.0)
    with beside(app, certificate) as found:
        yield found


def encrypted(port: int) -> ssl.SSLSocket:
    return TRUSTING.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60))


def ask(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes, str]:
    with closing(HTTPSConnection("127.0.0.1", port, timeout=60, context=TRUSTING)) as visitor:
        visitor.request("GET", path, headers=headers or {})
        answer = visitor.getresponse()
        return answer.status, answer.read(), answer.getheader("Set-Cookie") or ""


def test_a_request_comes_encrypted_and_from_its_sender(port: int) -> None:
    status, said, _ = ask(port, "/asked", {"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Proto": "http"})
    assert status in (200, 303) and b"10.9.9.9" not in said, "no header says who sends"
    assert (
        ask(port, "/asked")[1].replace(b" ", b"").replace(b"\n", b"") == b'{"by":"127.0.0.1","got":0,"scheme":"https"}'
    )


def test_the_address_of_another_machine_cannot_be_forged(
    port: int, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller is who opened the connection, whatever a header says."""
    callers = list[Caller]()
    listening = channel.TlsChannel.__init__

    def from_elsewhere(
        self: channel.TlsChannel, server: object, sock: ssl.SSLSocket, addr: object, *args: object, **more: object
    ) -> None:
        listening(self, server, sock, ("192.168.1.77", 5), *args, **more)

    def note(self: channel.TlsChannel, asked: object) -> None:
        identify(self, asked)
        callers.append(self.caller)

    identify = channel.TlsChannel.identify
    monkeypatch.setattr(channel.TlsChannel, "__init__", from_elsewhere)
    monkeypatch.setattr(channel.TlsChannel, "identify", note)
    assert ask(port, "/asked", {"X-Forwarded-For": "127.0.0.1", "Accept": "text/html"})[0] == 303
    assert callers == [Caller("192.168.1.77")]


def test_the_cookie_has_a_name_of_its_own_and_is_never_sent_in_clear(port: int) -> None:
    cookie = ask(port, "/new")[2]
    assert cookie.startswith("__Secure-handfoot=") and "; Secure" in cookie and "; HttpOnly" in cookie


def test_long_answers_and_bodies_arrive_whole(port: int) -> None:
    assert len(ask(port, "/big")[1]) == BIG
    with closing(HTTPSConnection("127.0.0.1", port, timeout=60, context=TRUSTING)) as visitor:
        visitor.request("GET", "/asked", body=bytes(3 * 2**20))
        assert b'"got":3145728' in visitor.getresponse().read().replace(b" ", b"")


def test_a_request_without_encryption_gets_one_sentence(port: int) -> None:
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        said = b""
        while more := line.recv(4096):
            said += more
    assert said.startswith(b"HTTP/1.1 400 ") and b"begins with https" in said


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01\x02\x00", b"\x00\xff nonsense"])
def test_a_handshake_that_does_not_go_on_is_cut(port: int, sent: bytes) -> None:
    with closing(socket.create_connection(("127.0.0.1", port))) as line:
        line.sendall(sent)
        assert is_cut(line, 60)
    assert ask(port, "/asked")[0] == 200


def test_heads_that_never_end_are_cut(port: int) -> None:
    with closing(encrypted(port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert is_cut(line, 60)


def test_answers_that_nobody_takes_are_cut(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    is_over, cut = threading.Event(), channel.TlsChannel.cut

    def note(self: channel.TlsChannel) -> None:
        cut(self)
        is_over.set()

    monkeypatch.setattr(channel.TlsChannel, "cut", note)
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", port))
    with closing(TRUSTING.wrap_socket(raw)) as line:
        line.sendall(b"GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert is_over.wait(60)
        with pytest.raises((OSError, EOFError)):
            got = 0
            while data := line.recv(65536):
                got += len(data)
            assert got < BIG
            raise EOFError


def test_connections_of_one_address_are_limited(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.access.callers.is_loopback", lambda _: False)
    monkeypatch.setattr(channel, "HANDSHAKE_SECONDS", 600.0)
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(fair_share.MAX_CLIENT_CONNECTIONS + 5)]
    wait_for(lambda: number_cut(lines) >= 5)
    assert number_cut(lines) == 5
    for line in lines:
        line.close()


def test_plain_and_encrypted_connections_count_together(
    app: Flask, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.access.callers.is_loopback", lambda _: False)
    monkeypatch.setattr(fair_share, "MAX_CLIENT_CONNECTIONS", 4)
    server = make_server(app, "127.0.0.1", 0)
    ports = [int(server.effective_port), listen_encrypted(server, app, "127.0.0.1", 0, certificate)]
    stop = StopSignals()
    running = threading.Thread(target=run_until_stopped, args=(server, RequestCounter(app), stop))
    running.start()
    lines = [socket.create_connection(("127.0.0.1", ports[number % 2])) for number in range(6)]
    wait_for(lambda: number_cut(lines) == 2)
    stop.requested = True
    server.pull_trigger()
    running.join(60)
    assert not running.is_alive()
    for at in ports:
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", at), timeout=5)
    for line in lines:
        line.close()
