"""Network cameras over HTTP: a snapshot address, which gives one picture a request, and motion JPEG.

What an address gives is told by its answer; what is neither is left to FFmpeg. Certificates are not checked, as FFmpeg
does not either: cameras sign theirs themselves.
"""

from __future__ import annotations

import http.client
import ssl
import statistics
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from vision.cameras.address import Address
from vision.cameras.base import SLOW_PATIENCE, Abilities
from vision.cameras.frame_check import settled
from vision.errors import CameraError, PhotoError
from vision.images.decode import decode_photo
from vision.values import Frame

NAME = "the network camera"
ADVICE = "check its address, and that it is switched on and in this network"
FIXED = "is set at the camera itself, not from here"
_ANSWER_SECONDS = 6.0
"""How long the start of an answer, or silence within one, may take; a camera may give a picture every four seconds."""
_SNAPSHOT_SECONDS, _MAX_BYTES = 8.0, 32 * 1024 * 1024
"""How long a snapshot may take in all, and bytes of a picture at most."""
_MAX_LINE = 1 << 16
_SNAPSHOT_PAUSE = 0.2
"""Least seconds between two snapshots, so that small cameras are not kept busy."""
_SILENCE, _MAX_SILENCE = 3.0, 12.0
"""Seconds without a picture after which a quick and a slow camera count as gone."""
_NO_PICTURE = "gives no picture any more"
_DAMAGED_SECONDS = 2.0
"""So long damaged pictures are passed over."""


class HttpCamera:
    """What snapshots and motion JPEG have in common: nothing to set, and a cold start that is waited for."""

    def __init__(self) -> None:
        self._first: Frame | None = None
        self._closed = self._settled = False

    @property
    def name(self) -> str:
        return NAME

    def abilities(self) -> Abilities:
        if self._first is None:
            self._first = self._take()
        size = self._first.width, self._first.height
        return Abilities(size, size, patience=SLOW_PATIENCE)

    def read(self) -> Frame:
        if self._settled:
            return self._take()
        frame = settled(self._take)
        self._settled = True
        return frame

    def still(self) -> Frame:
        return self.read()

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        if focus is not None or exposure is not None:
            raise CameraError(f"{NAME} {FIXED}")

    def close(self) -> None:
        self._closed = True

    def _take(self) -> Frame:
        raise NotImplementedError


class SnapshotCamera(HttpCamera):
    """Fetches its address again for each picture."""

    def __init__(self, address: Address, first: http.client.HTTPResponse) -> None:
        super().__init__()
        self._address, self._answer, self._fetched = address, first, 0.0
        self._first = self._decode()

    def _take(self) -> Frame:
        if self._closed:
            raise CameraError(f"{NAME} is closed; open it again")
        time.sleep(max(self._fetched + _SNAPSHOT_PAUSE - time.monotonic(), 0))
        self._fetched = time.monotonic()
        self._answer = fetch(self._address, _NO_PICTURE)
        return self._decode()

    def _decode(self) -> Frame:
        try:
            with self._answer as answer:
                data = _body(answer)
        except (OSError, ValueError, http.client.HTTPException):
            raise CameraError(f"{NAME} {_NO_PICTURE}; {ADVICE}") from None
        return decode_photo(data, f"the picture of {NAME}")


