"""The frames of a film file with their seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2

from vision.cameras.opencv_capture import Capture
from vision.errors import CameraError, PhotoError
from vision.images.file_header import begins_as_photo
from vision.values import Pixels

FRAMES_A_SECOND = 4.0
"""So many frames of each second are looked at; more tell nothing new of a table."""
_DEFAULT_RATE = 25.0
"""Frames a second, where the file does not say."""
_ADVICE = "expected a film; check that it is a video file that plays elsewhere too"


def film_frames(path: Path) -> Iterator[tuple[float, Pixels]]:
    """Yields (second, frame), the frame (height, width, 3) BGR; frames in between are skipped.

    Raises:
        PhotoError: the file is no film. OpenCV would play a photo as one of a single picture.
    """
    if not path.is_file():  # OpenCV would wait for a pipe
        raise PhotoError(f"{path}: {_ADVICE}")
    try:
        with path.open("rb") as file:
            is_photo = begins_as_photo(file.read(12))
    except OSError as error:
        raise PhotoError(f"{path}: {_ADVICE}") from error
    if is_photo:
        raise PhotoError(f"{path}: expected a film, got a photo; read it with 'handfoot scan'")
    try:
        capture = Capture(str(path), path.name, "check that it plays elsewhere too")
    except CameraError as error:
        raise PhotoError(f"{path}: {_ADVICE}") from error
    rate = capture.get(cv2.CAP_PROP_FPS)
    rate = rate if 0 < rate < 1000 else _DEFAULT_RATE
    step = max(rate / FRAMES_A_SECOND, 1.0)
    number = shown = 0
    try:
        while True:
            due = round(shown * step)
            capture.skip(due - number)
            frame = capture.next()
            number = due + 1
            shown += 1
            yield due / rate, frame.pixels
    except CameraError as error:
        if not shown:
            raise PhotoError(f"{path}: the film has no pictures; check that it plays elsewhere") from error
    finally:
        capture.close()
