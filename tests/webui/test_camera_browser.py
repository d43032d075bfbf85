"""The camera's page in a real browser: the live picture, and a picture taken by hand and by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.vision.test_watching import wait_for
from tests.webui.browsing import Server, begin_round, check, fits


@pytest.mark.parametrize(("size", "by_itself"), [("phone", False), ("desk", True)])
def test_the_live_picture_is_seen_and_taken(
    size: str, by_itself: bool, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit(size)
    begin_round(page, server)
    page.get_by_role("link", name="Camera", exact=True).click()
    page.get_by_role("link", name="North–South: the cards on the table").click()
    live = page.locator(".live")
    wait_for(lambda: live.evaluate("picture => picture.naturalWidth") == 960)
    page.get_by_label("Take it by itself").wait_for()
    check(page)
    assert not page.locator("[data-trouble]").is_visible()
    if by_itself:
        page.get_by_label("Take it by itself").check()
    else:
        page.get_by_role("button", name="Take the picture").click()
    page.wait_for_url("**/side/0/**")
    assert page.locator("figure.photo").count() == 1 and fits(page)
