"""Photos that the server does not read are converted by the browser before they are sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.webui.helpers.browsing import Server, expect, leaving
from tests.webui.helpers.drawn import NORTH_TABLE, picture
from tests.webui.helpers.game_pages import begin_round, send_photo
from vision.errors import PhotoError
from vision.images.decode import decode_photo


@pytest.mark.skipif(not cv2.haveImageWriter("a.avif"), reason="this OpenCV writes no AVIF")
@pytest.mark.parametrize("name", ["table.avif", "named-wrongly.jpg"])
def test_an_avif_picture_is_converted_and_read(
    visit: Callable[..., Any], serve: Callable[[str], Server], tmp_path: Path, name: str
) -> None:
    ok, data = cv2.imencode(".avif", picture(NORTH_TABLE))
    assert ok
    with pytest.raises(PhotoError, match="is an AVIF picture"):
        decode_photo(data.tobytes(), name)
    (tmp_path / name).write_bytes(data.tobytes())
    page = visit("phone")
    begin_round(page, serve("drawn"))
    with leaving(page):
        page.get_by_role("button", name="North").click()
    send_photo(page, tmp_path / name)
    expect(page.locator(".photo")).to_have_count(1)
    expect(page.locator("main")).to_contain_text("Clean book of 8s", use_inner_text=True)
