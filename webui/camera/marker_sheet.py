"""The printable sheet of table markers: an A4 PDF with ArUco squares true to size, and how to use them."""

from __future__ import annotations

import cv2

from vision.live.table_markers import DICTIONARY, MARKER_IDS, MARKER_MM

_POINTS_PER_MM = 72 / 25.4
_PAGE_MM = (210.0, 297.0)
_QUIET_MM = 10.0
"""The white border around a marker."""
_LINES = (
    "Marks for the corners of the table",
    '1. Print at 100 % ("actual size"). The ruler below must measure 100 mm.',
    "2. Cut along the gray lines. Keep the white border around each mark.",
    "3. Lay one mark flat at each corner of the card area, where the camera can see it.",
    "Any mark can go at any corner. Everything works without them, but with them the pictures are",
    "straightened, and anything outside them is ignored.",
)


def marker_sheet_pdf() -> bytes:
    """The sheet as a PDF file (ISO 32000: one page, vector squares, a standard font)."""
    commands = [f"{_POINTS_PER_MM:.6f} 0 0 {_POINTS_PER_MM:.6f} 0 0 cm"]  # from here on in mm from the bottom left
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    size = MARKER_MM + 2 * _QUIET_MM
    left, top = (_PAGE_MM[0] - 2 * size) / 2, _PAGE_MM[1] - 15.0
    for index, marker in enumerate(MARKER_IDS):
        x, y = left + index % 2 * size, top - (index // 2 + 1) * size
        commands.append(f"0.6 G 0.2 w {x:.3f} {y:.3f} {size:.3f} {size:.3f} re S 0 g")
        cells = cv2.aruco.generateImageMarker(dictionary, marker, 6)
        cell = MARKER_MM / 6
        for row in range(6):
            for column in range(6):
                if cells[row, column] == 0:
                    cell_x, cell_y = x + _QUIET_MM + column * cell, y + _QUIET_MM + (5 - row) * cell
                    # Cells overlap a little, or printers leave white lines between them.
                    commands.append(f"{cell_x:.3f} {cell_y:.3f} {cell + 0.02:.3f} {cell + 0.02:.3f} re f")
    below = top - 2 * size
    for number, line in enumerate(_LINES):
        text = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font_size = 5.5 if number == 0 else 3.9
        commands.append(f"BT /F1 {font_size} Tf {left:.3f} {below - 12 - 7.5 * number:.3f} Td ({text}) Tj ET")
    ruler = below - 12 - 7.5 * len(_LINES) - 8
    commands.append(f"0.4 w 0 G {left:.3f} {ruler:.3f} m {left + 100:.3f} {ruler:.3f} l S")
    for tick in range(11):
        commands.append(f"{left + 10 * tick:.3f} {ruler:.3f} m {left + 10 * tick:.3f} {ruler + 3:.3f} l S")
    commands.append(f"BT /F1 3.9 Tf {left + 104:.3f} {ruler:.3f} Td (100 mm) Tj ET")
    return _pdf("\n".join(commands).encode("ascii"))


def _pdf(content: bytes) -> bytes:
    """A PDF of one page with this content stream."""
    box = f"[0 0 {_PAGE_MM[0] * _POINTS_PER_MM:.3f} {_PAGE_MM[1] * _POINTS_PER_MM:.3f}]"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    file, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return file + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, start)
