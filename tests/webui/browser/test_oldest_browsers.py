"""The oldest supported browsers, as far as a new one can be made into one: what they lack is taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.webui.browser.phones.conftest import browser
from tests.webui.browser.phones.test_phone_camera import begin, is_on
from tests.webui.helpers.browsing import Server, check, expect, leaving, settle
from tests.webui.helpers.game_pages import begin_round

__all__ = ["browser"]

OLDEST = """
delete HTMLFormElement.prototype.requestSubmit;
delete AbortSignal.timeout;
delete HTMLVideoElement.prototype.requestVideoFrameCallback;
delete window.ImageCapture;
FormData = class extends FormData { constructor(form) { super(form); } };
Object.defineProperty(Navigator.prototype, "wakeLock", { get: () => undefined });
"""
OLDER = "delete Array.prototype.findLast;"


def oldest(visit: Callable[..., Any], size: str) -> Any:
    page = visit(size)
    page.add_init_script(OLDEST)
    return page


def test_a_round_is_played(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    """Forms are sent, also from a dialog that stays open and one that leads on, and by a choice."""
    server, page = serve("drawn"), oldest(visit, "phone")
    begin_round(page, server)
    expect(page.get_by_text("This browser is too old")).to_be_hidden()
    page.goto(server.url("/game/1/round/1/side/0/"))
    settle(page)
    page.get_by_role("link", name="Tap North–South’s cards").click()
    sheet = page.get_by_role("dialog")
    for face, name in (("JK", "joker"), ("AS", "ace of spades")):
        sheet.locator(f".deck .pick[value={face}]").click()
        sheet.get_by_role("button", name=f"Undo the {name}").wait_for()
    with leaving(page):
        sheet.get_by_role("link", name="Done").click()
    page.locator(".group .chip", has_text="Joker").click()
    with leaving(page):
        page.get_by_role("dialog").get_by_role("button", name="Remove").first.click()
    expect(page.locator(".group .chip", has_text="Joker")).to_have_count(0)
    page.goto(server.url("/display"))
    with leaving(page):
        page.get_by_role("radio", name="Dark", exact=True).check()
    expect(page.get_by_role("radio", name="Dark", exact=True)).to_be_checked()


def test_a_phone_is_the_table_camera(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    server, phone = serve("drawn"), oldest(visit, "phone")
    begin(phone, server)
    is_on(phone)
    phone.get_by_role("button", name="Stop", exact=True).click()


def test_an_older_browser_is_told_what_to_do(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    for size in ("phone", "desk"):
        page = visit(size)
        page.add_init_script(OLDER)
        page.goto(server.url())
        expect(page.get_by_text("This browser is too old for this page: update it")).to_be_visible()
        check(page)
