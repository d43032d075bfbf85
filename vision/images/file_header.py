"""Reads kind, size and completeness of a picture file from its bytes, without decoding it.

Structure after ITU-T T.81 (JPEG), ISO/IEC 15948 (PNG), RFC 9649 (WebP) and ISO/IEC 23008-12 (HEIF).
"""

from __future__ import annotations

import re
import struct
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from vision.errors import PhotoError
from vision.images.heic import HeicError, can_read_heic, heic_size

_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_ANY_HEIF_BRANDS = frozenset({b"mif1", b"msf1", b"mif2", b"miaf"})
_HEIC_ADVICE = (
    "is an HEIC photo, which cannot be read here: on the iPhone choose Settings > Camera > Formats > Most Compatible "
    "and take it again, or send it as JPEG"
)
_OTHERS = {
    b"GIF8": "a GIF picture",
    b"II*\0": "a TIFF or raw photo",
    b"MM\0*": "a TIFF or raw photo",
    b"\xff\x0a": "a JPEG XL picture",
    b"\0\0\0\x0cJXL ": "a JPEG XL picture",
}
"""Kinds of pictures that are not read here, by how their files begin."""
_JPEG_END, _PNG_END = b"\xff\xd9", b"\0\0\0\0IEND\xae\x42\x60\x82"
# Within the coded data of a JPEG, a marker is FF and a byte that is not stuffing (00), restart (D0-D7) or fill (FF).
_JPEG_START, _PNG_START = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


@dataclass(frozen=True, slots=True)
class Header:
    """Header of a file that may be complete.

    ``kind`` is ``JPEG``, ``PNG``, ``WebP`` or ``HEIC``; ``width`` and ``height`` its stored size in pixels, before any
    EXIF rotation; ``scans`` the number of scans of a JPEG; ``missing`` the bytes of the end mark that the file lacks:
    only decoding shows whether the picture is whole then.
    """

    kind: str
    width: int
    height: int
    scans: int = 1
    missing: bytes = b""


def begins_as_photo(data: bytes) -> bool:
    """Whether a file with these first 12 bytes is a JPEG, PNG or WebP picture, or one of the HEIF family."""
    webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    brands = _HEIC_BRANDS | _AVIF_BRANDS | _ANY_HEIF_BRANDS
    return webp or data.startswith((_JPEG_START, _PNG_START)) or (data[4:8] == b"ftyp" and data[8:12] in brands)


def probe(data: bytes, name: str) -> Header:
    """Reads the header and checks that the file is complete, or lacks at most its end mark.

    Args:
        data: the whole file.
        name: the file's name in messages.

    Raises:
        PhotoError: empty, HEIC where that cannot be read, of no known kind, damaged, or cut off.
    """
    if not data:
        raise PhotoError(f"{name} is empty; take or send the photo again")
    try:
        if data.startswith(_JPEG_START):
            return _jpeg(data)
        if data.startswith(_PNG_START):
            return _png(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except (IndexError, struct.error):
        raise PhotoError(cut_off(name)) from None
    if data[4:8] == b"ftyp":
        return _in_boxes(data, name)
    for start, kind in _OTHERS.items():
        if data.startswith(start):
            raise PhotoError(f"{name} is {kind}, which cannot be read here; save it as JPEG and send that")
    raise PhotoError(f"{name} is not a photo; expected a JPEG, PNG or WebP file")


def cut_off(name: str) -> str:
    """The sentence about a file of which the end is missing."""
    return f"{name} is cut off: the end of the photo is missing; send it again, it may not have been copied whole"


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yields each marker segment of a JPEG file: the second byte of its marker, its start and its end.

    The coded data of a scan belongs to its segment. The last segment is the end-of-image marker, or, where the file
    lacks it, the scan that reaches to the end of the file.

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
            at = found.start() if found else len(data)
        yield marker, begin, at
        if marker == 0xD9 or (marker == 0xDA and at == len(data)):
            return


def png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yields each chunk of a PNG file: its name, its start and its end; IEND is the last, where the file has it.

    Raises:
        IndexError, struct.error: the file ends within another chunk.
    """
    at, kind = 8, b""
    while kind != b"IEND" and not (len(data) - at < len(_PNG_END) and _PNG_END.startswith(data[at:])):
        (length,) = struct.unpack_from(">I", data, at)
        begin, kind = at, data[at + 4 : at + 8]
        at += 12 + length
        if at > len(data):
            raise IndexError("a chunk that reaches past the end")
        yield kind, begin, at


def webp_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yields each chunk of a WebP file: its name, its start and its end, without padding."""
    at = 12
    while at + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, at)
        yield kind, at, at + 8 + length
        at += 8 + length + length % 2


def _in_boxes(data: bytes, name: str) -> Header:
    """The header of a file in boxes (ISO/IEC 14496-12), whose brands say what it holds.

    Raises:
        PhotoError: it is no HEIC photo, or that cannot be read.
    """
    (length,) = struct.unpack_from(">I", data)
    listed = data[8:12] + data[16 : min(length, 256)]  # the brand, then those that it is compatible with
    brands = [listed[at : at + 4] for at in range(0, len(listed), 4)] or [b""]
    if brands[0] in _AVIF_BRANDS or (brands[0] in _ANY_HEIF_BRANDS and _AVIF_BRANDS & set(brands)):
        raise PhotoError(f"{name} is an AVIF picture, which cannot be read here; save it as JPEG and send that")
    if not (_HEIC_BRANDS | _ANY_HEIF_BRANDS) & {brands[0]}:
        raise PhotoError(f"{name} is a video or a raw photo, not a photo that can be read here; send one as JPEG")
    if not can_read_heic():
        raise PhotoError(f"{name} {_HEIC_ADVICE}")
    try:
        return Header("HEIC", *heic_size(data))
    except HeicError as error:
        raise PhotoError(f"{name} is a damaged HEIC photo; take or send it again") from error


def _jpeg(data: bytes) -> Header:
    size, scans, marker = None, 0, 0
    for marker, begin, _ in jpeg_segments(data):
        scans += marker == 0xDA
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, begin + 5)
            size = (width, height)
    if size is None:
        raise IndexError("a JPEG that ends before its frame header")
    missing = b"" if marker == 0xD9 else _JPEG_END[data.endswith(_JPEG_END[:1]) :]
    return Header("JPEG", *size, scans, missing)


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    ((kind, _, end),) = deque(png_chunks(data), maxlen=1)
    return Header("PNG", width, height, missing=b"" if kind == b"IEND" else _PNG_END[len(data) - end :])


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
