"""A round in a real browser, under a path behind the real nginx."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.webui.access.test_behind_nginx import BY_NAME, UNDER_A_PATH, behind_nginx
from tests.webui.browser.game.test_game import play_round
from tests.webui.helpers.browsing import check, expect, leaving, settle, until
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_LEFT, NORTH_TABLE, photo
from webui.context.services import services_of


def test_a_round_under_a_path(base: str, visit: Callable[..., Any], tmp_path: Path, code: str) -> None:
    for name, table in {"north": NORTH_TABLE, "left": NORTH_LEFT, "east": EAST_TABLE}.items():
        (tmp_path / f"{name}.jpg").write_bytes(photo(table))
    page, follower = visit("tablet"), visit("phone")
    asked: list[str] = []
    for tab in (page, follower):
        tab.on("request", lambda one: asked.append(one.url))
        tab.goto(f"{base}/")
        tab.get_by_label("Six-digit code").fill(code)
        with leaving(tab):
            tab.get_by_role("button", name="Join").click()
    with leaving(page):
        page.get_by_role("button", name="New game").click()
    follower.goto(f"{base}/game/1/")
    follower.locator("html[data-follows=stream]").wait_for(state="attached")
    with leaving(page):
        page.get_by_role("button", name="Score round 1").click()
    play_round(page, tmp_path, correct=True)
    expect(page).to_have_url(re.compile(re.escape(f"{base}/game/1/round/1/")))
    until(follower, "document.querySelector('.totals tfoot td')?.innerText === '1,940'")
    page.goto(f"{base}/game/1/round/1/side/0/")
    page.locator("a[data-dialog]").first.click()
    page.get_by_role("dialog").locator("img.crop").first.wait_for()
    settle(page)  # the crop is there before it is loaded
    page.goto(f"{base}/game/1/join")
    expect(page.get_by_text(f"{base}/game/1/")).to_be_visible()
    check(page)
    page.goto(f"{base}/camera/")
    until(page, "document.querySelector('.live').naturalWidth > 1")
    page.goto(f"{base}/display")
    with leaving(page):
        page.get_by_label("Dark").check()
    assert {cookie["path"] for cookie in page.context.cookies()} == {"/cards"}
    page.goto(f"{base}/statistics")
    check(page)
    elsewhere = [url for url in asked if not url.startswith((f"{base}/", "data:", "blob:"))]
    assert len(asked) > 100 and not elsewhere


@pytest.fixture
def served(make_app: Callable[..., Any], tmp_path: Path) -> Iterator[tuple[str, str]]:
    app = make_app(**BY_NAME, prefix="/cards")
    with behind_nginx(app, tmp_path, UNDER_A_PATH) as caller:
        yield f"http://{caller.at}/cards", services_of(app).access_code.code


@pytest.fixture
def base(served: tuple[str, str]) -> str:
    return served[0]


@pytest.fixture
def code(served: tuple[str, str]) -> str:
    return served[1]
