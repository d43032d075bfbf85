"""Network cameras that misbehave: silent or endless answers, single failures, kinds that their type does not tell."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.vision.cameras.fake_devices import moment, scene
from tests.vision.cameras.test_watcher import wait_for
from vision.cameras import open_camera
from vision.cameras.http import answer as answers
from vision.cameras.http.camera import HttpCamera, MjpegCamera, SnapshotCamera
from vision.cameras.watcher import Watcher
from vision.errors import CameraError

SIZE = (320, 180)
PART = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n"


class BadCamera(ThreadingHTTPServer):
    """``way`` answers every request; set ``over`` to end all answers; ``asked`` counts them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.over = threading.Event()
        self.way: Callable[[_Handler], None] = lambda _: None
        self.asked = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/x"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints nothing: the other side has hung up."""


class _Handler(BaseHTTPRequestHandler):
    server: BadCamera

    def do_GET(self) -> None:
        self.server.asked += 1
        self.server.way(self)

    def begin(self, kind: str | None, length: int | None = None, status: int = 200) -> None:
        self.send_response(status)
        if kind is not None:
            self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def drip(self) -> None:
        """A byte now and then, without an end."""
        while not self.server.over.wait(0.05):
            self.wfile.write(b"a")
            self.wfile.flush()

    def log_message(self, *args: Any) -> None:
        """Prints nothing."""


@pytest.fixture
def server() -> Iterator[BadCamera]:
    running = BadCamera()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.over.set()
    running.shutdown()
    running.server_close()


def picture() -> bytes:
    return cv2.imencode(".jpg", scene(moment(), SIZE))[1].tobytes()


def snapshot(kind: str | None, with_length: bool = True) -> Callable[[_Handler], None]:
    def way(request: _Handler) -> None:
        data = picture()
        request.begin(kind, len(data) if with_length else None)
        request.wfile.write(data)

    return way


def stream(kind: str, before: bytes = PART, pictures: int = 10_000) -> Callable[[_Handler], None]:
    def way(request: _Handler) -> None:
        request.begin(kind)
        for _ in range(pictures):
            if request.server.over.wait(0.03):
                return
            request.wfile.write(before + picture() + (b"\r\n" if before else b""))
        if before:
            request.wfile.write(b"--frame--\r\n")

    return way


def headers(request: _Handler) -> None:
    request.wfile.write(b"HTTP/1.0 200 OK\r\nX-A: ")
    request.drip()


def redirection(request: _Handler) -> None:
    request.send_response(302)
    request.send_header("Location", "/elsewhere")
    request.send_header("Content-Length", "100000")
    request.end_headers()
    request.drip()


def body(request: _Handler) -> None:
    request.begin("image/jpeg", 100_000)
    request.drip()


def chunk(request: _Handler) -> None:
    request.protocol_version = "HTTP/1.1"
    request.send_response(200)
    request.send_header("Content-Type", "image/jpeg")
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.drip()


@pytest.mark.parametrize("way", [pytest.param(headers, marks=pytest.mark.by_hand), redirection, body, chunk])
def test_an_answer_without_an_end_is_cut_and_the_camera_recovers(
    server: BadCamera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[_Handler], None]
) -> None:
    monkeypatch.setattr(answers, "WHOLE_SECONDS", 0.3)
    server.way = way
    with pytest.raises(CameraError, match="check its address"):
        open_camera(server.address, tmp_path)
    watcher = Watcher(lambda: open_camera(server.address, tmp_path))
    wait_for(lambda: watcher.snapshot().error is not None)
    server.way = snapshot("image/jpeg")
    monkeypatch.setattr(answers, "WHOLE_SECONDS", 8.0)
    assert watcher.still().width == SIZE[0], "no call still hangs in an old answer"
    watcher.close()


def test_a_closed_stream_leaves_no_thread_behind(server: BadCamera, tmp_path: Path) -> None:
    def way(request: _Handler) -> None:
        request.begin("multipart/x-mixed-replace; boundary=frame")
        request.wfile.write(PART + picture() + b"\r\n" + PART)
        request.drip()

    server.way = way
    camera = open_camera(server.address, tmp_path)
    assert camera.abilities().preview == SIZE
    camera.close()
    wait_for(lambda: not any(thread.name == "motion-jpeg" for thread in threading.enumerate()))


KINDS: dict[str, tuple[Callable[[_Handler], None], type[HttpCamera] | None]] = {
    "picture as text": (snapshot("text/plain"), SnapshotCamera),
    "picture as a web page": (snapshot("text/html"), SnapshotCamera),
    "picture without a type": (snapshot(None), SnapshotCamera),
    "picture as a file of unknown length": (snapshot("application/octet-stream", with_length=False), SnapshotCamera),
    "stream as a web page": (stream("text/html"), MjpegCamera),
    "stream as a picture": (stream("image/jpeg"), MjpegCamera),
    "stream without a boundary": (stream("multipart/x-mixed-replace"), MjpegCamera),
    "stream with another boundary": (stream("multipart/x-mixed-replace; boundary=other"), MjpegCamera),
    "stream of one picture": (stream("multipart/x-mixed-replace; boundary=frame", pictures=1), MjpegCamera),
    "stream of bare pictures as a picture": (stream("image/jpeg", before=b""), None),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_bytes_tell_a_picture_from_a_stream(server: BadCamera, tmp_path: Path, kind: str) -> None:
    server.way, expected = KINDS[kind]
    watcher = Watcher(lambda: open_camera(server.address, tmp_path))
    assert watcher.still().width == SIZE[0]
    number = watcher.snapshot().number
    wait_for(lambda: watcher.snapshot().number > number + 5)
    assert watcher.snapshot().error is None
    watcher.close()
    camera = open_camera(server.address, tmp_path)
    assert expected is None or isinstance(camera, expected)
    camera.close()


def test_one_picture_that_fails_does_not_end_the_series(server: BadCamera, tmp_path: Path) -> None:
    def unavailable(request: _Handler) -> None:
        request.begin("text/plain", 0, status=503)

    def broken_off(request: _Handler) -> None:
        request.begin("image/jpeg", 10_000)
        request.wfile.write(picture()[:100])

    def no_picture(request: _Handler) -> None:
        request.begin("image/jpeg", 4)
        request.wfile.write(b"busy")

    good = snapshot("image/jpeg")
    bad = [unavailable, broken_off, no_picture]

    def way(request: _Handler) -> None:
        (bad[server.asked // 5 % 3] if server.asked % 5 == 0 else good)(request)

    server.way = way
    camera = open_camera(server.address, tmp_path)
    camera.read()
    before = server.asked
    for _ in range(13):
        assert camera.read().width == SIZE[0]
    assert server.asked > before + 13
    server.way = unavailable
    with pytest.raises(CameraError, match="answers with the error 503; wait a moment"):
        camera.read()
    camera.close()


def test_the_log_says_why_there_are_no_pictures(
    server: BadCamera, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "vision")
    server.way = lambda request: request.begin("text/plain", 0, status=401)
    address = server.address.replace("//", "//user:secret@")
    watcher = Watcher(lambda: open_camera(address, tmp_path))
    wait_for(lambda: watcher.snapshot().error is not None)
    with pytest.raises(CameraError):
        watcher.still()
    server.way = snapshot("image/jpeg")
    watcher.still()
    wait_for(lambda: watcher.snapshot().error is None)
    watcher.close()
    assert [record.message for record in caplog.records] == [
        "The network camera refuses the user name or password of its address; check both, and that signs are "
        "percent-coded.",
        "The camera is working again.",
    ]
