"""Network cameras for tests: small servers over HTTP, and the part of an RTSP server that asks for a password."""

from __future__ import annotations

import base64
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2

from tests.vision.cameras.fake_devices import RATE, moment, scene, spoil

USER, PASSWORD = "us@er", "se/c:r#et"
LOGIN = "us%40er:se%2Fc%3Ar%23et"
"""User and password as an address has them."""
_BASIC = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
SIZE = (320, 180)


class NetworkCamera(ThreadingHTTPServer):
    """A network camera: set ``gone`` to unplug it; ``asked`` are the paths that were asked for.

    ``/`` is motion JPEG, ``/played`` the same under a type that FFmpeg has to find out, ``/slow`` with a picture every
    four seconds; ``/snapshot`` is one picture a request; ``/locked`` one for those who know the password, ``/digest``
    one that is never given; ``/page`` a web page, ``/short`` half a snapshot. ``way``, if set, answers every request.
    """

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Request)
        self.over = threading.Event()
        self.asked: list[str] = []
        self.way: Callable[[Request], None] | None = None
        self.first: list[str] = []
        """What its first pictures are like, as ``spoil`` takes it."""

    @property
    def gone(self) -> bool:
        return self.over.is_set()

    def unplug(self) -> None:
        self.over.set()

    def address(self, path: str = "/", login: str = "") -> str:
        return f"http://{login}{'@' if login else ''}127.0.0.1:{self.server_port}{path}"

    def picture(self) -> bytes:
        pixels = spoil(scene(moment(), SIZE), self.first.pop(0) if self.first else "good")
        return cv2.imencode(".jpg", pixels)[1].tobytes()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints nothing: the other side has hung up."""


class Request(BaseHTTPRequestHandler):
    server: NetworkCamera

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        if self.server.gone:
            return
        if self.server.way is not None:
            self.server.way(self)
        elif path == "/digest" or (path == "/locked" and self.headers["Authorization"] != _BASIC):
            way = 'Digest realm="camera", nonce="1234", qop="auth"' if path == "/digest" else 'Basic realm="camera"'
            self.begin("text/plain", 0, 401, login=way)
        elif path in ("/snapshot", "/locked", "/short"):
            data = self.server.picture()
            self.begin("image/jpeg", len(data))
            self.wfile.write(data[: len(data) // 2] if path == "/short" else data)
        elif path == "/page":
            self.begin("text/html", 0)
        elif path in ("/", "/played", "/slow"):
            self._stream(path)
        else:
            self.begin("text/plain", 0, 404)

    def begin(self, kind: str | None, length: int | None = None, status: int = 200, login: str | None = None) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", length), ("WWW-Authenticate", login)):
            if value is not None:
                self.send_header(name, str(value))
        self.end_headers()

    def drip(self) -> None:
        """A byte now and then, without an end."""
        while not self.server.over.wait(0.05):
            self.wfile.write(b"a")
            self.wfile.flush()

    def _stream(self, path: str) -> None:
        self.begin("application/octet-stream" if path == "/played" else "multipart/x-mixed-replace; boundary=frame")
        while not self.server.gone:
            data = self.server.picture()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + data + b"\r\n")
            except OSError:
                return
            if path == "/slow":
                self.server.over.wait(4.0)
            else:
                time.sleep(1 / RATE)

    def log_message(self, *args: Any) -> None:
        """Prints nothing."""


@contextmanager
def network_camera() -> Iterator[NetworkCamera]:
    server = NetworkCamera()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.unplug()
        server.shutdown()
        server.server_close()


class _RtspHandler(socketserver.StreamRequestHandler):
    """Answers every request with 401 until the right password comes, then with 404 (RFC 2326)."""

    def handle(self) -> None:
        while line := self.rfile.readline():
            if line.strip():
                name, _, value = line.decode().partition(":")
                self.server.said[name] = value.strip()  # type: ignore[attr-defined]
                continue
            said = self.server.said  # type: ignore[attr-defined]
            right = said.get("Authorization") == _BASIC
            status = "404 Not Found" if right else '401 Unauthorized\r\nWWW-Authenticate: Basic realm="camera"'
            self.wfile.write(f"RTSP/1.0 {status}\r\nCSeq: {said['CSeq']}\r\n\r\n".encode())


@contextmanager
def rtsp_server() -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the port, and the headers that were received."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _RtspHandler) as server:
        server.daemon_threads = True
        server.said = {}  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], server.said  # type: ignore[attr-defined]
        server.shutdown()
