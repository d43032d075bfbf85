"""Encodes pictures as JPEG or WebP, and makes them smaller."""

from __future__ import annotations

import cv2
import numpy as np

from vision.values import Pixels


def to_jpeg(pixels: Pixels, longest: int | None = None, quality: int = 88) -> bytes:
    """Encodes a picture (height, width, 3) BGR.

    Args:
        pixels: the picture.
        longest: it is shrunk so that its longer side has at most this many pixels; never enlarged.
        quality: 0..100.

    Raises:
        ValueError: it cannot be encoded.
    """
    if longest is not None:
        pixels = shrunk(pixels, longest)
    return _encoded(pixels, ".jpg", [cv2.IMWRITE_JPEG_QUALITY, quality])


def to_webp(pixels: Pixels, quality: int) -> bytes:
    """Encodes a picture (height, width, 3) BGR, with ``quality`` 0..100.

    Raises:
        ValueError: it cannot be encoded.
    """
    return _encoded(pixels, ".webp", [cv2.IMWRITE_WEBP_QUALITY, quality])


def _encoded(pixels: Pixels, ending: str, options: list[int]) -> bytes:
    height, width = pixels.shape[:2]
    ok, data = cv2.imencode(ending, pixels, options)
    if not ok:
        raise ValueError(f"a picture of {width} x {height} pixels could not be written as {ending}")
    return data.tobytes()


def shrunk(pixels: Pixels, longest: int) -> Pixels:
    """The picture (height, width, 3), its longer side at most ``longest`` pixels; never enlarged."""
    height, width = pixels.shape[:2]
    if max(height, width) <= longest:
        return pixels
    factor = longest / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
