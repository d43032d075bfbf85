"""Decodes photos from files and uploads; checks them first and turns them upright.

Decoders allocate whatever a header promises, so sizes are checked first. Whether a JPEG is whole, only its decoder
knows: simplejpeg says where data ran out, which OpenCV does not, and gives the same pixels.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import simplejpeg
from numpy.typing import NDArray

from vision.errors import PhotoError
from vision.images.file_header import Header, begins_as_photo, cut_off, probe
from vision.images.heic import HeicError, decode_heic
from vision.images.orientation import upright
from vision.values import Frame, Pixels

MAX_PIXELS = 110_000_000
"""Phones of 108 megapixels write up to 108.6."""
HALVED_ABOVE = 64_000_000
"""Photos of more pixels are decoded at half their width and height, which bounds time and memory."""
MAX_SCANS = 100
"""Scans of a progressive JPEG at most. Cameras write about ten; the decoder goes over all pixels for each."""
MIN_SIDE = 32
MAX_BYTES = 200 * 1024 * 1024
PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif"})
"""Files of a folder that count as photos. HEIC and AVIF are among them so that they are refused with a message, not
ignored, where they cannot be read."""


def decode_photo(data: bytes, name: str) -> Frame:
    """Decodes a JPEG, PNG or WebP file, or HEIC where that can be read, upright, with the current time.

    Above ``HALVED_ABOVE`` pixels the frame has half the photo's width and height.

    Args:
        data: the whole file.
        name: the photo's name in messages and in ``Frame.source``.

    Raises:
        PhotoError: empty, not a photo, cut off, damaged, of a kind that is not read, or larger than ``MAX_PIXELS``.
    """
    return _decode(data, name, datetime.now(UTC))


def load_photo(path: Path, name: str | None = None) -> Frame:
    """Decodes one photo file as ``decode_photo`` does, with the time of its last change.

    Args:
        path: the file.
        name: the photo's name in messages and in ``Frame.source``; None for the path as it was given.

    Raises:
        PhotoError: as ``decode_photo``, and where the file cannot be opened.
    """
    name = str(path) if name is None else name
    try:
        info = path.stat()
        if path.is_dir():
            raise PhotoError(f"{name} is a folder; expected one photo")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)  # what is no file tells no size, and may have no end
        if len(data) > MAX_BYTES:
            raise PhotoError(
                f"{name} has more than the {MAX_BYTES // 1024**2} MB read here; save it smaller and try again"
            )
    except OSError as error:
        raise PhotoError(f"{name} cannot be opened: {error.strerror or error}; check the name and try again") from error
    return _decode(data, name, datetime.fromtimestamp(info.st_mtime, UTC))


def photos_in(path: Path, name: str | None = None) -> list[Path]:
    """The photos that a path means: itself, or, for a folder, the photos directly in it, sorted by name.

    In a folder, files count that are named as photos are, and those that begin as one, whatever their name.

    Args:
        path: the photo or the folder.
        name: the folder's name in messages; None for the path as it was given.

    Raises:
        PhotoError: the folder cannot be listed or holds no photo.
    """
    if not path.is_dir():
        return [path]
    try:
        found = sorted(
            entry
            for entry in path.iterdir()
            if not entry.name.startswith(".")
            and entry.is_file()
            and (entry.suffix.lower() in PHOTO_SUFFIXES or _begins_as_photo(entry))
        )
    except OSError as error:
        raise PhotoError(f"the folder {name or path} cannot be listed: {error.strerror or error}") from error
    if not found:
        raise PhotoError(f"the folder {name or path} holds no photo; expected JPEG, PNG or WebP files")
    return found


def _begins_as_photo(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return begins_as_photo(file.read(12))
    except OSError:
        return False


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
        pixels = _pixels(data, header)
    except (MemoryError, cv2.error, HeicError) as error:
        if isinstance(error, MemoryError) or "nsufficient memory" in str(error):
            raise PhotoError(f"{name} takes more memory than a photo does; send it smaller") from error
        pixels = None
    if pixels is None and header.missing:
        raise PhotoError(cut_off(name))
    if pixels is None:
        raise PhotoError(f"{name} is a damaged {header.kind} file, part of the photo is missing; take or send it again")
    return Frame(np.ascontiguousarray(pixels, dtype=np.uint8), taken_at, name, lacks_end=bool(header.missing))


def _pixels(data: bytes, header: Header) -> Pixels | None:
    """The upright pixels of a file, (height, width, 3) BGR; None where it is damaged.

    Raises:
        MemoryError, cv2.error, HeicError: it cannot be decoded.
    """
    halved = header.width * header.height > HALVED_ABOVE
    if header.kind == "HEIC":  # its orientation is a part of the picture
        pixels = decode_heic(data)
        return np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)) if halved else pixels
    whole = data + header.missing
    stored = _jpeg_pixels(whole, header, halved) if header.kind == "JPEG" else _opencv_pixels(whole, halved)
    return None if stored is None else upright(stored, data)


def _jpeg_pixels(data: bytes, header: Header, halved: bool) -> Pixels | None:
    half = ((header.height + 1) // 2, (header.width + 1) // 2) if halved else (0, 0)
    try:
        # the decoder's defaults are faster and less exact
        pixels: Pixels | None = simplejpeg.decode_jpeg(
            data, "BGR", fastdct=False, fastupsample=False, min_height=half[0], min_width=half[1]
        )
        return pixels
    except ValueError as error:
        complaint = str(error).lower()
    if "premature end" in complaint:
        return None
    if "memory" in complaint:
        raise MemoryError
    # Something else is odd, such as stray bytes or a rare way of coding colours. Only the first oddity is told, so that
    # data may have run out as well.
    pixels = _opencv_pixels(data, halved)
    return None if pixels is None or ends_in_filler(pixels) else pixels


def _opencv_pixels(data: bytes, halved: bool) -> Pixels | None:
    flags = cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags | cv2.IMREAD_IGNORE_ORIENTATION)
    return None if pixels is None else np.asarray(pixels, np.uint8)


def ends_in_filler(pixels: NDArray[Any]) -> bool:
    """Whether a picture ends in the exact middle grey that libjpeg writes where coded data is missing.

    The stored end may be at any edge of the upright picture. No sensor gives eight rows of one exact value, but an
    edited picture may, so this is for where no decoder tells.
    """
    bands = (pixels[-8:], pixels[:8], pixels[:, :8], pixels[:, -8:])
    return any(bool((band == 128).all()) for band in bands)
