"""A round in a real browser on every screen size: photos, corrections, agreement; axe finds no barrier."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving, settle, until
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_LEFT, NORTH_TABLE, photo
from tests.webui.helpers.game_pages import agree, begin_round, send_photo, total


@pytest.fixture
def photos(tmp_path: Path) -> dict[str, Path]:
    """The drawn tables as files."""
    tables = {"north": NORTH_TABLE, "left": NORTH_LEFT, "east": EAST_TABLE}
    for name, table in tables.items():
        (tmp_path / f"{name}.jpg").write_bytes(photo(table))
    return {name: tmp_path / f"{name}.jpg" for name in tables}


def test_a_round_step_by_step(
    photos: dict[str, Path], visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("phone")
    begin_round(page, server)
    check(page)
    with leaving(page):
        page.get_by_role("button", name="North", exact=True).click()
    check(page)
    send_photo(page, photos["north"])
    check(page)
    table = page.url
    seen = total(page)
    page.get_by_role("button", name="Show all names").click()
    expect(page.locator(".label text:visible", has_text="8s · 770"), "groups are named on the photo").to_have_count(1)

    # what is doubtful comes first, with its likely faces; one tap settles it
    expect(page.get_by_role("heading", name="2 things to look at")).to_be_visible()
    with leaving(page):
        page.get_by_role("button", name="No, the 9 of diamonds").click()
    assert total(page) == seen + 305
    expect(page.get_by_role("heading", name="1 thing to look at")).to_be_visible()

    # a card that was missed is added where it lies
    page.get_by_role("button", name="Add a missed card").click()
    picture = page.locator(".photo svg")
    box = picture.bounding_box()
    picture.click(position={"x": box["width"] * 780 / 1600, "y": box["height"] * 440 / 1000}, force=True)
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Which card is it?").wait_for()
    expect(sheet.locator("select option:checked"), "the meld it lies nearest to is proposed").to_contain_text(
        "aces", use_inner_text=True
    )
    with leaving(page):
        sheet.locator(".likely .pick[value=AC]").click()
    assert total(page) == seen + 325

    # a card's own sheet: the photo's crop large, the whole deck behind, and away with it
    page.locator("#group-p1g1 .chip").last.scroll_into_view_if_needed()
    page.locator("#group-p1g1 .chip").nth(0).click()
    sheet.locator("img.crop").first.wait_for()
    check(page)
    with leaving(page):
        sheet.locator(".likely .pick[value=JK]").click()
    expect(page.locator("#group-p1g1 .chip", has_text="Joker")).to_have_count(1)
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    assert total(page) == seen + 325
    expect(page.locator("#group-p1g1 .chip", has_text="Joker")).to_have_count(0)

    # split a group, then join it again
    page.get_by_role("link", name="Change the group Clean book of 8s").click()
    sheet.locator(".tick input").first.wait_for()
    check(page)
    for place in (0, 1, 2):
        sheet.locator(".tick input").nth(place).check()
    with leaving(page):
        sheet.get_by_role("button", name="a new meld").click()
    assert total(page) == seen + 325 - 700
    page.get_by_role("link", name="Change the group Meld of 8s").last.click()
    sheet.get_by_text("Combine with another group").click()
    with leaving(page):
        sheet.get_by_role("button", name="Meld of 8s (4 cards)").click()
    assert total(page) == seen + 325

    with leaving(page):  # South
        page.locator(".next-step").get_by_role("button", name="No cards left").click()
    with leaving(page):  # East–West's table
        page.locator(".next-step").get_by_role("button", name="Nothing on the table").click()
    send_photo(page, photos["left"])
    expect(page).to_have_url(re.compile(re.escape("/side/1/left") + "$"))
    check(page)
    with leaving(page):
        page.locator(".next-step").get_by_role("button", name="No cards left").click()

    check(page)
    with leaving(page):
        page.get_by_role("button", name="Continue").click()
    check(page)
    line = page.locator("a.line", has_text="8s: 7")
    # counted at the click itself: the photo glides into sight, and what comes to lie under the mouse is lit as well
    count = "window.lit = document.querySelectorAll('.photo .outline.lit').length"
    page.evaluate(f"document.addEventListener('click', () => {{ {count}; }})")
    line.click()
    until(page, "(window.lit) === 7")  # a touch on a line lights its cards in the photo
    agree(page, "North–South")
    expect(page.locator(".agreed", has_text="North–South")).to_be_visible()
    agree(page, "East–West")
    expect(page).to_have_url(re.compile(re.escape("/tally") + "$"))
    check(page)
    scored = page.locator(".totals tfoot td").first.inner_text()

    # corrected afterwards
    with leaving(page):
        page.get_by_role("link", name="Correct this round").click()
    page.goto(table)
    settle(page)
    assert page.locator(".photo image").first.evaluate("image => image.getBBox().width") > 100
    page.locator("#group-p1g3 .chip").first.click()
    with leaving(page):
        sheet.get_by_role("button", name="remove").click()
    expect(page.get_by_text("changed after you agreed")).to_be_visible()
    page.goto(server.url("/game/1/"))
    expect(page.locator(".totals tfoot td").first, "it counts once everyone agrees again").to_have_text(
        scored, use_inner_text=True
    )


def test_every_step_fits_the_smallest_phone(
    photos: dict[str, Path], visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("small-phone", color_scheme="dark")
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, photos["north"])
    for path in ("side/0/", "side/0/left", "unseen", "check", "side/0/group/p1g0", "side/0/card/p1c0"):
        page.goto(server.url(f"/game/1/round/1/{path}"))
        check(page)
