"""Decodes photos that strangers may have made, in a process of its own with bounds of time and memory.

A file that is built to make a decoder crash, loop or swell takes that process down and nothing else; the next photo
gets a new one. What comes back is the picture, and the file as it is to be kept: without its metadata, and no larger
than anything here needs.
"""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO

import cv2
import numpy as np

from vision.errors import PhotoError
from vision.images.decode import decode_photo
from vision.images.file_header import probe
from vision.images.jpeg import to_jpeg
from vision.images.strip_metadata import without_metadata
from vision.values import Frame, Pixels

SECONDS = 20.0
"""A photo of 64 megapixels takes a Raspberry Pi 4 some 5 s."""
ROOM = 1536 * 1024**2
"""Bytes that decoding one may take; a progressive JPEG of 64 megapixels takes 0.8 GB."""
LONGEST_KEPT = 4096
"""Pixels; larger photos are kept smaller, as every look at one holds all of its pixels."""
_QUALITY = 92
_QUESTION, _ANSWER = struct.Struct(">IQ"), struct.Struct(">III Q")
_ROOT = Path(__file__).resolve().parents[2]


class Decoder:
    """Safe to use from several threads; photos are decoded one at a time."""

    def __init__(self, seconds: float = SECONDS, room: int = ROOM) -> None:
        self._seconds, self._room = seconds, room
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def decode(self, data: bytes, name: str) -> tuple[Frame, bytes]:
        """Decodes a JPEG, PNG or WebP file as ``vision.images.decode.decode_photo`` does.

        Returns:
            The picture, its longer side no more than LONGEST_KEPT, and the file to keep, which decodes to it.

        Raises:
            PhotoError: as ``decode_photo`` does; also where it takes too long or too much memory.
        """
        with self._lock, self._at_work(name) as (question, answer):
            encoded = name.encode("utf-8", "replace")
            question.write(_QUESTION.pack(len(encoded), len(data)) + encoded)
            question.write(data)
            question.flush()
            trouble, height, width, size = _ANSWER.unpack(_whole(answer, _ANSWER.size))
            if trouble:
                raise PhotoError(bytes(_whole(answer, trouble)).decode())
            kept = bytes(_whole(answer, size))
            pixels = np.frombuffer(_whole(answer, height * width * 3), np.uint8).reshape(height, width, 3)
        return Frame(pixels, datetime.now(UTC), name), kept

    def close(self) -> None:
        """Ends the process; another begins when it is needed."""
        with self._lock:
            self._end()

    @contextlib.contextmanager
    def _at_work(self, name: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The process's pipes; it is ended when its time is over, and where it ends a photo is at fault."""
        if self._process is None or self._process.poll() is not None:
            self._begin()
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        clock = threading.Timer(self._seconds, process.kill)
        clock.start()
        try:
            yield process.stdin, process.stdout
        except (OSError, EOFError) as error:
            self._end()
            raise PhotoError(
                f"{name} could not be decoded within the time and memory that a photo takes; take it again, or send it "
                "smaller"
            ) from error
        finally:
            clock.cancel()

    def _begin(self) -> None:
        self._end()
        paths = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from vision.images.sandbox import work; work({self._room})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # Ctrl+C is for the page; this ends with it
        )

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self._process = None


@cache
def shared_decoder() -> Decoder:
    """The one decoder of this program."""
    return Decoder()


def work(room: int) -> None:
    """What the process does: answers questions until there are no more."""
    _confine(room)
    cv2.setNumThreads(1)
    question, answer = sys.stdin.buffer, sys.stdout.buffer
    while head := question.read(_QUESTION.size):
        length, size = _QUESTION.unpack(head)
        name = question.read(length).decode()
        try:
            pixels, kept = _develop(question.read(size), name)
        except (PhotoError, MemoryError) as error:
            words = str(error) or f"{name} takes more memory than a photo does; send it smaller"
            answer.write(_ANSWER.pack(len(words.encode()), 0, 0, 0) + words.encode())
        else:
            answer.write(_ANSWER.pack(0, pixels.shape[0], pixels.shape[1], len(kept)) + kept)
            answer.write(np.ascontiguousarray(pixels).data)
        answer.flush()


def _develop(data: bytes, name: str) -> tuple[Pixels, bytes]:
    probe(data, name)
    kept = without_metadata(data)
    pixels = decode_photo(kept, name).pixels
    if max(pixels.shape[:2]) <= LONGEST_KEPT:
        return pixels, kept
    kept = to_jpeg(pixels, LONGEST_KEPT, _QUALITY)
    return decode_photo(kept, name).pixels, kept


def _confine(room: int) -> None:
    """Takes from this process what no decoder needs: more memory than ``room`` bytes, and writing files."""
    try:
        import resource
    except ImportError:  # not on Windows, where its time alone is bounded
        return
    used = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if sys.platform == "linux" else 0
    )
    resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _whole(pipe: IO[bytes], size: int) -> bytearray:
    """Reads so many bytes; EOFError where there are fewer."""
    data = bytearray(size)
    view, at = memoryview(data), 0
    while at < size:
        got = pipe.readinto(view[at:])  # type: ignore[attr-defined]
        if not got:
            raise EOFError("the process is gone")
        at += got
    return data
