"""Photos in a real browser: names over the cards at every size, and the view that fills the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, Server, back, check, expect, leaving, settle, until
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.game_pages import begin_round, send_photo

TYPE_SIZES = """
[...document.querySelectorAll('%s .tags text')].filter(one => one.getClientRects().length).map(one => {
  const scale = one.getScreenCTM().a, text = one.getBBox();
  const box = one.parentNode.querySelector('rect').getBBox();
  return {text: one.textContent, size: parseFloat(getComputedStyle(one).fontSize) * scale,
          inside: text.x >= box.x - 0.5 && text.x + text.width <= box.x + box.width + 0.5,
          over: text.width - box.width};
})"""

DOUBLE_TAP = """
ground => {
  for (const kind of ['pointerdown', 'pointerup', 'click', 'pointerdown', 'pointerup', 'click']) {
    ground.dispatchEvent(new PointerEvent(kind, {pointerId: 9, clientX: 200, clientY: 400, bubbles: true}));
  }
}"""
"""As fast as no test can tap on a busy machine."""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "north.jpg").write_bytes(photo(NORTH_TABLE))
    return tmp_path / "north.jpg"


def side_page(page: Any, server: Server, table: Path) -> None:
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, table)


def shown_width(page: Any) -> float:
    return float(page.locator(".viewer svg").bounding_box()["width"])


def test_names_over_a_photo_are_large_enough_and_fit_their_tags_at_every_size(
    table: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page = visit("phone")
    side_page(page, serve("drawn"), table)
    few = [one["text"] for one in page.evaluate(TYPE_SIZES % ".photo")]
    assert "6♦?" in few and "8♥" not in few, "without a wish, what is in doubt alone"
    page.locator(".groups .chip").first.hover()
    expect(page.locator(".photo .name.lit:visible"), "and what is looked at").to_have_count(1)
    page.get_by_role("button", name="Show all names").click()
    for size in ("small-phone", "phone", "tablet", "desk"):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        sizes = page.evaluate(TYPE_SIZES % ".photo")
        assert len(sizes) >= 12, "most cards and all groups have names, on a phone too"
        assert not [one for one in sizes if one["size"] < 11.99 or not one["inside"]]


def test_a_photo_fills_the_screen_and_is_zoomed_with_fingers(
    table: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page = visit("phone")
    side_page(page, serve("drawn"), table)
    address = page.url
    page.locator(".photo image").tap(position={"x": 340, "y": 205})  # the table beside the cards
    viewer = page.get_by_role("dialog", name="Photo, full screen")
    viewer.wait_for()
    assert viewer.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    until(page, TYPE_SIZES % ".viewer")  # names are on at once
    check(page)
    whole = shown_width(page)

    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (150, 400))
    touch("touchStart", (150, 400), (240, 400))
    for reach in range(0, 60, 10):
        touch("touchMove", (150 - reach, 400), (240 + reach, 400))
    touch("touchEnd")
    pinched = shown_width(page)
    assert pinched > 1.8 * whole
    left = page.locator(".viewer .ground").evaluate("ground => ground.scrollLeft")
    touch("touchStart", (200, 400))
    for x in range(200, 140, -10):
        touch("touchMove", (x, 400))
    touch("touchEnd")
    assert page.locator(".viewer .ground").evaluate("ground => ground.scrollLeft") > left + 30
    assert not [one for one in page.evaluate(TYPE_SIZES % ".viewer") if one["size"] < 11.99 or not one["inside"]]

    page.locator(".viewer .ground").evaluate(DOUBLE_TAP)
    assert shown_width(page) == pytest.approx(whole, abs=1), "a double tap shows the whole photo again"
    back(page)
    viewer.wait_for(state="detached")
    expect(page).to_have_url(address)
    expect(page.get_by_role("heading", name="cards on the table")).to_be_visible()


def test_a_photo_is_zoomed_with_wheel_buttons_and_keys_and_its_cards_corrected(
    table: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page = visit("desk")
    side_page(page, serve("drawn"), table)
    page.get_by_role("link", name="Full screen").click()
    viewer = page.get_by_role("dialog", name="Photo, full screen")
    viewer.wait_for()
    whole = shown_width(page)
    page.mouse.move(640, 300)
    page.mouse.wheel(0, -400)
    until(page, f"document.querySelector('.viewer svg').getBoundingClientRect().width > {1.5 * whole}")
    viewer.get_by_role("button", name="Whole photo").click()
    assert shown_width(page) == pytest.approx(whole, abs=1)
    viewer.get_by_role("button", name="Zoom in").click()
    page.keyboard.press("+")
    assert shown_width(page) == pytest.approx(whole * 1.6 * 1.6, rel=0.01)
    page.keyboard.press("Escape")
    viewer.wait_for(state="detached")

    page.get_by_role("link", name="Full screen").click()
    viewer.get_by_role("button", name="Show all names").click()
    page.locator(".viewer .name:visible", has_text="8♥").first.click()
    sheet = page.locator(".sheet")
    sheet.get_by_role("heading", name="8 of hearts").wait_for()
    with leaving(page):
        sheet.locator(".likely .pick").first.click()
    viewer.wait_for()  # a correction made from here leads back to it
    expect(viewer.get_by_role("button", name="Show all names")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("0")
    back(page)
    viewer.wait_for(state="detached")


def test_without_scripts_a_photo_has_a_page_of_its_own(
    table: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    side_page(visit("phone"), server, table)
    page = visit("phone", java_script_enabled=False)
    page.goto(server.url("/game/1/round/1/side/0/"))
    page.get_by_role("link", name="Full screen").click()
    settle(page)
    page.get_by_role("heading", name="North–South: cards on the table").wait_for()
    assert page.locator(".look svg").bounding_box()["width"] > 700, "larger than the screen, to be moved about"
    page.get_by_role("link", name="Back to the cards").click()
    page.locator(".photo").wait_for()
