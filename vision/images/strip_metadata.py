"""Removes metadata from photo files: place, time, owner, thumbnail, comments and embedded videos.

Nothing is decoded and no pixel changes. Only the EXIF orientation (tag 274) stays.
Structure after ITU-T T.81 (JPEG), ISO/IEC 15948 (PNG), RFC 9649 (WebP) and Exif 2.32.
"""

from __future__ import annotations

import struct
import zlib

from vision.images.file_header import jpeg_segments, png_chunks

_APP0, _APP14, _APP15, _COMMENT = 0xE0, 0xEE, 0xEF, 0xFE
_RESERVED = range(0xF0, 0xFE)
_WEBP_PICTURE = (b"ALPH", b"VP8 ", b"VP8L", b"ANIM", b"ANMF")
_WEBP_ALPHA_AND_ANIMATION, _WEBP_EXIF = 0x12, 0x08


def without_metadata(data: bytes) -> bytes:
    """The same picture without metadata.

    Args:
        data: a complete JPEG, PNG or WebP file, as checked by ``vision.images.file_header.probe``; anything else is
            returned unchanged.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and data[12:16] == b"VP8X":
        return _webp(data)
    return data


def orientation(tiff: bytes) -> int:
    """The EXIF orientation, 1 to 8, from the TIFF structure of an EXIF block; 1 where it is missing or invalid."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return 1
    try:
        (at,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, at)
        for entry in range(count):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, at + 2 + 12 * entry)
            if tag == 274:
                return value if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1


def _exif(value: int) -> bytes:
    """An EXIF block, from its TIFF header on, with nothing but the orientation."""
    return b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 274, 3, 1, value, 0, 0)


def _jpeg(data: bytes) -> bytes:
    header, kept, turn = b"", [], 1
    for marker, begin, end in jpeg_segments(data):
        body = data[begin + 4 : end]
        if marker == 0xE1 and body.startswith(b"Exif\0\0") and turn == 1:
            turn = orientation(body[6:])
        elif marker == _APP0 and body.startswith(b"JFIF\0") and not header:
            header = data[begin:end]
        elif (marker == _APP14 and body.startswith(b"Adobe")) or not (
            _APP0 <= marker <= _APP15 or marker == _COMMENT or marker in _RESERVED
        ):  # the Adobe segment says how the colours are coded
            kept.append(data[begin:end])
    if turn != 1:
        block = b"Exif\0\0" + _exif(turn)
        header += b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block
    return data[:2] + header + b"".join(kept)


def _png(data: bytes) -> bytes:
    kept, turn = [], 1
    for kind, begin, end in png_chunks(data):
        if kind == b"eXIf":
            turn = orientation(data[begin + 8 : end - 4])
        elif kind[:1].isupper() or kind == b"tRNS":  # critical chunks, and the transparent colour
            kept.append(data[begin:end])
    if turn != 1:
        body = b"eXIf" + _exif(turn)
        kept.insert(1, struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body)))
    return data[:8] + b"".join(kept)


def _webp(data: bytes) -> bytes:
    ends = min(8 + struct.unpack_from("<I", data, 4)[0], len(data))
    at, kept, turn = 30, b"", 1
    while at + 8 <= ends:
        kind, length = struct.unpack_from("<4sI", data, at)
        end = at + 8 + length + length % 2
        if kind == b"EXIF":
            turn = orientation(data[at + 8 : at + 8 + length].removeprefix(b"Exif\0\0"))
        elif kind in _WEBP_PICTURE:
            kept += data[at:end]
        at = end
    flags = data[20] & _WEBP_ALPHA_AND_ANIMATION
    if turn != 1:
        block = _exif(turn)
        kept += b"EXIF" + struct.pack("<I", len(block)) + block
        flags |= _WEBP_EXIF
    body = b"WEBP" + data[12:20] + bytes([flags]) + data[21:30] + kept
    return b"RIFF" + struct.pack("<I", len(body)) + body
