"""Decodes HEIC photos, as iPhones take them, where the package ``pi-heif`` is installed (the extra ``heic``)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.values import Pixels

try:
    import pi_heif
except ImportError:  # HEIC is then refused with advice
    pi_heif = None
else:
    pi_heif.options.THUMBNAILS = pi_heif.options.DEPTH_IMAGES = pi_heif.options.AUX_IMAGES = False
    pi_heif.options.DECODE_THREADS = 1


class HeicError(Exception):
    """The file is damaged."""


def can_read_heic() -> bool:
    """Whether HEIC photos can be decoded here."""
    return pi_heif is not None


def heic_size(data: bytes) -> tuple[int, int]:
    """Width and height of a HEIC photo, upright, without decoding it.

    Raises:
        HeicError: it is damaged.
    """
    width, height = _opened(data).size
    return width, height


def decode_heic(data: bytes) -> Pixels:
    """The pixels of a HEIC photo, upright, (height, width, 3) BGR.

    Raises:
        HeicError: it is damaged.
        MemoryError: it takes too much memory.
    """
    image = _opened(data)
    try:
        pixels = np.asarray(image)
    except (ValueError, EOFError, SyntaxError, RuntimeError, OSError) as error:
        raise HeicError(str(error)) from error
    if pixels.ndim == 2:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(pixels[..., :3], np.uint8)


def _opened(data: bytes) -> Any:
    try:
        return pi_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
    except (ValueError, EOFError, SyntaxError, RuntimeError, OSError) as error:
        raise HeicError(str(error)) from error
