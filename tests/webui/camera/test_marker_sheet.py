"""The printed sheet of table markers."""

from __future__ import annotations

import numpy as np
import pypdfium2
import pytest

from vision.live.table_markers import MARKER_IDS, MARKER_MM, find_markers
from webui.camera.marker_sheet import marker_sheet_pdf


def test_printed_markers_are_detected_at_their_size() -> None:
    document = pypdfium2.PdfDocument(marker_sheet_pdf())
    assert len(document) == 1
    width, height = document[0].get_size()
    assert width == pytest.approx(210 * 72 / 25.4, abs=0.1) and height == pytest.approx(279.4 * 72 / 25.4, abs=0.1)
    page = np.asarray(document[0].render(scale=2).to_numpy()[..., :3], np.uint8)
    markers = find_markers(page)
    assert set(markers) == set(MARKER_IDS)
    for quad in markers.values():
        sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T) / 2 / 72 * 25.4
        assert sides == pytest.approx(MARKER_MM, abs=0.5)
