"""Dialogs in a real browser: Back closes them, Forward opens them, and forms in them leave no entry behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, back, check, expect, forward, leaving, settle
from tests.webui.helpers.drawn import NORTH_LEFT, photo
from tests.webui.helpers.game_pages import photograph_table, send_photo

SIDE = "/game/1/round/1/side/0/"


def test_back_closes_a_dialog_and_forward_opens_it(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    photograph_table(page, server)
    here, sheet = page.url, page.get_by_role("dialog")
    entries = page.evaluate("history.length")
    page.locator("#group-p1g0 .chip").first.click()
    sheet.get_by_role("heading", name="8 of hearts").wait_for()
    for _ in range(2):
        back(page)
        sheet.wait_for(state="detached")
        expect(page).to_have_url(here)
        forward(page)
        sheet.get_by_role("heading", name="8 of hearts").wait_for()
    for by_key in (True, False):
        if by_key:
            page.keyboard.press("Escape")
        else:
            sheet.get_by_role("button", name="Close").click()
        sheet.wait_for(state="detached")
        page.locator("#group-p1g0 .chip").first.click()
        sheet.get_by_role("heading", name="8 of hearts").wait_for()
    assert page.evaluate("history.length") == entries + 1, "a dialog that was closed leaves no entry behind"
    with leaving(page):
        sheet.get_by_role("button", name="remove").click()
    assert page.evaluate("history.state") is None
    expect(page.locator("#group-p1g0 .chip:not(.plus)")).to_have_count(6)
    with leaving(page):
        page.go_back()
    expect(sheet, "the dialog does not come again").to_have_count(0)


LATE = """addEventListener("close", (event) => {
  if (!event.isTrusted) return;
  event.stopImmediatePropagation();
  const fetched = window.fetch;
  window.fetch = (address) => {
    window.fetch = fetched;
    setTimeout(() => event.target.dispatchEvent(new Event("close")));
    return new Promise((done) => setTimeout(() => done(fetched(address)), 500));
  };
}, true)"""
"""A busy browser tells that a dialog was closed when the next is being fetched."""


def test_forward_opens_a_dialog_whose_closing_is_told_late(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    photograph_table(page, server)
    sheet = page.get_by_role("dialog")
    page.locator("#group-p1g0 .chip").first.click()
    sheet.get_by_role("heading", name="8 of hearts").wait_for()
    page.evaluate(LATE)
    back(page)
    sheet.wait_for(state="detached")
    forward(page)
    expect(sheet.get_by_role("heading", name="8 of hearts")).to_be_visible()


def test_back_to_what_the_camera_saw_asks_and_leaves_the_other_step(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "left.jpg").write_bytes(photo(NORTH_LEFT))
    page = visit("phone")
    photograph_table(page, server, counts=False)
    reset, sheet = page.get_by_role("link", name="Back to what the camera saw"), page.get_by_role("dialog")
    expect(reset, "nothing was changed yet").to_have_count(0)
    page.goto(server.url(SIDE + "left"))
    send_photo(page, tmp_path / "left.jpg")
    for path in ("", "left"):
        page.goto(server.url(SIDE + path))
        page.locator(".group .chip").first.click()
        with leaving(page):
            sheet.get_by_role("button", name="remove").click()
    expect(page.locator("#group-left0 .chip:not(.plus)")).to_have_count(2)
    page.goto(server.url(SIDE))
    settle(page)
    reset.click()
    sheet.get_by_role("heading", name="Back to what the camera saw?").wait_for()
    check(page)
    sheet.get_by_role("link", name="Keep my changes").click()
    sheet.wait_for(state="detached")
    expect(page.locator("#group-p1g0 .chip:not(.plus)")).to_have_count(6)
    reset.click()
    with leaving(page):
        sheet.get_by_role("button", name="Undo my changes").click()
    expect(page.locator("#group-p1g0 .chip:not(.plus)")).to_have_count(7)
    expect(reset).to_have_count(0)
    page.goto(server.url(SIDE + "left"))
    settle(page)
    expect(page.locator("#group-left0 .chip:not(.plus)")).to_have_count(2)
    expect(reset).to_be_visible()