class MjpegCamera(HttpCamera):
    """Shows the newest picture of a motion JPEG stream; a thread takes in what comes, so that none grows old."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        super().__init__()
        self._changed = threading.Condition()
        self._newest: tuple[int, bytes] = (0, b"")
        self._given = 0
        self._gone = False
        self._came, self._gaps = time.monotonic(), deque[float](maxlen=5)
        threading.Thread(target=self._run, args=(answer,), name="motion-jpeg", daemon=True).start()

    def still(self) -> Frame:
        with self._changed:
            self._given = self._newest[0]  # one that comes from now on
        return self.read()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _take(self) -> Frame:
        end = time.monotonic() + _DAMAGED_SECONDS
        while True:
            try:
                return decode_photo(self._next(), f"the picture of {NAME}")
            except PhotoError:
                if time.monotonic() > end:
                    raise

    def _next(self) -> bytes:
        """The newest picture that was not given yet (JPEG)."""
        with self._changed:
            silence = max(_SILENCE, 2.5 * statistics.median(self._gaps)) if self._gaps else _MAX_SILENCE
            end = time.monotonic() + min(silence, _MAX_SILENCE)
            while self._newest[0] == self._given and not (self._gone or self._closed):
                left = end - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            if self._closed:
                raise CameraError(f"{NAME} is closed; open it again")
            if self._newest[0] == self._given:
                raise CameraError(f"{NAME} {_NO_PICTURE}; {ADVICE}")
            self._given, data = self._newest
            return data

    def _run(self, answer: http.client.HTTPResponse) -> None:
        with suppress(OSError, ValueError, http.client.HTTPException), answer:
            for data in _parts(answer):
                with self._changed:
                    if self._closed:
                        break
                    now = time.monotonic()
                    if self._newest[0]:
                        self._gaps.append(now - self._came)
                    self._came, self._newest = now, (self._newest[0] + 1, data)
                    self._changed.notify_all()
        with self._changed:
            self._gone = True
            self._changed.notify_all()


def open_http(address: Address) -> HttpCamera | None:
    """Opens what an address gives; None where that is neither a picture nor motion JPEG.

    Raises:
        CameraError: nothing answers there, it asks for another user or password, or it gives a web page.
        PhotoError: the picture there cannot be read.
    """
    answer = fetch(address)
    kind = answer.headers.get_content_maintype(), answer.headers.get_content_subtype()
    if kind[0] == "multipart":
        return MjpegCamera(answer)
    if kind[0] == "image":
        return SnapshotCamera(address, answer)
    if answer.length is not None and kind[1] == "octet-stream" and answer.peek(2)[:2] == b"\xff\xd8":
        return SnapshotCamera(address, answer)
    answer.close()
    if kind[1] in ("html", "xhtml+xml"):
        raise CameraError(f"the address of {NAME} gives a web page; expected that of its picture or stream itself")
    return None


def fetch(address: Address, failure: str = "cannot be opened") -> http.client.HTTPResponse:
    """The answer of an HTTP address, its body not read yet; logs in by Basic or Digest, directly and not by a proxy.

    Args:
        failure: what is wrong where nothing answers, as it goes on after the camera's name.

    Raises:
        CameraError: nothing answers there, or with an error.
    """
    request = urllib.request.Request(address.url, headers={"Cache-Control": "no-cache", "User-Agent": "handfoot"})
    opener = urllib.request.OpenerDirector()
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if address.user is not None:
        root = f"{address.scheme}://{request.host}/"
        passwords.add_password(None, root, address.user, address.password or "")
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=unchecked),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDigestAuthHandler(passwords),
        urllib.request.HTTPBasicAuthHandler(passwords),
    ):
        opener.add_handler(handler)
    # the errors of the library hold addresses, so none of them is quoted or chained
    try:
        answer = opener.open(request, timeout=_ANSWER_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        raise CameraError(_refusal(address, error.code)) from None
    except (OSError, ValueError, http.client.HTTPException):
        answer = None
    if not isinstance(answer, http.client.HTTPResponse):
        raise CameraError(f"{NAME} {failure}; {ADVICE}")
    return answer


def _refusal(address: Address, status: int) -> str:
    if status not in (401, 403):
        return f"{NAME} answers with the error {status}; check the part of its address behind the host"
    if address.user is None:
        return f"{NAME} asks for a user name and password; give them in its address, as in http://USER:PASSWORD@HOST/"
    return f"{NAME} refuses the user name or password of its address; check both, and that signs are percent-coded"


def _body(answer: http.client.HTTPResponse) -> bytes:
    """The whole body of an answer.

    Raises:
        OSError, HTTPException: the connection breaks off.
        TimeoutError: it takes too long.
        ValueError: it is too large.
    """
    end, data, length = time.monotonic() + _SNAPSHOT_SECONDS, bytearray(), answer.length
    while length is None or len(data) < length:
        part = answer.read1(1 << 16 if length is None else min(length - len(data), 1 << 16))
        if not part:
            break
        data += part
        if len(data) > _MAX_BYTES:
            raise ValueError("too large")
        if time.monotonic() > end:
            raise TimeoutError
    if length is not None and len(data) < length:
        raise ConnectionResetError
    return bytes(data)


def _parts(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The bodies of a multipart answer (RFC 2046, 5.1), also where its boundary is given with the dashes before it.

    Raises:
        OSError, HTTPException: the connection breaks off, or is silent.
        ValueError: a part is too large.
    """
    boundary = str(answer.headers.get_param("boundary") or "").strip('"').lstrip("-").encode()
    line = answer.readline(_MAX_LINE)
    while line:
        if not _is_boundary(line, boundary):
            line = answer.readline(_MAX_LINE)
            continue
        length = http.client.parse_headers(answer)["Content-Length"]
        if length is None:
            data = bytearray()
            while (line := answer.readline(_MAX_LINE)) and not _is_boundary(line, boundary):
                data += line
                if len(data) > _MAX_BYTES:
                    raise ValueError("too large")
            if line:  # else the last part has broken off
                yield bytes(data)
        elif 0 < int(length) <= _MAX_BYTES:
            whole = answer.read(int(length))
            if len(whole) == int(length):
                yield whole  # at once: what comes next may be seconds away
            line = answer.readline(_MAX_LINE)
        else:
            raise ValueError("too large")


def _is_boundary(line: bytes, boundary: bytes) -> bool:
    return line.startswith(b"--") and line.rstrip(b"\r\n-").lstrip(b"-") == boundary
