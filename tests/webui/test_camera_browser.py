"""The camera's page in a real browser: the live picture, and a picture taken by hand and by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.vision.test_watching import wait_for
from tests.webui.test_browser import Server, fits, page, pytestmark, serve, start_round

__all__ = ["page", "pytestmark", "serve"]


@pytest.mark.parametrize("by_itself", [False, True])
def test_the_live_picture_is_seen_and_taken(page: Any, serve: Callable[[str], Server], by_itself: bool) -> None:
    server = serve("drawn")
    start_round(page, server)
    page.get_by_role("link", name="Camera").click()
    page.get_by_role("link", name="North–South: the cards on the table").click()
    live = page.locator(".live")
    wait_for(lambda: live.evaluate("picture => picture.naturalWidth") == 960)
    page.get_by_label("Take it by itself").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert not page.locator("[data-trouble]").is_visible()
    if by_itself:
        page.get_by_label("Take it by itself").check()
    else:
        page.get_by_role("button", name="Take the picture").click()
    page.wait_for_url("**/side/0/**")
    assert page.locator("figure.photo").count() == 1 and fits(page)
