"""Camera frames as they wait in the photo queue: JPEG files, named by the time they were taken and their source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from vision.images.decode import decode_photo
from vision.images.jpeg import to_jpeg
from vision.values import Frame
from webui.wording import photo_name

QUALITY = 95


def encode_frames(frames: Sequence[Frame]) -> Iterator[tuple[bytes, str]]:
    """Each frame as a file with its name."""
    for frame in frames:
        yield to_jpeg(frame.pixels, quality=QUALITY), f"{frame.taken_at.isoformat()} {frame.source}"


def decode_frames(files: Iterable[tuple[bytes, str]]) -> tuple[list[Frame], bytes]:
    """The frames of ``encode_frames``, and the file of the first."""
    frames, first = [], b""
    for data, name in files:
        taken_at, _, source = name.partition(" ")
        source = photo_name(source)
        frames.append(Frame(decode_photo(data, source).pixels, datetime.fromisoformat(taken_at), source))
        first = first or data
    return frames, first


def estimated_size(frames: Sequence[Frame]) -> int:
    """About the bytes that the frames take as files."""
    return sum(frame.pixels.nbytes for frame in frames) // 4
