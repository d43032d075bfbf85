"""Photo files of every kind, as phones and programs write them, with metadata."""

from __future__ import annotations

import base64
import struct

import cv2
import numpy as np

from tests.vision.images.test_decode import STORED, encode, four_corners, png_chunk
from vision.values import Pixels

PLACE = b"GPS 48.2082 N 16.3738 E"
SHORT, LONG = 3, 4
HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAbRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAA"
    "AAAERAAAIAAQAAAAAB2AABAAAAAAAAARQAAgAAAAAC7AABAAAAAAAAACQAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABodmMxAAAAABVp"
    "bmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAAA82lwcnAAAADTaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGE"
    "ABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBp95bq5Ka5uAhoMCAAAAMgAAAAwCEYgABAAZEAcFzwIkA"
    "AAAUaXNwZQAAAAAAAABAAAAAZAAAAChjbGFwAAAAPAAAAAEAAABkAAAAAf////wAAAACAAAAAAAAAAIAAAAQcGl4aQAAAAADCAgIAAAACWlyb3"
    "QDAAAAGGlwbWEAAAAAAAAAAQABBYECBIOFAAAAGmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAAFAbWRhdAAAARAoAa8O4DSBJevOof/8H3//4BUL"
    "vjiH/yt7dQYEojPX6F+pXwCdKD89XqYOgXsIscoGCLyLioWXkybHCAk7t3QEG0wfLqIA+naLvFTqYETdFGLX1htvvr9XaheDuDt/sb99kyCa+R"
    "AAFLNPtz88LJgit9n4vWtsCA58TQVRNz2Ap1L/ITukibhhnii9/3NoNTWVjHg5Ozfg9WBRxKBreLDSbf1WQhi60AwumgmZ5V26YUaL3tiHxJ2Z"
    "1RygNoyof//i1N4fQssVrr/YbaYuy//3BT7u4x4JfGevgVunjsASaMxhzS4aCCWPcngIUPUftSDML0swZksDg7oDXkYI8lRjuv6M1+CMUyicHq"
    "uwvYACEgAAAAZFeGlmAABNTQAqAAAACAABARIAAwAAAAEABgAAAAAAAA=="
)
"""``four_corners`` as a HEIC photo that is stored turned."""


def exif(turn: int | None, order: str = "<", kind: int = SHORT) -> bytes:
    """An EXIF block with a camera's name, an orientation and a GPS directory, as phones write it."""
    entries = [(271, 2, 24, 200), (34853, 4, 1, 300)]
    if turn is not None:
        entries.insert(1, (274, kind, 1, turn))
    block = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}IH", 8, len(entries))
    for tag, kind_of_value, count, value in entries:
        held = struct.pack(f"{order}HH", value, 0) if kind_of_value == SHORT else struct.pack(f"{order}I", value)
        block += struct.pack(f"{order}HHI", tag, kind_of_value, count) + held
    block += struct.pack(f"{order}I", 0)
    return block.ljust(200, b"\0") + PLACE.ljust(120, b"\0")


def xmp(turn: int | None = None, as_element: bool = False) -> bytes:
    """An XMP packet with a place, and with an orientation as an attribute or as an element."""
    attribute = f' tiff:Orientation="{turn}"' if turn and not as_element else ""
    element = f"<tiff:Orientation>{turn}</tiff:Orientation>" if turn and as_element else ""
    described = f"<rdf:Description{attribute} exif:GPSLatitude='{PLACE.decode()}'>{element}</rdf:Description>"
    return f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF>{described}</rdf:RDF></x:xmpmeta>".encode()


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def stored(turn: int) -> Pixels:
    """The test picture as stored under this orientation."""
    return np.ascontiguousarray(STORED[turn](four_corners()), np.uint8)


def jpeg_with(turn: int, exif_block: bytes | None, packet: bytes) -> bytes:
    """The picture as stored under an orientation, with this metadata, and a video after it, as some phones write."""
    data = encode(stored(turn))
    metadata = b"" if exif_block is None else segment(0xE1, b"Exif\0\0" + exif_block)
    metadata += segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet)
    metadata += segment(0xE2, b"MPF\0" + PLACE) + segment(0xED, b"Photoshop 3.0\0" + PLACE) + segment(0xFE, PLACE)
    return data[:2] + metadata + data[2:] + b"\0\0\0\x18ftypmp42" + PLACE


def png_with(turn: int, exif_block: bytes | None, packet: bytes) -> bytes:
    data = encode(stored(turn), ".png")
    metadata = png_chunk(b"tEXt", b"Comment\0" + PLACE)
    metadata += b"" if exif_block is None else png_chunk(b"eXIf", exif_block)
    metadata += png_chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + packet)
    return data[:33] + metadata + data[33:] + PLACE


def webp_with(turn: int, exif_block: bytes | None, packet: bytes) -> bytes:
    ok, coded = cv2.imencode(".webp", stored(turn), [cv2.IMWRITE_WEBP_QUALITY, 90])
    assert ok
    height, width = stored(turn).shape[:2]
    head = b"VP8X" + struct.pack("<I", 10) + bytes([0x04 if exif_block is None else 0x0C, 0, 0, 0])
    head += (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBP" + head + coded.tobytes()[12:]
    for kind, block in ((b"EXIF", exif_block), (b"XMP ", packet)):
        if block is not None:
            body += kind + struct.pack("<I", len(block)) + block + b"\0" * (len(block) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + bytes(body) + PLACE


def jpeg(turn: int) -> bytes:
    return jpeg_with(turn, exif(turn), xmp())


def png(turn: int) -> bytes:
    return png_with(turn, exif(turn), xmp())


def webp(turn: int) -> bytes:
    return webp_with(turn, exif(turn), xmp())
