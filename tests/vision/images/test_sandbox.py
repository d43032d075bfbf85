"""The decoder in a process of its own: what it gives back, and that nothing that is sent takes the page down."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import termios
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.images.test_decode import encode, noise, png_chunk
from tests.vision.images.test_strip_metadata import PLACE, jpeg
from vision.errors import PhotoError
from vision.images.decode import decode_photo
from vision.images.sandbox import LONGEST_KEPT, Decoder


@pytest.fixture(scope="module")
def decoder() -> Iterator[Decoder]:
    made = Decoder()
    yield made
    made.close()


def process_of(decoder: Decoder) -> int:
    assert decoder._process is not None
    return decoder._process.pid


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_a_photo_comes_back_as_it_is(decoder: Decoder, suffix: str) -> None:
    data = encode(noise(), suffix)
    frame, kept = decoder.decode(data, "Tisch übers Eck.jpg")
    assert kept == data and frame.source == "Tisch übers Eck.jpg"
    assert np.array_equal(frame.pixels, decode_photo(data, "a").pixels)


def test_what_is_kept_tells_no_place(decoder: Decoder) -> None:
    _, kept = decoder.decode(jpeg(6), "a.jpg")
    assert PLACE not in kept


def test_a_huge_photo_is_kept_smaller(decoder: Decoder) -> None:
    frame, kept = decoder.decode(encode(np.full((2200, 8000, 3), 90, np.uint8)), "wide.jpg")
    assert (frame.width, frame.height) == (LONGEST_KEPT, round(2200 * LONGEST_KEPT / 8000))
    assert np.array_equal(decode_photo(kept, "a").pixels, frame.pixels)


@pytest.mark.parametrize("data", [b"", b"text", encode(noise())[:9000]])
def test_a_bad_photo_is_one_sentence_and_the_same_process_goes_on(decoder: Decoder, data: bytes) -> None:
    decoder.decode(encode(noise()), "good.jpg")
    before = process_of(decoder)
    with pytest.raises(PhotoError, match=r"^bad\.jpg is "):
        decoder.decode(data, "bad.jpg")
    decoder.decode(encode(noise()), "good.jpg")
    assert process_of(decoder) == before


def test_a_process_that_dies_costs_one_photo_at_most(decoder: Decoder) -> None:
    decoder.decode(encode(noise()), "good.jpg")
    before = process_of(decoder)
    os.kill(before, signal.SIGSTOP)  # so that it has the photo when it dies
    threading.Thread(target=kill_once_it_is_asked, args=(decoder,), daemon=True).start()
    with pytest.raises(PhotoError, match=r"crash\.jpg could not be decoded"):
        decoder.decode(encode(noise()), "crash.jpg")
    assert decoder.decode(encode(noise()), "good.jpg")[0].width == 400
    assert process_of(decoder) != before


def kill_once_it_is_asked(decoder: Decoder) -> None:
    """Ends the decoder's process, which stands still, when something waits in its pipe."""
    process = decoder._process
    assert process is not None and process.stdin is not None
    while fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) == bytes(4):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)


def test_one_that_takes_too_long_is_put_aside() -> None:
    slow = Decoder(seconds=60)
    slow.decode(encode(noise()), "good.jpg")
    os.kill(process_of(slow), signal.SIGSTOP)  # as a file does that never comes to an end
    last_resort = threading.Timer(60, os.kill, (process_of(slow), signal.SIGKILL))
    last_resort.start()
    slow._seconds = 1.5
    with pytest.raises(PhotoError, match=r"slow\.jpg could not be decoded within the time"):
        slow.decode(encode(noise()), "slow.jpg")
    assert not last_resort.finished.is_set()
    last_resort.cancel()
    slow._seconds = 60  # the next process has to begin, too
    assert slow.decode(encode(noise()), "good.jpg")[0].width == 400
    slow.close()


def test_one_that_takes_too_much_memory_is_put_aside() -> None:
    narrow = Decoder(memory=40 * 1024**2)
    rows = zlib.compress(bytes(6000 * 3 + 1) * 6000, 1)
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 6000, 6000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + header + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")
    with pytest.raises(PhotoError):
        narrow.decode(bomb, "bomb.png")
    assert narrow.decode(encode(noise()), "good.jpg")[0].width == 400
    narrow.close()


def test_a_jpeg_of_thousands_of_scans_is_refused_before_it_is_decoded(decoder: Decoder) -> None:
    ok, coded = cv2.imencode(".jpg", noise(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert ok
    data = coded.tobytes()
    at = data.rindex(b"\xff\xda")
    with pytest.raises(PhotoError, match=r"is coded in \d+ scans"):
        decoder.decode(data[:-2] + data[at:-2] * 2000 + data[-2:], "scans.jpg")


def test_the_process_ends_with_the_page() -> None:
    made = Decoder()
    made.decode(encode(noise()), "good.jpg")
    process = made._process
    assert process is not None and process.stdin is not None
    process.stdin.close()  # as it is when the page is gone, whatever ended it
    assert process.wait(60) == 0
    assert not Path(f"/proc/{process.pid}").exists()
