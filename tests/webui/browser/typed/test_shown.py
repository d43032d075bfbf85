"""What was typed is shown whole, photos may be added to it, and a new game is offered with what was played last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, settle
from tests.webui.helpers.game_pages import agree

CUT = """() => [...document.querySelectorAll('.round-tv li span')].filter((one) => {
  const box = one.getBoundingClientRect(), row = one.closest('li').getBoundingClientRect();
  return one.scrollWidth > one.clientWidth + 1 || getComputedStyle(one).textOverflow === 'ellipsis'
    || box.right > row.right + 1 || box.bottom > innerHeight;
}).map((one) => one.innerText)"""


def test_typed_points_are_shown_whole_and_the_last_rules_are_offered(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("desk")
    page.goto(server.url("/new?rules=tanglewood"))
    for name in ("Start the game", "Score round 1", "Nobody went out"):
        with leaving(page):
            page.get_by_role("button", name=name).click()
    for side in (0, 1):
        page.goto(server.url(f"/game/1/round/1/side/{side}/typed/points"))
        for field, value in (("books-clean", 2), ("books-dirty", 3), ("cards", 460), ("left", 140)):
            page.locator(f"[name={field}]").fill(str(value))
        with leaving(page):
            page.locator("main form[action*='typed'] button").last.click()
    page.goto(server.url("/game/1/round/1/side/0/"))
    page.get_by_text("Add photos to look at").click()
    expect(page.get_by_text("The typed points are the ones that count.")).to_be_visible()
    expect(page.locator("details .choose .button").first).to_be_visible()
    check(page)
    page.goto(server.url("/game/1/round/1/unseen"))
    with leaving(page):
        page.locator(".next-step button").last.click()
    for name in ("North–South", "East–West"):
        agree(page, name)

    page.goto(server.url("/game/1/television"))
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        expect(page.get_by_text("books, typed: 2 × ").first).to_be_visible()
        assert page.evaluate(CUT) == [], (width, height)
        assert page.locator(".round-tv").evaluate("one => one.scrollHeight <= one.clientHeight + 1"), (width, height)

    page.goto(server.url("/"))
    expect(page.get_by_text("Tanglewood, 4 players, 2 sides of 2.")).to_be_visible()
    page.goto(server.url("/new"))
    expect(page.get_by_label("Rules")).to_have_value("tanglewood")
    page.goto(server.url("/"))
    with leaving(page):
        page.get_by_role("button", name="New game").click()
    expect(page.get_by_text("Tanglewood").first).to_be_visible()
