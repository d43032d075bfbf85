"""The pictures in an answer: one in all, or one after the other. What it is, its first bytes say, not its type.

Cameras call their stream a picture, their picture a text, and both a file; many give no boundary, or another one.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator

_MAX_BYTES = 32 * 1024 * 1024
"""Bytes of a picture at most."""
_MAX_LINE = 1 << 16
_CHUNK = 1 << 16
_PICTURE = re.compile(rb"\xff\xd8\xff|\x89PNG\r\n|RIFF.{4}WEBP", re.DOTALL)
_PARTS = re.compile(rb"(?:\r?\n)*--[^\r\n]")
_NEXT = re.compile(rb"\xff\xd9(?:\r\n)*(?:\xff\xd8\xff|--)")
"""Where a JPEG ends and another one, or a boundary, follows."""


class EndlessError(ValueError):
    """Another picture follows where one was expected."""


def begins_as_picture(response: http.client.HTTPResponse) -> bool:
    """Whether the body begins as a JPEG, PNG or WebP picture does."""
    return bool(_PICTURE.match(response.peek(12)))


def begins_as_parts(response: http.client.HTTPResponse) -> bool:
    """Whether the body is multipart, by its type or its first bytes."""
    return response.headers.get_content_maintype() == "multipart" or bool(_PARTS.match(response.peek(16)))


def whole_picture(response: http.client.HTTPResponse) -> bytes:
    """The whole body, which is one picture.

    Raises:
        OSError, HTTPException: the connection breaks off.
        EndlessError: another picture follows it.
        ValueError: it is too large.
    """
    data, length = bytearray(), response.length
    while length is None or len(data) < length:
        part = response.read1(_CHUNK if length is None else min(length - len(data), _CHUNK))
        if not part:
            break
        seen = max(0, len(data) - 16)
        data += part
        if length is None and _NEXT.search(data, seen):
            raise EndlessError
        if len(data) > _MAX_BYTES:
            raise ValueError("too large")
    if length is not None and len(data) < length:
        raise ConnectionResetError
    return bytes(data)


def parts(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The bodies of a multipart answer (RFC 2046, 5.1), whatever its boundary: the first line with dashes gives it.

    Raises:
        OSError, HTTPException: the connection breaks off, or is silent.
        ValueError: a part is too large.
    """
    boundary: bytes | None = None
    line = response.readline(_MAX_LINE)
    while line:
        if boundary is None and line.startswith(b"--"):
            boundary = _bare(line)
        if not _is_boundary(line, boundary):
            line = response.readline(_MAX_LINE)
            continue
        length = http.client.parse_headers(response)["Content-Length"]
        if length is None:
            data = bytearray()
            while (line := response.readline(_MAX_LINE)) and not _is_boundary(line, boundary):
                data += line
                if len(data) > _MAX_BYTES:
                    raise ValueError("too large")
            if line:  # else the last part has broken off
                yield bytes(data)
        elif 0 < int(length) <= _MAX_BYTES:
            whole = response.read(int(length))
            if len(whole) == int(length):
                yield whole  # at once: what comes next may be seconds away
            line = response.readline(_MAX_LINE)
        else:
            raise ValueError("too large")


def _is_boundary(line: bytes, boundary: bytes | None) -> bool:
    return line.startswith(b"--") and _bare(line) == boundary


def _bare(line: bytes) -> bytes:
    return line.rstrip(b"\r\n-").lstrip(b"-")
