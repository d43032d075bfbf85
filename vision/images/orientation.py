"""How a photo file says it is to be turned, and pixels turned upright."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import cv2
from PIL.ExifTags import Base

from vision.images.file_header import opened
from vision.values import Pixels

_TURNS: dict[int, Callable[[Any], Any]] = {
    2: lambda pixels: cv2.flip(pixels, 1),
    3: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_180),
    4: lambda pixels: cv2.flip(pixels, 0),
    5: cv2.transpose,
    6: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
    7: lambda pixels: cv2.flip(cv2.transpose(pixels), -1),
    8: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""By the value of EXIF's orientation (Exif 2.32, tag 274)."""
warnings.filterwarnings("ignore", category=UserWarning, module="PIL.TiffImagePlugin")  # of damaged metadata


def upright(pixels: Pixels, data: bytes) -> Pixels:
    """Pixels (height, width, 3) as stored in a JPEG, PNG or WebP file, turned as its EXIF says, or else its XMP."""
    try:
        turn = opened(data).getexif().get(Base.Orientation)
    except Exception:  # whatever damaged metadata lead to, the picture may be whole
        return pixels
    return _TURNS[turn](pixels) if turn in _TURNS else pixels
