"""Decodes photos from files and uploads; checks them first and turns them upright.

OpenCV decodes a cut-off JPEG without an error, grey where it ends, and allocates whatever a header promises; both are
detected here from the structure of the file.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoError
from vision.images.file_header import probe
from vision.values import Frame

MAX_PIXELS = 64_000_000
MAX_SCANS = 100
"""Scans of a progressive JPEG at most. Cameras write about ten; the decoder goes over all pixels for each."""
MIN_SIDE = 32
MAX_BYTES = 200 * 1024 * 1024
PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})
"""Files of a folder that count as photos. HEIC is among them so that it is refused with a message, not ignored."""


def decode_photo(data: bytes, name: str) -> Frame:
    """Decodes a JPEG, PNG or WebP file, upright by its EXIF orientation, with the current time.

    Args:
        data: the whole file.
        name: the photo's name in messages and in ``Frame.source``.

    Raises:
        PhotoError: empty, not a photo, HEIC, cut off, damaged, or larger than 64 megapixels.
    """
    return _decode(data, name, datetime.now(UTC))


def load_photo(path: Path) -> Frame:
    """Decodes one photo file as ``decode_photo`` does, with the time of its last change.

    Raises:
        PhotoError: as ``decode_photo``, and where the file cannot be opened.
    """
    try:
        info = path.stat()
        if path.is_dir():
            raise PhotoError(f"{path} is a folder; expected one photo")
        if info.st_size > MAX_BYTES:
            raise PhotoError(
                f"{path} has {info.st_size // 1024**2} MB, more than the {MAX_BYTES // 1024**2} MB read here; "
                "save it smaller and try again"
            )
        data = path.read_bytes()
    except OSError as error:
        raise PhotoError(f"{path} cannot be opened: {error.strerror or error}; check the name and try again") from error
    return _decode(data, str(path), datetime.fromtimestamp(info.st_mtime, UTC))


def photos_in(path: Path) -> list[Path]:
    """The photos that a path means: itself, or, for a folder, the photos directly in it, sorted by name.

    Raises:
        PhotoError: the folder cannot be listed or holds no photo.
    """
    if not path.is_dir():
        return [path]
    try:
        found = sorted(
            entry
            for entry in path.iterdir()
            if entry.suffix.lower() in PHOTO_SUFFIXES and not entry.name.startswith(".") and entry.is_file()
        )
    except OSError as error:
        raise PhotoError(f"the folder {path} cannot be listed: {error.strerror or error}") from error
    if not found:
        raise PhotoError(f"the folder {path} holds no photo; expected files ending in .jpg, .jpeg, .png or .webp")
    return found


def _decode(data: bytes, name: str, taken_at: datetime) -> Frame:
    header = probe(data, name)
    if header.width * header.height > MAX_PIXELS:
        raise PhotoError(
            f"{name} is {header.width} x {header.height} pixels, more than the {MAX_PIXELS // 1_000_000} megapixels "
            "read here; send it smaller, 12 megapixels are plenty"
        )
    if min(header.width, header.height) < MIN_SIDE:
        raise PhotoError(
            f"{name} is only {header.width} x {header.height} pixels; send the photo itself, not its thumbnail"
        )
    if header.scans > MAX_SCANS:
        raise PhotoError(f"{name} is coded in {header.scans} scans, which no camera does; send it as an ordinary JPEG")
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        pixels = None
    if pixels is None or (header.kind == "JPEG" and ends_in_filler(pixels)):
        raise PhotoError(f"{name} is a damaged {header.kind} file, part of the photo is missing; take or send it again")
    return Frame(np.ascontiguousarray(pixels, dtype=np.uint8), taken_at, name)


def ends_in_filler(pixels: NDArray[Any]) -> bool:
    """Whether the photo ends in the exact middle grey that libjpeg writes where coded data is missing.

    The stored end may be at any edge of the upright photo. No sensor gives eight rows of one exact value.
    """
    bands = (pixels[-8:], pixels[:8], pixels[:, :8], pixels[:, -8:])
    return any(bool((band == 128).all()) for band in bands)
