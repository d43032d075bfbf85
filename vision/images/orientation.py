"""How a photo file says it is to be turned, and pixels turned upright.

After Exif 2.32 (tag 274), whose value phones write as SHORT and some programs as LONG, and XMP (``tiff:Orientation``).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

import cv2

from vision.images.file_header import jpeg_segments, png_chunks, webp_chunks
from vision.values import Pixels

_TAG = 274
_VALUE_TYPES = {1: "B", 3: "H", 4: "I", 8: "h", 9: "i"}
"""Types of a TIFF entry that hold one whole number, with their ``struct`` codes."""
_EXIF, _XMP = b"Exif\0\0", b"http://ns.adobe.com/xap/1.0/\0"
_PNG_XMP = b"XML:com.adobe.xmp\0"
_IN_XMP = re.compile(rb"tiff:Orientation\s*(?:=\s*[\"']|>)\s*([1-8])\b")
_TURNS: dict[int, Callable[[Any], Any]] = {
    2: lambda pixels: cv2.flip(pixels, 1),
    3: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_180),
    4: lambda pixels: cv2.flip(pixels, 0),
    5: cv2.transpose,
    6: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
    7: lambda pixels: cv2.flip(cv2.transpose(pixels), -1),
    8: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
}


def orientation(data: bytes) -> int:
    """The orientation of a photo, 1 to 8: from EXIF, or else from XMP, or else 1.

    Args:
        data: a JPEG, PNG or WebP file whose header was read.
    """
    blocks = list(_blocks(data))
    from_exif = (_from_tiff(block) for is_exif, block in blocks if is_exif)
    from_xmp = (int(found[1]) for is_exif, block in blocks if not is_exif and (found := _IN_XMP.search(block)))
    return next((value for values in (from_exif, from_xmp) for value in values if value is not None), 1)


def upright(pixels: Pixels, turn: int) -> Pixels:
    """Pixels (height, width, 3) as stored under an orientation, turned as the photo is looked at."""
    return _TURNS[turn](pixels) if turn in _TURNS else pixels


def _blocks(data: bytes) -> Iterator[tuple[bool, bytes]]:
    """The metadata of a photo file: whether each block is EXIF, from its TIFF header on, or XMP."""
    if data.startswith(b"\xff\xd8"):
        for marker, begin, end in jpeg_segments(data):
            body = data[begin + 4 : end] if marker == 0xE1 else b""
            if body.startswith(_EXIF):
                yield True, body.removeprefix(_EXIF)
            elif body.startswith(_XMP):
                yield False, body
    elif data.startswith(b"\x89PNG"):
        for kind, begin, end in png_chunks(data):
            body = data[begin + 8 : end - 4] if kind in (b"eXIf", b"iTXt") else b""
            if kind == b"eXIf":
                yield True, body
            elif body.startswith(_PNG_XMP):
                yield False, body
    else:
        for kind, begin, end in webp_chunks(data):
            if kind == b"EXIF":
                yield True, data[begin + 8 : end].removeprefix(_EXIF)
            elif kind == b"XMP ":
                yield False, data[begin + 8 : end]


def _from_tiff(tiff: bytes) -> int | None:
    """The orientation in the first directory of a TIFF structure; None where it is missing or invalid."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return None
    try:
        (at,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, at)
        for entry in range(at + 2, at + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(f"{order}HH", tiff, entry)
            if tag == _TAG and kind in _VALUE_TYPES:
                (value,) = struct.unpack_from(order + _VALUE_TYPES[kind], tiff, entry + 8)
                return int(value) if 1 <= value <= 8 else None
    except struct.error:
        pass
    return None
