"""Network cameras that misbehave: silent or endless answers, single failures, kinds that their type does not tell."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.vision.cameras.network_devices import SIZE, NetworkCamera, Request, network_camera
from tests.vision.cameras.test_watcher import wait_for
from vision.cameras import open_camera
from vision.cameras.http import answer as answers
from vision.cameras.http.camera import HttpCamera, MjpegCamera, SnapshotCamera
from vision.cameras.watcher import Watcher
from vision.errors import CameraError

PART = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n"


@pytest.fixture
def server() -> Iterator[NetworkCamera]:
    with network_camera() as running:
        yield running


def snapshot(kind: str | None, with_length: bool = True) -> Callable[[Request], None]:
    def way(request: Request) -> None:
        data = request.server.picture()
        request.begin(kind, len(data) if with_length else None)
        request.wfile.write(data)

    return way


def stream(kind: str, before: bytes = PART, pictures: int = 10_000) -> Callable[[Request], None]:
    def way(request: Request) -> None:
        request.begin(kind)
        for _ in range(pictures):
            if request.server.over.wait(0.03):
                return
            request.wfile.write(before + request.server.picture() + (b"\r\n" if before else b""))
        if before:
            request.wfile.write(b"--frame--\r\n")

    return way


def headers(request: Request) -> None:
    request.wfile.write(b"HTTP/1.0 200 OK\r\nX-A: ")
    request.drip()


def redirection(request: Request) -> None:
    request.send_response(302)
    request.send_header("Location", "/elsewhere")
    request.send_header("Content-Length", "100000")
    request.end_headers()
    request.drip()


def body(request: Request) -> None:
    request.begin("image/jpeg", 100_000)
    request.drip()


def chunk(request: Request) -> None:
    request.protocol_version = "HTTP/1.1"
    request.send_response(200)
    request.send_header("Content-Type", "image/jpeg")
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.drip()


@pytest.mark.parametrize("way", [pytest.param(headers, marks=pytest.mark.by_hand), redirection, body, chunk])
def test_an_answer_without_an_end_is_cut_and_the_camera_recovers(
    server: NetworkCamera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[Request], None]
) -> None:
    monkeypatch.setattr(answers, "WHOLE_SECONDS", 0.3)
    server.way = way
    with pytest.raises(CameraError, match="check its address"):
        open_camera(server.address(), tmp_path)
    watcher = Watcher(lambda: open_camera(server.address(), tmp_path))
    wait_for(lambda: watcher.snapshot().error is not None)
    server.way = snapshot("image/jpeg")
    monkeypatch.setattr(answers, "WHOLE_SECONDS", 8.0)
    assert watcher.still().width == SIZE[0], "no call still hangs in an old answer"
    watcher.close()


def test_a_closed_stream_leaves_no_thread_behind(server: NetworkCamera, tmp_path: Path) -> None:
    def way(request: Request) -> None:
        request.begin("multipart/x-mixed-replace; boundary=frame")
        request.wfile.write(PART + request.server.picture() + b"\r\n" + PART)
        request.drip()

    server.way = way
    camera = open_camera(server.address(), tmp_path)
    assert camera.abilities().preview == SIZE
    camera.close()
    wait_for(lambda: not any(thread.name == "motion-jpeg" for thread in threading.enumerate()))


KINDS: dict[str, tuple[Callable[[Request], None], type[HttpCamera] | None]] = {
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
def test_the_first_bytes_tell_a_picture_from_a_stream(server: NetworkCamera, tmp_path: Path, kind: str) -> None:
    server.way, expected = KINDS[kind]
    watcher = Watcher(lambda: open_camera(server.address(), tmp_path))
    assert watcher.still().width == SIZE[0]
    number = watcher.snapshot().number
    wait_for(lambda: watcher.snapshot().number > number + 5)
    assert watcher.snapshot().error is None
    watcher.close()
    camera = open_camera(server.address(), tmp_path)
    assert expected is None or isinstance(camera, expected)
    camera.close()


def test_one_picture_that_fails_does_not_end_the_series(server: NetworkCamera, tmp_path: Path) -> None:
    def unavailable(request: Request) -> None:
        request.begin("text/plain", 0, status=503)

    def broken_off(request: Request) -> None:
        request.begin("image/jpeg", 10_000)
        request.wfile.write(request.server.picture()[:100])

    def no_picture(request: Request) -> None:
        request.begin("image/jpeg", 4)
        request.wfile.write(b"busy")

    good = snapshot("image/jpeg")
    bad = [unavailable, broken_off, no_picture]

    def way(request: Request) -> None:
        (bad[len(server.asked) // 5 % 3] if len(server.asked) % 5 == 0 else good)(request)

    server.way = way
    camera = open_camera(server.address(), tmp_path)
    camera.read()
    before = len(server.asked)
    for _ in range(13):
        assert camera.read().width == SIZE[0]
    assert len(server.asked) > before + 13
    server.way = unavailable
    with pytest.raises(CameraError, match="answers with the error 503; wait a moment"):
        camera.read()
    camera.close()


def test_the_log_says_why_there_are_no_pictures(
    server: NetworkCamera, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "vision")
    server.way = lambda request: request.begin("text/plain", 0, status=401)
    address = server.address().replace("//", "//user:secret@")
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
