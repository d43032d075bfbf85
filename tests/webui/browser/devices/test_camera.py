"""The camera page in a real browser: the live picture, and pictures taken by hand and automatically."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.browsing import Server, check, expect, fits, leaving, until
from tests.webui.helpers.drawn import NORTH_TABLE, reading
from tests.webui.helpers.game_pages import begin_round


@pytest.mark.parametrize(("size", "by_itself"), [("phone", False), ("desk", True)])
def test_the_live_picture_is_shown_and_a_picture_taken(
    size: str, by_itself: bool, visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    server = serve("drawn", str(samples))
    page = visit(size)
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("link", name="Camera", exact=True).click()
    with leaving(page):
        page.get_by_role("link", name="North–South: the cards on the table").click()
    live = page.locator(".live")
    wait_for(lambda: live.evaluate("picture => picture.naturalWidth") == 960)
    page.get_by_label("Take it automatically").wait_for()
    check(page)
    page.locator("[data-trouble]").wait_for(state="hidden")
    if by_itself:
        page.get_by_label("Take it automatically").check()
    else:
        page.get_by_role("button", name="Take the picture").click()
    page.wait_for_url("**/side/0/**")
    expect(page.locator("figure.photo")).to_have_count(1)
    assert fits(page)


def test_the_layout_does_not_shift(visit: Callable[..., Any], serve: Callable[..., Server], samples: Path) -> None:
    server = serve("drawn", str(samples))
    page = visit("phone")
    begin_round(page, server)
    page.goto(server.url("/camera/"))
    live, trouble = page.locator(".live"), page.locator("[data-trouble]")
    wait_for(lambda: live.evaluate("picture => picture.naturalWidth") == 960)
    page.route("**/state.json*", lambda asked: asked.fulfill(json={"trouble": "The picture is too dark. " * 3}))
    trouble.wait_for()
    expect(live, "no dark box in place of a picture").to_be_hidden()
    whose = page.locator(".places a").first
    lay = whose.bounding_box()
    page.unroute("**/state.json*")
    trouble.wait_for(state="hidden")
    assert whose.bounding_box() == lay
    live.evaluate("picture => { picture.src = '/static/icon.svg'; }")  # as a slate, or another camera: another shape
    shapes = "document.querySelector('.live').naturalWidth === document.querySelector('.live').naturalHeight"
    until(page, shapes)
    assert whose.bounding_box() == lay


def test_readings_are_drawn_over_the_live_picture(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    server = serve("drawn", str(samples))
    page = visit("desk")
    page.goto(server.url("/camera/"))
    expect(page.locator(".read polygon")).to_have_count(0)
    page.get_by_label("Show the cards it reads").check()
    cards = reading(NORTH_TABLE).cards
    page.get_by_text(f"{len(cards)} cards, 1 to look at").wait_for()
    check(page)
    # asked for at once, and waited for, as the outlines are drawn anew all the time
    counts = "['.read polygon', '.read text'].map((one) => document.querySelectorAll(one).length).join()"
    until(page, f"{counts} === '{len(cards)},{len(cards)}'")
    # the first row of the drawn table begins at (60, 80) of 1600 x 1000
    boxes = "['.live', '.read polygon'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"
    shown, card = until(page, f"document.querySelector('.read polygon') && {boxes}")
    scale = min(shown["width"] / 1600, shown["height"] / 1000)
    left = shown["x"] + (shown["width"] - 1600 * scale) / 2
    assert card["x"] == pytest.approx(left + 60 * scale, abs=4)
    page.get_by_label("Show the cards it reads").uncheck()
    wait_for(lambda: page.locator(".read polygon").count() == 0)
