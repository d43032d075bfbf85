"""Small files that claim to be photos and would exhaust memory or time."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import cv2
import numpy as np

from tests.vision.images.test_decode import huge_png, png_chunk

_MEGABYTE = bytes(2**20)


def _zeros(megabytes: int) -> bytes:
    """Zeros, compressed to about a thousandth: one compressed megabyte that stands there again and again (RFC 1950)."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(_MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)  # refers to nothing before it
    adler = (megabytes * len(_MEGABYTE) % 65521) << 16 | 1
    return b"\x78\xda" + block * megabytes + packer.flush() + struct.pack(">I", adler)


def _png(width: int, height: int, *chunks: bytes, interlaced: bool = False, kind: int = 2) -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, int(interlaced)))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + png_chunk(b"IEND", b"")


def _jpeg(progressive: bool = False) -> bytes:
    pixels = np.full((480, 640, 3), 90, np.uint8)
    ok, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)])
    assert ok
    return data.tobytes()


def _sized(width: int, height: int) -> bytes:
    """A JPEG whose frame header claims another size."""
    data = bytearray(_jpeg())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def _two_sizes() -> bytes:
    """A JPEG with two frame headers: first 900 megapixels, then a small size."""
    data = _jpeg()
    at = data.index(b"\xff\xc0")
    (length,) = struct.unpack_from(">H", data, at + 2)
    frame = data[at : at + 2 + length]
    large = frame[:5] + struct.pack(">HH", 30_000, 30_000) + frame[9:]
    return data[:at] + large + data[at:]


def _scans() -> bytes:
    data = _jpeg(progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * 3000 + data[-2:]


def _webp(head: bytes) -> bytes:
    body = b"WEBP" + head
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _zip() -> bytes:
    """A zip file of zip files, a gigabyte in all when unpacked."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("0", "w") as file:
        for _ in range(100):
            file.write(_MEGABYTE)
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(10):
            packed.writestr(f"{number}.jpg", inner.getvalue())
    return outer.getvalue()


def _row() -> bytes:
    return png_chunk(b"IDAT", zlib.compress(bytes(256 * (256 * 3 + 1))))


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "png-400-megapixels": (lambda: huge_png(20_000, 20_000), "is 20000 x 20000 pixels"),
    "png-longest-side": (lambda: _png(2**31 - 1, 1, _row()), "is 2147483647 x 1 pixels"),
    "png-text": (lambda: _png(256, 256, png_chunk(b"zTXt", b"a\0\0" + _zeros(300)), _row()), "is a damaged file"),
    "png-profile": (lambda: _png(256, 256, png_chunk(b"iCCP", b"a\0\0" + _zeros(300)), _row()), "is a damaged file"),
    "png-more-than-it-says": (lambda: _png(256, 256, png_chunk(b"IDAT", _zeros(200))), "No cards found"),
    "png-interlaced": (
        lambda: _png(9000, 9000, png_chunk(b"IDAT", _zeros(300)), interlaced=True),
        "No cards found",
    ),
    "png-interlaced-huge": (lambda: _png(11000, 11000, _row(), interlaced=True), "is 11000 x 11000 pixels"),
    "jpeg-4-gigapixels": (lambda: _sized(65_500, 65_500), "is 65500 x 65500 pixels"),
    "jpeg-two-sizes": (_two_sizes, "is a damaged JPEG file"),
    "jpeg-scans": (_scans, "scans, which no camera does"),
    "webp-lossless": (
        lambda: _webp(b"VP8L" + struct.pack("<IBI", 5, 0x2F, 0x0FFFFFFF) + b"\0"),
        "is 16384 x 16384 pixels",
    ),
    "webp-canvas": (
        lambda: _webp(b"VP8X" + struct.pack("<I", 10) + bytes(4) + b"\xff" * 6),
        "is 16777216 x 16777216 pixels",
    ),
    "zip": (_zip, "is not a photo"),
}
"""What makes each file, by name, and a part of the sentence that the page must answer."""
