"""The bar of what was just done, steps in words, and the skip link, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, until
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.game_pages import begin_round, send_photo


def test_undo_is_in_reach_of_the_thumb_after_a_change(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    page = visit("phone")
    begin_round(page, server)
    expect(page.get_by_text("Step 1 of 7: Who went out")).to_be_visible()
    page.keyboard.press("Tab")
    until(page, '(document.activeElement.innerText) === "Skip to main content"')
    page.keyboard.press("Enter")
    until(page, '(document.activeElement.id) === "content"')
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, tmp_path / "table.jpg")
    expect(page.get_by_text("Step 2 of 7: North–South, table")).to_be_visible()
    page.locator("#group-p1g0 .chip").first.click()
    with leaving(page):
        page.get_by_role("dialog").get_by_role("button", name="remove").click()
    bar, undo = page.locator(".done"), page.get_by_role("button", name="Undo")
    expect(bar).to_contain_text("Card removed: 8 of hearts.", use_inner_text=True)
    box = undo.bounding_box()
    assert box["height"] >= 44 and page.viewport_size["height"] / 2 < box["y"] < page.viewport_size["height"] - 44
    check(page)
    page.evaluate("scrollTo(0, 300)")
    with leaving(page):
        undo.click()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.locator("#group-p1g0 .chip:not(.plus)")).to_have_count(7)
    expect(bar).to_contain_text("Undone", use_inner_text=True)
    page.get_by_role("button", name="Close this message").click()
    expect(bar).to_have_count(0)


def test_undoing_a_photo_and_nothing_left_are_told_in_plain_words(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    page = visit("phone")
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, tmp_path / "table.jpg", counts=False)
    bar = page.locator("div.done")
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    expect(bar).to_contain_text("Undone: photo added.", use_inner_text=True)
    with leaving(page):
        page.get_by_role("button", name="Nothing on the table").click()
    with leaving(page):
        page.get_by_role("button", name="No cards left").click()
    expect(bar).to_contain_text(": no more cards left.", use_inner_text=True)


def test_a_page_looks_as_with_its_script_until_that_has_run_or_is_overdue(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    begin_round(page, server)
    page.route("**/page.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(server.url("/game/1/round/1/side/0/"))
    expect(page.locator("html.scripted")).to_have_count(0)
    hidden = page.locator("[data-noscript], .next-step input[type=file]")
    expect(hidden).not_to_have_count(0)
    for one in hidden.all():
        expect(one).to_be_hidden()
    until(page, "document.documentElement.scrollWidth <= innerWidth")
    for one in hidden.all():
        one.wait_for(state="visible")
