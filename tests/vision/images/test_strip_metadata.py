"""Metadata is removed and no pixel changes."""

from __future__ import annotations

import struct

import cv2
import numpy as np
import pytest

from tests.vision.images.test_decode import STORED, encode, four_corners, noise, png_chunk
from vision.images.decode import decode_photo
from vision.images.file_header import probe
from vision.images.strip_metadata import orientation, without_metadata
from vision.values import Pixels

PLACE = b"GPS 48.2082 N 16.3738 E"


def exif(turn: int, order: str = "<") -> bytes:
    """An EXIF block with a camera's name, an orientation and a GPS directory, as phones write it."""
    entries = [(271, 2, 24, 200), (274, 3, 1, turn), (34853, 4, 1, 300)]
    block = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}IH", 8, len(entries))
    for tag, kind, count, value in entries:
        held = struct.pack(f"{order}HH", value, 0) if kind == 3 else struct.pack(f"{order}I", value)
        block += struct.pack(f"{order}HHI", tag, kind, count) + held
    block += struct.pack(f"{order}I", 0)
    return block.ljust(200, b"\0") + PLACE.ljust(120, b"\0")


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def stored(turn: int) -> Pixels:
    """The test picture as stored under this orientation."""
    return np.asarray(STORED[turn](four_corners()), np.uint8)


def jpeg(turn: int, order: str = "<") -> bytes:
    data = encode(stored(turn))
    metadata = segment(0xE1, b"Exif\0\0" + exif(turn, order)) + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + PLACE)
    metadata += segment(0xE2, b"MPF\0" + PLACE) + segment(0xED, b"Photoshop 3.0\0" + PLACE) + segment(0xFE, PLACE)
    return (
        data[:2] + metadata + data[2:] + b"\0\0\0\x18ftypmp42" + PLACE
    )  # a video after the picture, as some phones write


def png(turn: int) -> bytes:
    data = encode(stored(turn), ".png")
    metadata = png_chunk(b"tEXt", b"Comment\0" + PLACE) + png_chunk(b"eXIf", exif(turn)) + png_chunk(b"iTXt", PLACE)
    return data[:33] + metadata + data[33:] + PLACE


def webp(turn: int) -> bytes:
    ok, coded = cv2.imencode(
        ".webp", np.ascontiguousarray(STORED[turn](four_corners())), [cv2.IMWRITE_WEBP_QUALITY, 90]
    )
    assert ok
    height, width = STORED[turn](four_corners()).shape[:2]
    head = b"VP8X" + struct.pack("<I", 10) + bytes([0x2C, 0, 0, 0])
    head += (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    block = exif(turn)
    rest = b"EXIF" + struct.pack("<I", len(block)) + block + b"XMP " + struct.pack("<I", len(PLACE)) + PLACE + b"\0"
    body = b"WEBP" + head + coded.tobytes()[12:] + rest
    return b"RIFF" + struct.pack("<I", len(body)) + bytes(body) + PLACE


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("make", [jpeg, lambda turn: jpeg(turn, ">"), png, webp], ids=["jpeg", "big", "png", "webp"])
def test_the_location_is_gone_and_every_pixel_is_the_same(make: object, turn: int) -> None:
    assert callable(make)
    data = make(turn)
    assert PLACE in data
    before = decode_photo(data, "a").pixels
    kept = without_metadata(data)
    assert PLACE not in kept and b"GPS" not in kept and b"adobe" not in kept and b"ftyp" not in kept
    assert probe(kept, "a") == probe(data, "a")
    assert np.array_equal(decode_photo(kept, "a").pixels, before)
    assert without_metadata(kept) == kept


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_a_photo_without_metadata_stays_unchanged(suffix: str) -> None:
    data = encode(noise(), suffix)
    assert without_metadata(data) == data


def test_progressive_pictures_keep_all_their_scans() -> None:
    ok, coded = cv2.imencode(".jpg", noise(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert ok
    data = coded.tobytes()
    assert probe(data, "a").scans > 1
    metadata = data[:2] + segment(0xE1, b"Exif\0\0" + exif(1)) + data[2:]
    assert without_metadata(metadata) == data


@pytest.mark.parametrize("block", [b"", b"II*\0", b"II*\0\xff\xff\xff\xff", b"PNG", exif(9), exif(1)[:40]])
def test_an_invalid_exif_block_means_no_rotation(block: bytes) -> None:
    assert orientation(block) == 1
