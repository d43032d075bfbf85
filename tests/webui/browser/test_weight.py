"""What a phone loads over the network of the house."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, expect, leaving, settle
from tests.webui.helpers.game_pages import begin_round, send_photo
from vision.engines.weights import weights_report
from vision.images.decode import photos_in
from webui.settings import SAMPLES

MOST_BYTES = 300_000


def test_a_side_with_a_photo_of_1600_pixels_loads_less_than_300_kilobytes(
    browser: Any, visit: Callable[..., Any], serve: Callable[[str], Server], record_property: Any
) -> None:
    """With nothing kept from before: page, styles, scripts, the photo and the crops of what is asked."""
    if not all(row["ok"] for row in weights_report()) or not SAMPLES.exists():
        pytest.skip("the shipped weights or the sample tables are not here")
    server = serve("shipped")
    page = visit("phone", device_scale_factor=3)
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="South").click()
    send_photo(page, photos_in(SAMPLES)[2])
    expect(page.locator(".outline").nth(19)).to_be_attached()

    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    loaded: list[int] = []
    network.on("Network.loadingFinished", lambda done: loaded.append(int(done["encodedDataLength"])))
    page.goto(page.url)
    settle(page)
    record_property("bytes", sum(loaded))
    assert len(loaded) > 10 and sum(loaded) < MOST_BYTES, sorted(loaded)

    network.send("Network.setCacheDisabled", {"cacheDisabled": False})
    page.goto(page.url)
    settle(page)
    loaded.clear()
    page.goto(page.url)
    settle(page)
    assert sum(loaded) < 40_000, ("the second time styles, scripts and photos are there", sorted(loaded))
