"""Slow, stuck and greedy connections are cut, and everybody else is answered."""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from socket import create_connection, socket

import pytest
from flask import Flask, Response

from tests.vision.cameras.test_watcher import wait_for
from tests.vision.images.test_decode import encode, noise
from tests.webui.access.test_access_code import PHONE, TABLET, let_in
from tests.webui.helpers.served import beside
from webui.access.callers import Caller
from webui.context.services import services_of
from webui.server import fair_share, slow_clients, waitress_server
from webui.server.fair_share import one_too_many

SIDE = "/game/1/round/1/side/0"
PATIENCE = 3.0
"""Seconds: short for a test, and long enough for one who means well on a busy machine."""


@pytest.fixture
def app(make_app: Callable[[], Flask]) -> Flask:
    """The page with a long answer, and one that ends when the test says so."""
    app = make_app()
    begun, end = list[int](), threading.Event()
    app.extensions |= {"test-begun": begun, "test-end": end}

    def wait() -> str:
        begun.append(1)
        return str(end.wait(120))

    app.add_url_rule("/big", "big", lambda: Response(bytes(2**20) for _ in range(64)))
    app.add_url_rule("/wait", "wait", wait)
    return app


@pytest.fixture
def port(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The page served as ever, but with less patience and smaller bounds."""
    monkeypatch.setattr(slow_clients, "HEAD_SECONDS", PATIENCE)
    monkeypatch.setattr(slow_clients, "BODY_SECONDS", PATIENCE)
    monkeypatch.setattr(slow_clients, "STUCK_SECONDS", PATIENCE)
    monkeypatch.setattr(fair_share, "MAX_INCOMING_BYTES", 8 * 2**20)
    monkeypatch.setattr(waitress_server, "_MAX_BODY", 4 * 2**20)
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


def upload(port: int, length: int, cookie: str = "", forwarded: str = "") -> socket:
    """The head of a photo's request and the first byte of its body."""
    line = create_connection(("127.0.0.1", port))
    head = f"POST {SIDE}/photos HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n"
    head += f"Cookie: {cookie}\r\n" * bool(cookie) + f"X-Forwarded-For: {forwarded}\r\n" * bool(forwarded)
    line.sendall(f"{head}\r\nx".encode())
    return line


def cookie_of_a_device(app: Flask, address: str = PHONE) -> str:
    found = let_in(app, address).client.get_cookie("handfoot")
    assert found is not None
    return f"handfoot={found.value}"


def test_bodies_that_are_only_announced_keep_nobody_out(port: int, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Announced bytes are not bytes held: whoever sends a photo beside them is served."""
    monkeypatch.setattr(slow_clients, "BODY_SECONDS", 600.0)
    cookie = cookie_of_a_device(app)
    lines = [upload(port, 3_900_000, cookie, PHONE) for _ in range(5)]
    with closing(upload(port, 3_000_000)) as own:
        own.sendall(bytes(2_999_999))
        assert own.recv(12).startswith(b"HTTP/1.1 "), "it was taken in whole and answered"
    assert number_cut(lines) == 0
    for line in lines:
        line.close()


def test_whoever_holds_most_of_the_bodies_is_cut_and_never_the_next(
    port: int, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "BODY_SECONDS", 600.0)
    greedy, other = cookie_of_a_device(app), cookie_of_a_device(app, TABLET)
    lines = [upload(port, 3_900_000, greedy, PHONE) for _ in range(4)]
    for line in lines:
        with suppress(OSError):
            line.sendall(bytes(2_500_000))
    wait_for(lambda: number_cut(lines) >= 1)
    with closing(upload(port, 3_000_000, other, TABLET)) as next_one:
        next_one.sendall(bytes(2_999_999))
        assert next_one.recv(12).startswith(b"HTTP/1.1 ")
    for line in lines:
        line.close()


@pytest.mark.parametrize("path", ["/enter", f"{SIDE}/photos"])
def test_a_stranger_may_send_no_more_than_a_form(port: int, path: str) -> None:
    """The page answers to the head alone, so that no stranger's bytes are held."""
    with closing(create_connection(("127.0.0.1", port))) as line:
        head = f"POST {path} HTTP/1.1\r\nHost: 192.168.1.20\r\nContent-Length: 3900000\r\n"
        line.sendall(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode())
        line.settimeout(60)
        answer = line.recv(65536).decode()
    assert answer.startswith("HTTP/1.1 413 " if path == "/enter" else "HTTP/1.1 303 "), answer


def test_a_stranger_cannot_send_in_chunks_either(port: int) -> None:
    with closing(create_connection(("127.0.0.1", port))) as line:
        head = b"POST /enter HTTP/1.1\r\nHost: 192.168.1.20\r\nTransfer-Encoding: chunked\r\n\r\n"
        line.sendall(head + b"8000\r\n" + bytes(0x8000) + b"\r\n")
        line.settimeout(60)
        assert line.recv(12) == b"HTTP/1.1 413"


def test_a_device_that_was_sent_out_is_a_stranger_to_the_server(port: int, app: Flask) -> None:
    cookie = cookie_of_a_device(app)
    services_of(app).store.devices.remove(1)
    with closing(upload(port, 3_900_000, cookie, PHONE)) as line:
        line.settimeout(60)
        assert line.recv(12) == b"HTTP/1.1 303"


@dataclass
class Line:
    """A connection as its shares are counted."""

    caller: Caller
    last_activity: float = 0.0
    held: int = 0


def test_connections_of_one_address_are_limited(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.access.callers.is_loopback", lambda _: False)
    lines = [create_connection(("127.0.0.1", port)) for _ in range(fair_share.MAX_CLIENT_CONNECTIONS + 5)]
    wait_for(lambda: number_cut(lines) >= 5)  # those that came last, so that nothing more is to come
    assert number_cut(lines) == 5
    for line in lines:
        line.close()


def test_many_addresses_leave_places_for_this_machine_and_for_devices_that_are_in() -> None:
    """Fifteen addresses with forty connections each: each further one costs them one of theirs, and nobody else any."""
    inside = [Line(Caller(f"device {number}", let_in=True)) for number in range(20)]
    strangers = [Line(Caller(f"10.0.0.{number % 15}"), number) for number in range(460)]
    newcomer = Line(Caller("192.168.1.9"), 1000)
    lines = [*inside, *strangers]
    assert one_too_many([*lines, Line(Caller(None))], Line(Caller(None))) is None, "this machine has places of its own"
    lines.append(newcomer)
    surplus = one_too_many(lines, newcomer)
    assert surplus in strangers and surplus.caller.client == "10.0.0.0" and surplus.last_activity == 0
    for newest in (Line(Caller("10.0.0.3"), 2000), Line(Caller("device 1", let_in=True))):
        assert one_too_many([*lines, newest], newest) in strangers
    alike = [Line(Caller(f"10.1.{number // 256}.{number % 256}"), number) for number in range(461)]
    assert one_too_many([*inside, *alike], alike[-1]) is alike[0], "of as many addresses, the longest silent"


def test_the_machine_itself_is_answered_while_strangers_hold_all_their_places(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_share, "MAX_NETWORK_CONNECTIONS", 60)
    addresses = iter(f"10.0.{number // 40}.1" for number in range(600))
    monkeypatch.setattr(slow_clients, "caller_at", lambda _: Caller(next(addresses)))
    monkeypatch.setattr(slow_clients, "HEAD_SECONDS", 600.0)
    lines = [create_connection(("127.0.0.1", port)) for _ in range(200)]
    wait_for(lambda: number_cut(lines) == 140)
    monkeypatch.setattr(slow_clients, "caller_at", lambda _: Caller(None))
    assert answers(port) and number_cut(lines) == 140
    monkeypatch.setattr(slow_clients, "caller_at", lambda _: Caller("192.168.1.7"))
    assert answers(port) and number_cut(lines) == 141, "a phone that comes next takes a place of theirs"
    for line in lines:
        line.close()


def test_one_device_cannot_take_all_threads(port: int, app: Flask) -> None:
    """As many requests as there are threads, none of which ends, and the next visitor is answered."""
    cookie = cookie_of_a_device(app)
    lines = []
    for _ in range(waitress_server.THREADS + 4):
        lines.append(create_connection(("127.0.0.1", port)))
        head = f"GET /wait HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {PHONE}\r\nCookie: {cookie}\r\n\r\n"
        lines[-1].sendall(head.encode())
    begun = app.extensions["test-begun"]
    wait_for(lambda: len(begun) == fair_share.MAX_CLIENT_THREADS)
    assert answers(port) and len(begun) == fair_share.MAX_CLIENT_THREADS
    app.extensions["test-end"].set()
    wait_for(lambda: len(begun) == len(lines))  # those that waited are answered then
    for line in lines:
        line.settimeout(60)
        assert line.recv(12) == b"HTTP/1.1 200"
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
        boundary = "----mark"
        body = io.BytesIO()
        body.write(f'--{boundary}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token[1]}\r\n'.encode())
        body.write(f'--{boundary}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'.encode())
        body.write(encode(noise()) + f"\r\n--{boundary}--\r\n".encode())
        kind = {"Cookie": cookie, "Content-Type": f"multipart/form-data; boundary={boundary}"}
        visitor.request("POST", f"{SIDE}/photos", body.getvalue(), kind)
        assert visitor.getresponse().status == 303
