"""The first page, on a phone 390 px wide and on a desk: who plays, and the way to the first photos."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, press
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.game_pages import name_players

Visit = Callable[..., Any]
Serve = Callable[[str], Server]


def test_enter_goes_to_the_next_name_and_names_are_remembered(visit: Visit, serve: Serve) -> None:
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url())
    field = page.get_by_label("Who plays?")
    field.click()
    for name in ("Ann", "Bo", "Cy", "Di"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    press(page, "New game")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann & Bo against Cy & Di", use_inner_text=True)

    page.goto(server.url())
    check(page)
    for name in ("Cy", "Ann", "Bo"):
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("button", name="Ann", exact=True).click()
    page.get_by_role("button", name="Di", exact=True).click()
    expect(field, "in place of the one that was taken away").to_have_value("Cy\nDi\nBo\n")
    expect(page.get_by_role("button", name="Ann", exact=True)).to_have_attribute("aria-pressed", "false")
    field.press("Control+End")
    page.keyboard.type("Eve")
    press(page, "New game")
    expect(page.get_by_role("heading", level=1)).to_have_text("Cy & Di against Bo & Eve", use_inner_text=True)


def test_what_is_typed_goes_along_to_other_rules(visit: Visit, serve: Serve) -> None:
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url())
    name_players(page, "Ann", "Bo", "Cy")
    press(page, "New game")
    expect(page.get_by_text("Golden Games doubles is for 4 players, and you are 3.")).to_be_visible()
    check(page)
    name_players(page, "Ann", "Bo", "Eve")
    with leaving(page):
        page.get_by_label("Rules").select_option("hand-n-foot")
    expect(page.get_by_label("Who plays?")).to_have_value("Ann\nBo\nEve")
    press(page, "Start the game")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann against Bo against Eve", use_inner_text=True)


def test_seven_taps_lead_from_the_first_page_to_a_photo_of_each_side(
    visit: Visit, serve: Serve, tmp_path: Path
) -> None:
    """The first is into the field of names; a file that is chosen stands for a press of the shutter."""
    for side, table in enumerate((NORTH_TABLE, EAST_TABLE)):
        (tmp_path / f"{side}.jpg").write_bytes(photo(table))
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url())
    name_players(page, "Ann", "Bo", "Cy", "Di")
    take = page.locator(".next-step .take input[type=file]").first
    taps = [
        page.get_by_role("button", name="New game").click,
        page.get_by_role("button", name="Score round 1").click,
        page.get_by_role("button", name="Nobody went out").click,
        lambda: take.set_input_files(str(tmp_path / "0.jpg")),
        page.get_by_role("link", name="Cy & Di: table").click,
        lambda: take.set_input_files(str(tmp_path / "1.jpg")),
    ]
    for tap in taps:
        with leaving(page):
            tap()
    expect(page.locator(".outline").first).to_be_attached()
    expect(page).to_have_url(server.url("/game/1/round/1/side/1/"))
