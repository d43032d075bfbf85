"""The sandboxed decoder: its results, and that no file can harm the program."""

from __future__ import annotations

import fcntl
import io
import os
import signal
import struct
import termios
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL.JpegImagePlugin import JpegImageFile

from tests.vision.images.photo_files import PLACE, jpeg, png, webp
from tests.vision.images.test_decode import encode, noise, png_chunk
from vision.errors import PhotoError
from vision.images.decode import decode_photo
from vision.images.sandbox import LONGEST_KEPT, Decoder, file_to_store


@pytest.fixture(scope="module")
def decoder() -> Iterator[Decoder]:
    made = Decoder()
    yield made
    made.close()


def process_of(decoder: Decoder) -> int:
    assert decoder._process is not None
    return decoder._process.pid


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_a_photo_is_read_as_it_was_sent_and_stored_encoded_anew(decoder: Decoder, suffix: str) -> None:
    data = encode(noise(), suffix)
    frame, kept = decoder.decode(data, "Tisch übers Eck.jpg")
    assert np.array_equal(frame.pixels, decode_photo(data, "a").pixels) and frame.source == "Tisch übers Eck.jpg"
    assert kept == file_to_store(frame.pixels)
    assert np.abs(decode_photo(kept, "a").pixels.astype(int) - frame.pixels).mean() < 4


@pytest.mark.parametrize("make", [jpeg, png, webp])
def test_the_stored_file_is_upright_and_holds_nothing_but_the_picture(
    decoder: Decoder, make: Callable[[int], bytes]
) -> None:
    data = make(6)
    frame, kept = decoder.decode(data, "a.jpg")
    assert PLACE in data and PLACE not in kept
    assert {name for name, _ in JpegImageFile(io.BytesIO(kept)).applist} == {"APP0"}, (
        "no comment and no application's data but JFIF"
    )
    assert np.array_equal(frame.pixels, decode_photo(data, "a").pixels)
    assert decode_photo(kept, "a").pixels.shape == frame.pixels.shape


def test_a_huge_photo_is_read_and_stored_smaller(decoder: Decoder) -> None:
    frame, kept = decoder.decode(encode(np.full((2200, 8000, 3), 90, np.uint8)), "wide.jpg")
    assert (frame.width, frame.height) == (LONGEST_KEPT, round(2200 * LONGEST_KEPT / 8000))
    assert decode_photo(kept, "a").pixels.shape == frame.pixels.shape


@pytest.mark.parametrize("progressive", [False, True])
def test_a_photo_of_108_megapixels_stays_within_the_memory(decoder: Decoder, progressive: bool) -> None:
    pixels = np.full((9000, 12000, 3), 90, np.uint8)
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)]
    options += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    ok, data = cv2.imencode(".jpg", pixels, options)
    assert ok
    frame, _ = decoder.decode(data.tobytes(), "large.jpg")
    assert (frame.width, frame.height) == (LONGEST_KEPT, 3072)


def test_a_photo_without_its_end_mark_is_said_to_be_short(decoder: Decoder) -> None:
    assert decoder.decode(encode(noise())[:-2], "short.jpg")[0].lacks_end
    assert not decoder.decode(encode(noise()), "whole.jpg")[0].lacks_end


@pytest.mark.parametrize("data", [b"", b"text", encode(noise())[:9000]])
def test_a_bad_photo_is_one_sentence_and_the_process_survives(decoder: Decoder, data: bytes) -> None:
    decoder.decode(encode(noise()), "good.jpg")
    before = process_of(decoder)
    with pytest.raises(PhotoError, match=r"^bad\.jpg is "):
        decoder.decode(data, "bad.jpg")
    decoder.decode(encode(noise()), "good.jpg")
    assert process_of(decoder) == before


def test_a_crash_costs_one_photo_at_most(decoder: Decoder) -> None:
    decoder.decode(encode(noise()), "good.jpg")
    before = process_of(decoder)
    os.kill(before, signal.SIGSTOP)  # so that it dies while it has the photo
    threading.Thread(target=kill_when_asked, args=(decoder,), daemon=True).start()
    with pytest.raises(PhotoError, match=r"crash\.jpg could not be decoded"):
        decoder.decode(encode(noise()), "crash.jpg")
    assert decoder.decode(encode(noise()), "good.jpg")[0].width == 400
    assert process_of(decoder) != before


def kill_when_asked(decoder: Decoder) -> None:
    """Kills the stopped process as soon as a request waits in its pipe."""
    process = decoder._process
    assert process is not None and process.stdin is not None
    while fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) == bytes(4):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)


def test_a_photo_that_takes_too_long_is_refused() -> None:
    slow = Decoder(seconds=60)
    slow.decode(encode(noise()), "good.jpg")
    os.kill(process_of(slow), signal.SIGSTOP)  # like a file that never finishes
    last_resort = threading.Timer(60, os.kill, (process_of(slow), signal.SIGKILL))
    last_resort.start()
    slow._seconds = 1.5
    with pytest.raises(PhotoError, match=r"slow\.jpg could not be decoded within the time"):
        slow.decode(encode(noise()), "slow.jpg")
    assert not last_resort.finished.is_set()
    last_resort.cancel()
    slow._seconds = 60  # enough time for the next process to start
    assert slow.decode(encode(noise()), "good.jpg")[0].width == 400
    slow.close()


def test_a_photo_that_takes_too_much_memory_is_refused() -> None:
    small = Decoder(memory=40 * 1024**2)
    rows = zlib.compress(bytes(6000 * 3 + 1) * 6000, 1)
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 6000, 6000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + header + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")
    with pytest.raises(PhotoError):
        small.decode(bomb, "bomb.png")
    assert small.decode(encode(noise()), "good.jpg")[0].width == 400
    small.close()


def test_a_jpeg_of_thousands_of_scans_is_refused_before_decoding(decoder: Decoder) -> None:
    ok, coded = cv2.imencode(".jpg", noise(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert ok
    data = coded.tobytes()
    at = data.rindex(b"\xff\xda")
    with pytest.raises(PhotoError, match=r"is coded in \d+ scans"):
        decoder.decode(data[:-2] + data[at:-2] * 2000 + data[-2:], "scans.jpg")


def test_the_process_ends_with_its_parent() -> None:
    made = Decoder()
    made.decode(encode(noise()), "good.jpg")
    process = made._process
    assert process is not None and process.stdin is not None
    process.stdin.close()  # as when the parent is gone for any reason
    assert process.wait(60) == 0
    assert not Path(f"/proc/{process.pid}").exists()
