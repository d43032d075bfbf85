"""The answers of a camera over HTTP, each of which can be cut off: a camera may go silent or send a byte a second.

Certificates are not checked, as FFmpeg does not either: cameras sign theirs themselves.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from vision.cameras.address import Address
from vision.errors import CameraError

NAME = "the network camera"
ADVICE = "check its address, and that it is switched on and in this network"
_SILENCE = 6.0
"""How long the start of an answer, or silence within one, may take; a camera may give a picture every four seconds."""
WHOLE_SECONDS = 8.0
"""How long an answer may take in all, with redirections and login, up to the end of a snapshot."""
_SERVER_ERRORS = 500


class Answer:
    """One answer of an address, its body not read yet. Ends by itself after ``WHOLE_SECONDS``, unless it is a stream.

    The timeouts of the library count from byte to byte, so that one byte every five seconds would never end.

    Args:
        address: where to ask; with its user name and password by Basic or Digest, directly and not by a proxy.
        failure: what is wrong where nothing answers, as it goes on after the camera's name.

    Raises:
        CameraError: nothing answers there, or with an error.
    """

    def __init__(self, address: Address, failure: str = "cannot be opened") -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._over = False
        self._timer = threading.Timer(WHOLE_SECONDS, self.cut)
        self._timer.daemon = True
        self._timer.start()
        try:
            self.response = self._ask(address, failure)
        except BaseException:
            self._timer.cancel()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def is_cut(self) -> bool:
        """Whether it was cut off, so that what was read of it is not all."""
        return self._over

    def goes_on(self) -> None:
        """Lets it take as long as it will: it is a stream."""
        self._timer.cancel()

    def cut(self) -> None:
        """Ends it from any thread; whoever reads it gets an end or an OSError."""
        with self._lock:
            self._over = True
            for one in self._sockets:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends it, from the thread that reads it; may be called twice."""
        self._timer.cancel()
        with suppress(OSError, http.client.HTTPException):
            self.response.close()

    def _opened(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.append(connected)
            over = self._over
        if over:  # while it was being connected
            raise TimeoutError

    def _ask(self, address: Address, failure: str) -> http.client.HTTPResponse:
        headers = {"Cache-Control": "no-cache", "User-Agent": "handfoot"}
        request = urllib.request.Request(address.url, headers=headers)
        opener = urllib.request.OpenerDirector()
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        if address.user is not None:
            root = f"{address.scheme}://{request.host}/"
            passwords.add_password(None, root, address.user, address.password or "")
        for handler in (
            *self._handlers(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDigestAuthHandler(passwords),
            urllib.request.HTTPBasicAuthHandler(passwords),
        ):
            opener.add_handler(handler)
        # the errors of the library hold addresses, so none of them is quoted or chained
        try:
            response = opener.open(request, timeout=_SILENCE)
        except urllib.error.HTTPError as error:
            error.close()
            raise CameraError(_refusal(address, error.code)) from None
        except (OSError, ValueError, http.client.HTTPException):
            response = None
        if not isinstance(response, http.client.HTTPResponse):
            raise CameraError(f"{NAME} {failure}; {ADVICE}")
        return response

    def _handlers(self) -> tuple[urllib.request.BaseHandler, ...]:
        """What opens the connections, and notes their sockets so that they can be cut off."""
        opened = self._opened
        unchecked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without the certificates of authorities, which take long
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE

        class Plain(http.client.HTTPConnection):
            def connect(self) -> None:
                super().connect()
                opened(self.sock)

        class Secure(http.client.HTTPSConnection):
            def connect(self) -> None:
                super().connect()
                opened(self.sock)

        class PlainHandler(urllib.request.HTTPHandler):
            def http_open(self, req: urllib.request.Request) -> Any:
                return self.do_open(Plain, req)

        class SecureHandler(urllib.request.HTTPSHandler):
            def https_open(self, req: urllib.request.Request) -> Any:
                return self.do_open(Secure, req, context=unchecked)

        return PlainHandler(), SecureHandler()


def _refusal(address: Address, status: int) -> str:
    if status >= _SERVER_ERRORS:
        return f"{NAME} answers with the error {status}; wait a moment, or switch it off and on again"
    if status not in (401, 403):
        return f"{NAME} answers with the error {status}; check the part of its address behind the host"
    if address.user is None:
        return f"{NAME} asks for a user name and password; give them in its address, as in http://USER:PASSWORD@HOST/"
    return f"{NAME} refuses the user name or password of its address; check both, and that signs are percent-coded"
