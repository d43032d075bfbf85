"""The cards of a group one after the other in a real browser, by swipe, key and button; and the order of cards left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving
from tests.webui.helpers.drawn import NORTH_LEFT, photo
from tests.webui.helpers.game_pages import photograph_table, send_photo


def swipe(page: Any, way: int) -> None:
    fingers = page.context.new_cdp_session(page)
    for kind, x in (("touchStart", 200), ("touchMove", 200 + 50 * way), ("touchMove", 200 + 100 * way)):
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": 300}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_cards_of_a_group_are_checked_one_by_one(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page = visit("phone")
    photograph_table(page, serve("drawn"))
    group = page.locator(".group", has_text="Meld of aces")
    faces = [one.get_attribute("aria-label") for one in group.locator(".chip:not(.plus)").all()]
    with leaving(page):
        group.get_by_role("link", name="Check one by one").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(faces[0].capitalize())
    expect(page.locator(".compare img")).to_be_in_viewport(ratio=1)
    check(page)
    with leaving(page):
        swipe(page, -1)
    expect(page.get_by_text(f"card 2 of {len(faces)}")).to_be_visible()
    with leaving(page):
        swipe(page, 1)
    expect(page.get_by_text(f"card 1 of {len(faces)}")).to_be_visible()
    with leaving(page):
        page.keyboard.press("ArrowRight")
    with leaving(page):
        page.locator(".likely .pick[value=JK]").click()
    expect(page.get_by_text(f"card 3 of {len(faces)}"), "a correction leads on to the next card").to_be_visible()
    with leaving(page):
        page.get_by_role("link", name="Right: done").click()
    expect(group.locator(".chip", has_text="Joker")).to_have_count(1)


def test_cards_left_are_sorted_as_in_the_photo_or_by_rank(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page = visit("phone")
    server = serve("drawn")
    photograph_table(page, server)
    page.goto(server.url("/game/1/round/1/side/0/left"))
    (tmp_path / "left.jpg").write_bytes(photo(NORTH_LEFT))
    send_photo(page, tmp_path / "left.jpg", counts=False)
    chips = page.locator("#player0 .chip:not(.plus)")
    for button, names in (
        (None, ["4 of spades", "joker", "10 of hearts"]),
        ("Sort by rank", ["4 of spades", "10 of hearts", "joker"]),
        ("Sort as in the photo", ["4 of spades", "joker", "10 of hearts"]),
    ):
        if button:
            with leaving(page):
                page.get_by_role("button", name=button).click()
        assert [one.get_attribute("aria-label") for one in chips.all()] == names
