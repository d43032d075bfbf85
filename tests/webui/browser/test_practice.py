"""The practice game in a real browser: offered at once, marked on each page, gone with one tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving


def test_a_practice_game_cannot_be_mistaken_for_a_real_one(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("small-phone")
    page.goto(server.url())
    mark = page.get_by_role("note").get_by_text("Practice game.")
    with leaving(page):
        page.get_by_role("button", name="Try it with practice cards").click()
    with leaving(page):
        page.get_by_role("button", name="South", exact=True).click()
    expect(mark).to_be_visible()
    expect(page.locator(".next-step").get_by_role("button", name="Practice cards")).to_be_visible()
    expect(page.get_by_role("button", name="Table camera")).to_have_count(0)
    check(page)
    page.goto(server.url("/game/1/television"))
    expect(mark).to_be_visible()
    page.goto(server.url())
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Remove this practice game").click()
    expect(page.locator(".games")).to_have_count(0)
