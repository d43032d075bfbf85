"""The bar of what was just done, steps in words, and the skip link, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, begin_round, check, leaving, send_photo
from tests.webui.helpers.drawn import NORTH_TABLE, photo


def test_undo_is_in_reach_of_the_thumb_after_a_change(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    page = visit("phone")
    begin_round(page, server)
    assert page.get_by_text("Step 1 of 7: Who went out").is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, tmp_path / "table.jpg")
    assert page.get_by_text("Step 2 of 7: North–South, table").is_visible()
    page.locator("#group-p1g0 .chip").first.click()
    with leaving(page):
        page.get_by_role("dialog").get_by_role("button", name="remove").click()
    bar, undo = page.locator(".done"), page.get_by_role("button", name="Undo")
    assert "Card removed: 8 of hearts." in bar.inner_text()
    box = undo.bounding_box()
    assert box["height"] >= 44 and page.viewport_size["height"] / 2 < box["y"] < page.viewport_size["height"] - 44
    check(page)
    with leaving(page):
        undo.click()
    assert page.locator("#group-p1g0 .chip:not(.plus)").count() == 7 and "Undone" in bar.inner_text()
    page.get_by_role("button", name="Close this message").click()
    assert bar.count() == 0


def test_undoing_a_photo_and_nothing_left_are_told_in_plain_words(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    page = visit("phone")
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, tmp_path / "table.jpg")
    bar = page.locator("div.done")
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    assert "Undone: photo added." in bar.inner_text()
    with leaving(page):
        page.get_by_role("button", name="Nothing on the table").click()
    with leaving(page):
        page.get_by_role("button", name="Nothing left").click()
    assert ": no more cards left." in bar.inner_text()


def test_a_page_looks_as_with_its_script_until_that_has_run_or_is_overdue(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    begin_round(page, server)
    page.route("**/page.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(server.url("/game/1/round/1/side/0/"))
    assert page.locator("html.scripted").count() == 0
    hidden = page.locator("[data-noscript], .next-step input[type=file]")
    assert hidden.count() and not any(one.is_visible() for one in hidden.all())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for one in hidden.all():
        one.wait_for(state="visible")
