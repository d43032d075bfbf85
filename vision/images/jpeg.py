"""Encodes pictures as JPEG, and makes them smaller."""

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
    height, width = pixels.shape[:2]
    ok, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError(f"a picture of {width} x {height} pixels could not be written as JPEG")
    return data.tobytes()


def shrunk(pixels: Pixels, longest: int) -> Pixels:
    """The picture (height, width, 3), its longer side at most ``longest`` pixels; never enlarged."""
    height, width = pixels.shape[:2]
    if max(height, width) <= longest:
        return pixels
    factor = longest / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
