"""Decodes untrusted photos in a process of its own, with limits of time and memory.

A malicious file can crash or hang that process and nothing else; the next photo gets a new one. The result is the frame
and the file to store, which is encoded anew from its pixels: upright, no larger than needed, with nothing of the file
that was sent but its picture.
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
from vision.images.jpeg import shrunk, to_jpeg
from vision.process_limits import limit_process
from vision.values import Frame, Pixels

SECONDS = 20.0
"""Time limit for one photo; 64 megapixels take a Raspberry Pi 4 about 5 s, and larger ones less, as they are halved."""
MEMORY = 1536 * 1024**2
"""Bytes for decoding one photo; a progressive JPEG of 108 megapixels takes 0.9 GB."""
LONGEST_KEPT = 4096
"""Longer side in pixels above which a photo is stored smaller, as each reading holds all of its pixels."""
_QUALITY = 92
_REQUEST, _ANSWER = struct.Struct(">IQ"), struct.Struct(">III?Q")
"""Lengths of name and file; length of an error message, height, width, whether the file lacked its end mark, and length
of the file to store."""
_ROOT = Path(__file__).resolve().parents[2]


class Decoder:
    """Decodes photos one at a time; safe to use from several threads.

    Args:
        seconds: time limit for one photo.
        memory: memory limit in bytes.
    """

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._seconds, self._memory = seconds, memory
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def decode(self, data: bytes, name: str) -> tuple[Frame, bytes]:
        """Decodes a photo file as ``vision.images.decode.decode_photo`` does.

        Returns:
            The frame, its longer side at most ``LONGEST_KEPT``, and the file to store, as ``file_to_store`` makes it.

        Raises:
            PhotoError: as ``decode_photo``, and where it takes too much time or memory.
        """
        with self._lock, self._at_work(name) as (request, answer):
            encoded = name.encode("utf-8", "replace")
            request.write(_REQUEST.pack(len(encoded), len(data)) + encoded)
            request.write(data)
            request.flush()
            message_bytes, height, width, lacks_end, size = _ANSWER.unpack(_read_exactly(answer, _ANSWER.size))
            if message_bytes:
                raise PhotoError(bytes(_read_exactly(answer, message_bytes)).decode())
            kept = bytes(_read_exactly(answer, size))
            pixels = np.frombuffer(_read_exactly(answer, height * width * 3), np.uint8).reshape(height, width, 3)
        return Frame(pixels, datetime.now(UTC), name, lacks_end), kept

    def close(self) -> None:
        """Ends the process; another starts when it is needed."""
        with self._lock:
            self._end()

    @contextlib.contextmanager
    def _at_work(self, name: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The pipes of the process. It is killed after the time limit; its end is reported as an error of the photo."""
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
            [sys.executable, "-c", f"from vision.images.sandbox import work; work({self._memory})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,  # Ctrl+C is for the parent; this process ends with its pipe
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
    """The decoder shared by the whole program."""
    return Decoder()


def work(memory: int) -> None:
    """Main function of the process: answers requests until its input ends."""
    limit_process(memory, 0)  # and forbids it to write files
    cv2.setNumThreads(1)
    request, answer = sys.stdin.buffer, sys.stdout.buffer
    while head := request.read(_REQUEST.size):
        length, size = _REQUEST.unpack(head)
        name = request.read(length).decode()
        try:
            sent = request.read(size)
            frame = decode_photo(sent, name)
            pixels = shrunk(frame.pixels, LONGEST_KEPT)
            kept = file_to_store(pixels)
        except (PhotoError, MemoryError) as error:
            message = str(error) or f"{name} takes more memory than a photo does; send it smaller"
            answer.write(_ANSWER.pack(len(message.encode()), 0, 0, False, 0) + message.encode())
        else:
            answer.write(_ANSWER.pack(0, *pixels.shape[:2], frame.lacks_end, len(kept)) + kept)
            answer.write(np.ascontiguousarray(pixels).data)
        answer.flush()


def file_to_store(pixels: Pixels) -> bytes:
    """The JPEG file that is stored of a photo with these pixels (height, width, 3) BGR."""
    return to_jpeg(pixels, LONGEST_KEPT, _QUALITY)


def _read_exactly(pipe: IO[bytes], size: int) -> bytearray:
    """Reads exactly ``size`` bytes.

    Raises:
        EOFError: there are fewer.
    """
    data = bytearray(size)
    if pipe.readinto(data) < size:  # type: ignore[attr-defined]
        raise EOFError("the process is gone")
    return data
