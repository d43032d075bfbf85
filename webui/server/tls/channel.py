"""An encrypted connection, with every limit that a plain one has.

Waitress knows no TLS, but reads and writes a connection in three places only. There the bytes go through OpenSSL, in
the server's own loop: so the server sees who opened the connection, and counts and cuts it as any other.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from contextlib import suppress
from typing import Any

from webui.server.slow_clients import TimeoutChannel

HANDSHAKE_SECONDS = 10.0
"""In which the encryption must be agreed upon."""
_RECORD = 16 * 1024
"""Bytes that TLS sends at once at most (RFC 8446, 5.1)."""
_SENTENCE = b"This page is encrypted: its address begins with https://\n"
_PLAIN_ANSWER = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_SENTENCE), _SENTENCE)
)


class TlsChannel(TimeoutChannel):
    """One encrypted connection; ``sock`` is an ``ssl.SSLSocket`` whose handshake is yet to come."""

    def __init__(self, server: Any, sock: ssl.SSLSocket, addr: Any, adj: Any, map: Any = None) -> None:
        self._is_open = self._wants_to_write = False
        self._opened = time.monotonic()
        self._tls = threading.Lock()  # the loop reads while a thread of the server writes; OpenSSL allows one at a time
        super().__init__(server, sock, addr, adj, map=map)
        self.sendbuf_len = _RECORD

    def readable(self) -> bool:
        """Called by the server's loop at least once a second."""
        if self._is_open:
            return super().readable()
        if not self._is_cut and time.monotonic() - self._opened > HANDSHAKE_SECONDS:
            self.cut()
        return not self.will_close

    def writable(self) -> bool:
        return bool(super().writable() if self._is_open else self._wants_to_write or self.will_close)

    def handle_write(self) -> None:
        if self._is_open or self.will_close:
            super().handle_write()
        else:
            self._agree()

    def handle_read(self) -> None:
        if not self._is_open:
            self._agree()
        if not self._is_open:
            return
        try:
            with self._tls:
                data = self.socket.recv(self.adj.recv_bytes)
                while data and (more := self.socket.pending()):  # the loop would not hear of what is decrypted already
                    data += self.socket.recv(more)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            data = b""
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Sends a part of the data; returns of how many bytes."""
        try:
            with self._tls:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:  # the other side is gone
            if do_close:
                self.handle_close()
            else:
                self.will_close = True
            return 0

    def handle_close(self) -> None:
        if self._is_open and self.socket is not None and not self._is_cut:
            with suppress(OSError, ValueError), self._tls:
                self.socket.unwrap()  # says that this is the end; the other side's word is not waited for
        super().handle_close()

    def _agree(self) -> None:
        """Goes on with the handshake, as far as it comes without waiting."""
        self._wants_to_write = False
        try:
            self.socket.do_handshake()
        except ssl.SSLWantReadError:
            return
        except ssl.SSLWantWriteError:
            self._wants_to_write = True
            return
        except (OSError, ValueError) as error:
            if getattr(error, "reason", None) == "HTTP_REQUEST":
                self._answer_plain()
            self.handle_close()
            return
        self._is_open = True

    def _answer_plain(self) -> None:
        """Tells a browser that asked without encryption what is wrong."""
        with suppress(OSError):
            socket.socket.recv(self.socket, 65536)  # what is not read would break off the answer
            socket.socket.send(self.socket, _PLAIN_ANSWER)
