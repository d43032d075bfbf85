"""Reads kind, size and completeness of a picture file from its bytes, without decoding it.

Structure after ITU-T T.81 (JPEG), ISO/IEC 15948 (PNG), RFC 9649 (WebP) and ISO/IEC 23008-12 (HEIF).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from vision.errors import PhotoError

_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"})
_HEIC_ADVICE = (
    "is an HEIC photo, which cannot be read here: on the iPhone choose Settings > Camera > Formats > Most Compatible "
    "and take it again, or send it as JPEG"
)
# Within the coded data of a JPEG, a marker is FF and a byte that is not stuffing (00), restart (D0-D7) or fill (FF).
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


@dataclass(frozen=True, slots=True)
class Header:
    """Header of a complete file: its kind, its stored size in pixels, before any EXIF rotation, and the number of scans
    of a JPEG."""

    kind: str
    width: int
    height: int
    scans: int = 1


def probe(data: bytes, name: str) -> Header:
    """Reads the header and checks that the file is complete.

    Args:
        data: the whole file.
        name: the file's name in messages.

    Raises:
        PhotoError: empty, HEIC, of no known kind, or cut off.
    """
    if not data:
        raise PhotoError(f"{name} is empty; take or send the photo again")
    try:
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _png(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except (IndexError, struct.error):
        raise PhotoError(
            f"{name} is cut off: the end of the photo is missing; send it again, it may not have been copied whole"
        ) from None
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        raise PhotoError(f"{name} {_HEIC_ADVICE}")
    raise PhotoError(f"{name} is not a photo; expected a JPEG, PNG or WebP file")


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yields each marker segment of a JPEG file: the second byte of its marker, its start and its end.

    The coded data of a scan belongs to its segment; the last segment is the end-of-image marker.

    Raises:
        IndexError, struct.error: the file ends before that.
    """
    at = 2
    while True:
        while data[at] != 0xFF or data[at + 1] == 0xFF:  # fill bytes, and the odd stray byte between segments
            at += 1
        marker, begin = data[at + 1], at
        at += 2
        if marker != 0x01 and not 0xD0 <= marker <= 0xD9:
            at += struct.unpack_from(">H", data, at)[0]
        if marker == 0xDA:
            found = _MARKER.search(data, at)
            if found is None:
                raise IndexError("coded data without an end")
            at = found.start()
        yield marker, begin, at
        if marker == 0xD9:
            return


def png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yields each chunk of a PNG file: its name, its start and its end; IEND is the last.

    Raises:
        IndexError, struct.error: the file ends before that.
    """
    at, kind = 8, b""
    while kind != b"IEND":
        (length,) = struct.unpack_from(">I", data, at)
        begin, kind = at, data[at + 4 : at + 8]
        at += 12 + length
        if at > len(data):
            raise IndexError("a chunk that reaches past the end")
        yield kind, begin, at


def _jpeg(data: bytes) -> Header:
    size, scans = None, 0
    for marker, begin, _ in jpeg_segments(data):
        scans += marker == 0xDA
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, begin + 5)
            size = (width, height)
    if size is None:
        raise IndexError("a JPEG that ends before its frame header")
    return Header("JPEG", *size, scans)


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    for _ in png_chunks(data):
        pass
    return Header("PNG", width, height)


def _webp(data: bytes) -> Header:
    (length,) = struct.unpack_from("<I", data, 4)
    if len(data) < length + 8:
        raise IndexError("a RIFF file shorter than it says")
    kind = data[12:16]
    if kind == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    else:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    return Header("WebP", width, height)
