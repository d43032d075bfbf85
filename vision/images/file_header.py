"""Reads kind, size and completeness of a picture file from its bytes, without decoding it.

Pillow reads headers of JPEG and PNG; for a WebP's size it would need the memory of all its pixels.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass

from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

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
_JPEG_START, _PNG_START, _SCAN = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"\xff\xda"
_JPEG_END, _PNG_END = b"\xff\xd9", b"\0\0\0\0IEND\xae\x42\x60\x82"


@dataclass(frozen=True, slots=True)
class Header:
    """Header of a file.

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
    brands = _HEIC_BRANDS | _AVIF_BRANDS | _ANY_HEIF_BRANDS
    is_in_boxes = data[4:8] == b"ftyp" and data[8:12] in brands
    return is_in_boxes or _is_webp(data) or data.startswith((_JPEG_START, _PNG_START))


def probe(data: bytes, name: str) -> Header:
    """Reads the header and checks that a PNG or WebP file is complete, or lacks at most its end mark.

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
            picture = opened(data)
            # from there on all is coded, and no marker stands in it but those of further scans
            begin = picture.fp.tell() if picture.fp else 0
            end = data.find(_JPEG_END, begin)
            scans = 1 + data.count(_SCAN, begin, end if end > 0 else None)
            return Header("JPEG", *picture.size, scans, b"" if end > 0 else _JPEG_END)
        if data.startswith(_PNG_START):
            marks = (_PNG_END[n:] for n in range(len(_PNG_END), -1, -1) if data.endswith(_PNG_END[:n]))
            missing = b"" if _PNG_END[4:] in data else next(marks)
            opened(data + missing).verify()
            return Header("PNG", *opened(data).size, missing=missing)
        if _is_webp(data):
            return _webp(data)
    except (SyntaxError, OSError, IndexError, struct.error):
        raise PhotoError(cut_off(name)) from None
    except ValueError:  # such as a text of gigabytes
        raise PhotoError(f"{name} is a damaged file; take or send the photo again") from None
    if data[4:8] == b"ftyp":
        return _in_boxes(data, name)
    for start, kind in _OTHERS.items():
        if data.startswith(start):
            raise PhotoError(f"{name} is {kind}, which cannot be read here; save it as JPEG and send that")
    raise PhotoError(f"{name} is not a photo; expected a JPEG, PNG or WebP file")


def opened(data: bytes) -> ImageFile:
    """A JPEG, PNG or WebP file of which the header was read.

    Raises:
        SyntaxError, OSError, ValueError: it is damaged, or ends before its picture begins.
    """
    kind = JpegImageFile if data.startswith(_JPEG_START) else PngImageFile if data.startswith(_PNG_START) else None
    return (kind or WebPImageFile)(io.BytesIO(data))


def cut_off(name: str) -> str:
    """The sentence about a file of which the end is missing."""
    return f"{name} is cut off: the end of the photo is missing; send it again, it may not have been copied whole"


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


def _is_webp(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def _webp(data: bytes) -> Header:
    """The header of a WebP file that is as long as it says (RFC 9649)."""
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
