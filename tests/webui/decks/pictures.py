"""Pictures of faces for taught decks."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from scorer.faces import Face


def picture(text: str, width: int = 480, height: int = 672, quality: int = 95) -> bytes:
    """A WebP picture that shows a text."""
    pixels = np.full((height, width, 3), 240, np.uint8)
    cv2.putText(pixels, text, (20, 120), cv2.FONT_HERSHEY_SIMPLEX, 3.0, (20, 20, 160), 8)
    done, data = cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, quality])
    assert done
    return data.tobytes()


def pictures(faces: Iterable[Face]) -> list[tuple[Face, bytes]]:
    """A picture of each face, in their order."""
    return [(face, picture(str(face))) for face in faces]
