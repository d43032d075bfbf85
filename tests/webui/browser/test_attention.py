"""What needs attention, in a real browser: one list, marks without a tick, and a question before agreeing over it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, photograph_table, settle

ROUND = "/game/1/round/1"


def test_agreeing_over_open_things_is_asked_about(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    photograph_table(page, server, tmp_path)
    expect(page.locator(".steps .n").nth(1), "known, and yet no tick over it").to_have_text("!", use_inner_text=True)
    page.goto(server.url(f"{ROUND}/check"))
    settle(page)
    check(page)
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
