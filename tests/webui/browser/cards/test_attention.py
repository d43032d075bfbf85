"""What needs attention, in a real browser: one list, marks without a tick, and a question before agreeing over it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, settle
from tests.webui.helpers.drawn import NEARLY_SURE, photo
from tests.webui.helpers.game_pages import begin_round, photograph_table, send_photo

ROUND = "/game/1/round/1"


def test_agreeing_over_open_things_is_asked_about(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    photograph_table(page, server)
    expect(page.locator(".steps .n").nth(1), "known, and yet no tick over it").to_have_text("!", use_inner_text=True)
    page.goto(server.url(f"{ROUND}/check"))
    settle(page)
    listed = page.locator("#attention a")
    expect(listed.nth(3)).to_be_attached()
    with leaving(page):
        page.get_by_role("link", name="North–South: table: 2 things to look at").click()
    expect(page).to_have_url(re.compile(re.escape("/side/0/#doubts") + "$"))
    page.go_back()
    settle(page)
    sheet = page.get_by_role("dialog")
    page.get_by_role("link", name="North–South: we agree").click()
    sheet.get_by_role("heading", name="Agree anyway?").wait_for()
    check(page)
    expect(sheet.locator(".attention-list a")).to_have_count(listed.count())
    sheet.get_by_role("link", name="Go back and look").click()
    sheet.wait_for(state="detached")
    expect(page.locator(".agreed")).to_have_count(0)
    page.get_by_role("link", name="North–South: we agree").click()
    with leaving(page):
        sheet.get_by_role("button", name="North–South: agree anyway").click()
    expect(page.locator(".agreed", has_text="North–South")).to_be_visible()


def test_nearly_sure_cards_light_up_and_are_settled_at_one_tap(
    visit: Callable[..., Any], serve: Callable[[str], Server], tmp_path: Path
) -> None:
    page, server = visit("phone"), serve("drawn")
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    (tmp_path / "table.jpg").write_bytes(photo(NEARLY_SURE))
    send_photo(page, tmp_path / "table.jpg")
    asked, lit = page.locator("li.gathered"), page.locator("a.outline.lit")
    expect(asked).to_contain_text("3 cards not quite sure: look once", use_inner_text=True)
    for place in ("/game/1/round/1/side/0/", "/game/1/round/1/check"):
        page.goto(server.url(place))
        expect(lit).to_have_count(0)
        asked.get_by_role("link").click()
        expect(lit).to_have_count(3)
        check(page)
    with leaving(page):
        asked.get_by_role("button", name="All are right").click()
    expect(page).to_have_url(re.compile("/check#side0$"))
    expect(asked).to_have_count(0)
    page.goto(server.url("/game/1/round/1/side/0/"))
    expect(page.locator("#doubts").get_by_role("heading")).to_have_text("1 thing to look at", use_inner_text=True)
    with leaving(page):
        page.get_by_role("button", name="Undo").first.click()
    expect(asked).to_contain_text("3 cards not quite sure", use_inner_text=True)
    with leaving(page):
        asked.get_by_role("button", name="All are right").click()
    expect(asked).to_have_count(0)
