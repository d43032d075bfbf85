"""The printable sheet of table markers: a PDF with ArUco squares true to size, and how to use them."""

from __future__ import annotations

import io

import cv2
from PIL import Image, ImageDraw, ImageFont

from vision.live.table_markers import DICTIONARY, MARKER_IDS, MARKER_MM

_DOTS_PER_INCH = 300
_WIDTH_MM, _HEIGHT_MM = 210.0, 279.4
"""As wide as A4 and as tall as Letter, so that it is printed true to size on both."""
_QUIET_MM = 10.0
"""The white border around a marker."""
_LINES = (
    "Marks for the corners of the table",
    '1. Print at 100 % ("actual size"). The ruler below must measure 100 mm.',
    "2. Cut along the lines. Keep the white border around each mark.",
    "3. Lay one mark flat at each corner of the card area, where the camera can see it.",
    "Any mark can go at any corner. Everything works without them, but with them the pictures are",
    "straightened, and anything outside them is ignored.",
)


def marker_sheet_pdf() -> bytes:
    """The sheet as a PDF file of one page."""
    page = Image.new("1", (_dots(_WIDTH_MM), _dots(_HEIGHT_MM)), 1)
    draw = ImageDraw.Draw(page)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    size = MARKER_MM + 2 * _QUIET_MM
    left, top = (_WIDTH_MM - 2 * size) / 2, 15.0
    for index, marker in enumerate(MARKER_IDS):
        x, y = left + index % 2 * size, top + index // 2 * size
        draw.rectangle((_dots(x), _dots(y), _dots(x + size), _dots(y + size)), outline=0)
        square = cv2.aruco.generateImageMarker(dictionary, marker, _dots(MARKER_MM))
        page.paste(Image.fromarray(square), (_dots(x + _QUIET_MM), _dots(y + _QUIET_MM)))
    below = top + 2 * size + 6
    for number, line in enumerate(_LINES):
        font = ImageFont.load_default(_dots(3.9 if number else 5.5))
        draw.text((_dots(left), _dots(below + 7.5 * number)), line, 0, font)
    ruler = below + 7.5 * len(_LINES) + 8
    draw.line((_dots(left), _dots(ruler), _dots(left + 100), _dots(ruler)), 0, 3)
    for tick in range(11):
        at = _dots(left + 10 * tick)
        draw.line((at, _dots(ruler - 3), at, _dots(ruler)), 0, 3)
    draw.text((_dots(left + 104), _dots(ruler)), "100 mm", 0, ImageFont.load_default(_dots(3.9)), "ls")
    file = io.BytesIO()
    page.save(file, "PDF", resolution=_DOTS_PER_INCH)
    return file.getvalue()


def _dots(mm: float) -> int:
    return round(mm / 25.4 * _DOTS_PER_INCH)
