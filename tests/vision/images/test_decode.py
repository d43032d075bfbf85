"""Decoding of photo files: upright, complete and of a sane size, or an error of one sentence."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import simplejpeg

from vision.checks.photo_checks import file_warnings
from vision.errors import PhotoError
from vision.images.decode import decode_photo, ends_in_filler, load_photo, photos_in
from vision.values import Pixels

# Corner colours of the upright test picture, BGR: top left, top right, bottom right, bottom left.
RED, GREEN, BLUE, WHITE = (0, 0, 230), (0, 200, 0), (230, 0, 0), (240, 240, 240)


def four_corners() -> Pixels:
    """(60, 100, 3): each quarter has its own colour, so that every rotation shows."""
    pixels = np.zeros((60, 100, 3), np.uint8)
    pixels[:30, :50], pixels[:30, 50:], pixels[30:, 50:], pixels[30:, :50] = RED, GREEN, BLUE, WHITE
    return pixels


# How the picture is stored for each value of the EXIF orientation (Exif 2.32, 4.6.4 A, tag 274).
STORED = {
    1: lambda upright: upright,
    2: lambda upright: upright[:, ::-1],
    3: lambda upright: upright[::-1, ::-1],
    4: lambda upright: upright[::-1],
    5: lambda upright: upright.transpose(1, 0, 2),
    6: lambda upright: np.rot90(upright, 1),
    7: lambda upright: np.rot90(upright.transpose(1, 0, 2), 2),
    8: lambda upright: np.rot90(upright, -1),
}


def noise() -> Pixels:
    """(300, 400, 3): hardly compressible, so that every part of the file is a part of the picture."""
    pixels = np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)
    return np.asarray(cv2.blur(pixels, (9, 9)), np.uint8)


def encode(pixels: Pixels, suffix: str = ".jpg") -> bytes:
    ok, data = cv2.imencode(suffix, np.ascontiguousarray(pixels))
    assert ok
    return data.tobytes()


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def huge_png(width: int, height: int) -> bytes:
    """A complete PNG file of a few bytes that would decode to gigabytes."""
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = png_chunk(b"IDAT", zlib.compress(b"\0" * 1_000_000, 9))
    return b"\x89PNG\r\n\x1a\n" + header + rows + png_chunk(b"IEND", b"")


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_each_file_type_is_decoded(suffix: str) -> None:
    photo = decode_photo(encode(four_corners(), suffix), f"a{suffix}")
    assert photo.pixels.shape == (60, 100, 3) and photo.pixels.dtype == np.uint8
    assert photo.source == f"a{suffix}" and photo.taken_at.utcoffset() is not None


@pytest.mark.parametrize("pixels", [np.full((60, 80), 200, np.uint8), np.full((60, 80, 4), 200, np.uint8)])
def test_grey_and_transparent_pictures_become_three_channels(pixels: Pixels) -> None:
    assert decode_photo(encode(pixels, ".png"), "a.png").pixels.shape == (60, 80, 3)


def test_the_size_of_lossless_webp_is_read() -> None:
    ok, data = cv2.imencode(".webp", four_corners(), [cv2.IMWRITE_WEBP_QUALITY, 101])
    assert ok and data.tobytes()[12:16] == b"VP8L"
    assert decode_photo(data.tobytes(), "a.webp").width == 100


@pytest.mark.parametrize("size", [(20_000, 20_000), (65_000, 2_000)])
def test_a_huge_picture_is_refused_before_it_is_decoded(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.images.decode._pixels", lambda *_: pytest.fail("was decoded"))
    with pytest.raises(PhotoError, match=f"{size[0]} x {size[1]} pixels.*110 megapixels"):
        decode_photo(huge_png(*size), "huge.png")


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.97])
def test_a_truncated_photo_is_refused(suffix: str, share: float) -> None:
    data = encode(noise(), suffix)
    with pytest.raises(PhotoError, match="cut off"):
        decode_photo(data[: int(len(data) * share)], "cut")


def test_a_jpeg_with_missing_data_before_its_end_marker_is_refused() -> None:
    data = encode(noise())
    with pytest.raises(PhotoError, match="part of the photo is missing"):
        decode_photo(data[: len(data) // 2] + b"\xff\xd9", "cut.jpg")


@pytest.mark.parametrize("edge", ["top", "bottom", "left", "right", "all"])
def test_a_whole_photo_may_have_a_grey_edge(edge: str) -> None:
    """A strip of the grey that decoders put where data is missing says nothing by itself."""
    pixels = noise()
    strips: dict[str, Any] = {
        "top": np.s_[:24],
        "bottom": np.s_[-24:],
        "left": np.s_[:, :24],
        "right": np.s_[:, -24:],
        "all": np.s_[:],
    }
    pixels[strips[edge]] = 128
    assert ends_in_filler(decode_photo(encode(pixels), "grey.jpg").pixels)


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_missing_data_is_noticed_whatever_the_colour_of_the_edge(progressive: bool, cut: float) -> None:
    """Also where the cut is within the rows that a grey edge covers, or a later scan ends early."""
    ok, coded = cv2.imencode(".jpg", noise(), [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)])
    assert ok
    with pytest.raises(PhotoError, match="part of the photo is missing"):
        decode_photo(coded.tobytes()[: int(len(coded) * cut)] + b"\xff\xd9", "cut.jpg")


@pytest.mark.parametrize(("suffix", "end"), [(".jpg", 1), (".jpg", 2), (".png", 7), (".png", 12)])
def test_a_photo_that_lacks_only_its_end_mark_is_read_and_said_to_be_short(suffix: str, end: int) -> None:
    whole = encode(noise(), suffix)
    frame = decode_photo(whole[:-end], "short")
    assert np.array_equal(frame.pixels, decode_photo(whole, "whole").pixels)
    assert frame.lacks_end and not decode_photo(whole, "whole").lacks_end
    assert [warning.code for warning in file_warnings(frame)] == ["lacks-end"]
    with pytest.raises(PhotoError, match="cut off"):
        decode_photo(whole[: -end - 60], "cut")


def test_a_photo_that_is_only_odd_is_read() -> None:
    """Cameras leave stray bytes behind the picture, at which decoders grumble."""
    data = encode(noise())
    strayed = data[:-2] + b"\x55" * 500 + data[-2:]
    with pytest.raises(ValueError, match="extraneous bytes"):
        simplejpeg.decode_jpeg(strayed)
    assert np.array_equal(decode_photo(strayed, "odd.jpg").pixels, decode_photo(data, "plain.jpg").pixels)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_a_photo_of_very_many_pixels_is_halved(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.images.decode.HALVED_ABOVE", 300 * 400 - 1)
    half = decode_photo(encode(noise(), suffix), "large")
    assert (half.width, half.height) == (200, 150)
    monkeypatch.undo()
    whole = cv2.resize(decode_photo(encode(noise(), suffix), "large").pixels, (200, 150), interpolation=cv2.INTER_AREA)
    assert np.abs(half.pixels.astype(int) - whole).mean() < 2


def test_data_after_the_end_of_a_jpeg_is_ignored() -> None:
    """Phones append videos and depth maps after the end-of-image marker."""
    assert decode_photo(encode(four_corners()) + b"\0" * 5000 + b"ftypmp42", "live.jpg").width == 100


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"to do: buy cards\n", "is not a photo; expected a JPEG, PNG or WebP"),
        (b"GIF89a" + b"\0" * 100, "is a GIF picture, which cannot be read here; save it as JPEG"),
        (b"MM\0*" + b"\0" * 100, "is a TIFF or raw photo, which cannot be read here"),
        (b"\0\0\0\x18ftypqt  " + b"\0" * 100, "is a video or a raw photo"),
        (b"\0\0\0\x08ftyp", "is a video or a raw photo"),
        (b"\xff\xd8\xff", "cut off"),
        (b"RIFF\xff\xff\0\0WEBP", "cut off"),
        (b"\x89PNG\r\n\x1a\n", "cut off"),
    ],
)
def test_a_file_that_is_not_a_photo_gets_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(PhotoError, match=words) as caught:
        decode_photo(data, "notes.jpg")
    assert str(caught.value).startswith("notes.jpg ") and "\n" not in str(caught.value)


def boxes(brand: bytes, *also: bytes) -> bytes:
    """The beginning of a file in boxes with its brand and those that it is compatible with."""
    return struct.pack(">I4s4sI", 16 + 4 * len(also), b"ftyp", brand, 0) + b"".join(also) + b"\0" * 50


@pytest.mark.parametrize("data", [boxes(b"heic", b"mif1"), boxes(b"heix"), boxes(b"mif1", b"heic"), boxes(b"mif1")])
def test_heic_is_refused_with_advice_where_it_cannot_be_read(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.images.heic.pi_heif", None)
    with pytest.raises(PhotoError, match=r"Settings > Camera > Formats > Most Compatible.*JPEG"):
        decode_photo(data, "IMG_1.HEIC")


@pytest.mark.parametrize("data", [boxes(b"avif", b"mif1"), boxes(b"mif1", b"miaf", b"avif"), boxes(b"avis")])
def test_avif_is_not_taken_for_heic(data: bytes) -> None:
    with pytest.raises(PhotoError, match=r"a\.avif is an AVIF picture, which cannot be read here; save it as JPEG"):
        decode_photo(data, "a.avif")


def test_a_thumbnail_is_refused() -> None:
    with pytest.raises(PhotoError, match="20 x 20"):
        decode_photo(encode(np.zeros((20, 20, 3), np.uint8)), "small.jpg")


def test_damaged_files_raise_nothing_but_photo_error() -> None:
    """Random changes of bytes give a picture or a PhotoError, nothing else."""
    rng = np.random.default_rng(7)
    for suffix in (".jpg", ".png", ".webp"):
        whole = encode(four_corners(), suffix)
        refused = 0
        for _ in range(150):
            data = bytearray(whole)
            for at in rng.integers(0, len(data), 4):
                data[at] = int(rng.integers(0, 256))
            try:
                decode_photo(bytes(data), "hurt")
            except PhotoError:
                refused += 1
        assert refused, suffix


def test_a_file_has_the_time_of_its_last_change(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(encode(four_corners()))
    os.utime(path, (1_700_000_000, 1_700_000_000))
    photo = load_photo(path)
    assert photo.taken_at.timestamp() == 1_700_000_000 and photo.source == str(path)


def test_a_file_that_cannot_be_opened_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="cannot be opened: No such file"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoError, match="is a folder"):
        load_photo(tmp_path)


def test_a_folder_means_its_photos_in_order(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "notes.txt", ".hidden.jpg", "c.heic"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "more.jpg").mkdir()
    assert [path.name for path in photos_in(tmp_path)] == ["a.png", "b.JPG", "c.heic"]
    assert photos_in(tmp_path / "a.png") == [tmp_path / "a.png"]


def test_a_photo_in_a_folder_counts_whatever_its_name(tmp_path: Path) -> None:
    for number, suffix in enumerate((".jpg", ".png", ".webp")):
        (tmp_path / f"{number}").write_bytes(encode(noise(), suffix))
        (tmp_path / f"{number}.tmp").write_bytes(encode(noise(), suffix))
    (tmp_path / "notes").write_bytes(b"to do: buy cards")
    assert [path.name for path in photos_in(tmp_path)] == ["0", "0.tmp", "1", "1.tmp", "2", "2.tmp"]


def test_a_folder_without_photos_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"x")
    with pytest.raises(PhotoError, match="holds no photo"):
        photos_in(tmp_path)
