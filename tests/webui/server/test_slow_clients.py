"""Slow, stuck and greedy connections are cut, and everybody else is answered."""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from socket import create_connection, socket

import pytest
from flask import Flask, Response

from tests.vision.cameras.test_watcher import wait_for
from tests.vision.images.test_decode import encode, noise
from tests.webui.helpers.served import beside
from webui.server import slow_clients, waitress_server

SIDE = "/game/1/round/1/side/0"


@pytest.fixture
def port(make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The page served as ever, but with less patience and smaller bounds."""
    monkeypatch.setattr(slow_clients, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(slow_clients, "STUCK_SECONDS", 1.0)
    monkeypatch.setattr(slow_clients, "MAX_INCOMING_BYTES", 8 * 2**20)
    monkeypatch.setattr(waitress_server, "_MAX_BODY", 4 * 2**20)
    app = make_app()
    app.add_url_rule("/big", "big", lambda: Response(bytes(2**20) for _ in range(64)))
    with beside(app) as found:
        yield found


def answers(port: int, seconds: float = 60.0) -> bool:
    """Whether the page answers somebody who means well."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=seconds)) as visitor:
        visitor.request("GET", "/enter")
        return visitor.getresponse().status in (200, 303)


def is_cut(line: socket, seconds: float) -> bool:
    """Whether the page ends a connection within so many seconds."""
    line.settimeout(seconds)
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def number_cut(lines: list[socket]) -> int:
    """How many of these connections the page has ended by now."""
    return sum(is_cut(line, 0.01) for line in lines)


def test_requests_that_never_end_are_cut_and_block_nobody(port: int) -> None:
    """Slowloris: many connections, each with a byte now and then."""
    lines = [create_connection(("127.0.0.1", port)) for _ in range(60)]
    stop = threading.Event()

    def trickle() -> None:
        while not stop.wait(0.2):
            for line in lines:
                with suppress(OSError):
                    line.send(b"X")

    for line in lines:
        line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ")
    threading.Thread(target=trickle, daemon=True).start()
    assert answers(port)
    assert all(is_cut(line, 60) for line in lines)
    stop.set()
    assert answers(port)


def test_a_body_that_never_ends_is_cut(port: int) -> None:
    with closing(create_connection(("127.0.0.1", port))) as line:
        line.send(b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\nabc")
        assert is_cut(line, 60)


def test_answers_that_nobody_takes_free_their_threads(port: int) -> None:
    """Slow read: as many as there are threads ask for much and take nothing."""
    lines = []
    for _ in range(waitress_server.THREADS + 4):
        line = socket()
        line.setsockopt(1, 8, 4096)  # SOL_SOCKET, SO_RCVBUF: little fits on its way
        line.connect(("127.0.0.1", port))
        line.send(b"GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
        lines.append(line)
    time.sleep(0.5)
    assert answers(port)
    for line in lines:
        line.close()


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_of_2_gb_is_refused_before_it_arrives(port: int, chunked: bool) -> None:
    length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: 2147483648"
    with closing(create_connection(("127.0.0.1", port))) as line:
        line.settimeout(60)
        line.send(b"POST /enter HTTP/1.1\r\nHost: localhost\r\n" + length + b"\r\n\r\n")
        sent = 0
        with suppress(OSError):
            while sent < 64 * 2**20:
                line.sendall((b"100000\r\n" if chunked else b"") + bytes(2**20) + (b"\r\n" if chunked else b""))
                sent += 2**20
    assert sent < 48 * 2**20
    assert answers(port)


def test_many_bodies_at_once_do_not_fill_the_disk(port: int) -> None:
    head = b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n"
    lines = [create_connection(("127.0.0.1", port)) for _ in range(5)]
    for line in lines:
        line.sendall(head + b"x")
    wait_for(lambda: number_cut(lines) >= 3)  # but two have room
    for line in lines:
        line.close()


def test_connections_of_one_address_are_limited(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_clients, "is_loopback", lambda _: False)
    lines = [create_connection(("127.0.0.1", port)) for _ in range(slow_clients.MAX_CLIENT_CONNECTIONS + 5)]
    wait_for(lambda: number_cut(lines) >= 5)  # those that came last, so that nothing more is to come
    assert number_cut(lines) == 5
    for line in lines:
        line.close()


def test_a_photo_within_all_limits_is_accepted(port: int) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=120)) as visitor:
        visitor.request("GET", "/new")
        answer = visitor.getresponse()
        page, cookie = answer.read().decode(), (answer.getheader("Set-Cookie") or "").split(";")[0]
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token
        form = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        for path in ("/new", "/game/1/round/1/begin"):
            visitor.request("POST", path, f"token={token[1]}", form)
            assert visitor.getresponse().read() is not None
        mark = "----mark"
        body = io.BytesIO()
        body.write(f'--{mark}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token[1]}\r\n'.encode())
        body.write(f'--{mark}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'.encode())
        body.write(encode(noise()) + f"\r\n--{mark}--\r\n".encode())
        kind = {"Cookie": cookie, "Content-Type": f"multipart/form-data; boundary={mark}"}
        visitor.request("POST", f"{SIDE}/photos", body.getvalue(), kind)
        assert visitor.getresponse().status == 303
