"""The A4 sheet with the table's marks, as a PDF of one page: black squares to the millimetre, and what they are for."""

from __future__ import annotations

import cv2

from vision.live.table_markers import DICTIONARY, MARKER_IDS, MARKER_MM

_POINTS = 72 / 25.4
_PAGE = (210.0, 297.0)
_QUIET = 10.0
_LINES = (
    "Marks for the corners of the table",
    '1. Print at 100 % ("actual size"). The ruler below must measure 100 mm.',
    "2. Cut along the grey lines. Keep the white border round each mark.",
    "3. Lay one mark flat at each corner of the area where cards lie, within the camera's view.",
    "Any mark goes to any corner. Without them everything works as well; with them pictures are",
    "straightened, and what lies outside them is left alone.",
)


def mark_sheet() -> bytes:
    """The sheet as a PDF file (ISO 32000: one page, vector squares, a standard font)."""
    drawing = [f"{_POINTS:.6f} 0 0 {_POINTS:.6f} 0 0 cm"]  # from here on in millimetres from the bottom left
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    size = MARKER_MM + 2 * _QUIET
    left, top = (_PAGE[0] - 2 * size) / 2, _PAGE[1] - 15.0
    for place, mark in enumerate(MARKER_IDS):
        x, y = left + place % 2 * size, top - (place // 2 + 1) * size
        drawing.append(f"0.6 G 0.2 w {x:.3f} {y:.3f} {size:.3f} {size:.3f} re S 0 g")
        cells = cv2.aruco.generateImageMarker(dictionary, mark, 6)
        cell = MARKER_MM / 6
        for row in range(6):
            for column in range(6):
                if cells[row, column] == 0:
                    cx, cy = x + _QUIET + column * cell, y + _QUIET + (5 - row) * cell
                    # a hair wider, or printers leave white lines between squares
                    drawing.append(f"{cx:.3f} {cy:.3f} {cell + 0.02:.3f} {cell + 0.02:.3f} re f")
    below = top - 2 * size
    for number, line in enumerate(_LINES):
        text = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        points = 5.5 if number == 0 else 3.9
        drawing.append(f"BT /F1 {points} Tf {left:.3f} {below - 12 - 7.5 * number:.3f} Td ({text}) Tj ET")
    ruler = below - 12 - 7.5 * len(_LINES) - 8
    drawing.append(f"0.4 w 0 G {left:.3f} {ruler:.3f} m {left + 100:.3f} {ruler:.3f} l S")
    for step in range(11):
        drawing.append(f"{left + 10 * step:.3f} {ruler:.3f} m {left + 10 * step:.3f} {ruler + 3:.3f} l S")
    drawing.append(f"BT /F1 3.9 Tf {left + 104:.3f} {ruler:.3f} Td (100 mm) Tj ET")
    return _pdf("\n".join(drawing).encode("ascii"))


def _pdf(drawing: bytes) -> bytes:
    box = f"[0 0 {_PAGE[0] * _POINTS:.3f} {_PAGE[1] * _POINTS:.3f}]"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
    ]
    file, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return file + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, start)
