"""A lost connection in a real browser: page, photo and what was typed stay, and trying again sends them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, Server, expect, leaving, settle
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.game_pages import begin_round, name_players


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A phone that may be without a connection, which the console tells as an error."""
    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
    tab = context.new_page()
    tab.pending = set()
    yield tab
    context.close()


def test_a_photo_stays_until_it_got_through(page: Any, tmp_path: Path, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    page.route("**/photos", lambda route: route.abort("connectionreset"))
    page.locator(".next-step .choose input[type=file]").set_input_files(str(tmp_path / "table.jpg"))
    page.get_by_text("The connection was lost while sending the photo.").wait_for()
    page.unroute("**/photos")
    with leaving(page):
        page.get_by_role("button", name="Try again").click()
    page.locator(".outline").first.wait_for()
    expect(page.locator(".outline").nth(19)).to_be_attached()


def test_a_form_keeps_what_was_typed(page: Any, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    page.goto(server.url("/new"))
    name_players(page, "Ann", "Bo", "Cy", "Di")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_text("No connection to the scorekeeper.").wait_for()
    expect(page).to_have_url(re.compile(re.escape("/new") + "$"))
    expect(page.get_by_label("Who plays?")).to_have_value("Ann\nBo\nCy\nDi")
    with leaving(page):  # it goes by itself
        page.context.set_offline(False)
    expect(page).to_have_url(re.compile("/game/1/"))
    expect(page.get_by_text("Ann").first).to_be_visible()


def test_what_is_typed_on_is_not_sent_half(page: Any, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    page.goto(server.url("/new"))
    name_players(page, "Ann", "Bo", "Cy", "Di")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Try again").wait_for()
    page.get_by_label("Who plays?").fill("Ann\nBo\nCy\nDina")
    page.context.set_offline(False)
    page.wait_for_timeout(5000)  # longer than it waits before it asks
    with leaving(page):
        page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Dina").first).to_be_visible()


def tapping(page: Any, server: Server) -> Any:
    """The open dialog in which the cards of the first side are tapped."""
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    settle(page)
    page.get_by_role("link", name="Tap North–South’s cards").click()
    sheet = page.get_by_role("dialog")
    sheet.locator(".deck .pick[value=JK]").wait_for()
    return sheet


def test_a_form_in_a_dialog_stays_open(page: Any, serve: Callable[[str], Server]) -> None:
    sheet = tapping(page, serve("drawn"))
    page.context.set_offline(True)
    sheet.locator(".deck .pick[value=JK]").click()
    sheet.get_by_text("No connection to the scorekeeper.").wait_for()
    sheet.locator(".deck .pick[value=AS]").click()
    page.context.set_offline(False)
    sheet.get_by_role("button", name="Try again").click()
    sheet.get_by_role("button", name="Undo the ace of spades").wait_for()
    expect(sheet.locator(".added .chip"), "what was tapped meanwhile waited for its turn").to_have_count(2)
    with leaving(page):
        sheet.get_by_role("link", name="Done").click()
    expect(page.locator(".group .chip", has_text="Joker")).to_be_visible()


def test_no_tap_is_lost_while_the_server_is_slow(page: Any, serve: Callable[[str], Server]) -> None:
    sheet = tapping(page, serve("drawn"))
    held: list[Any] = []
    page.route("**/*", lambda route: held.append(route))
    for face in ("JK", "AS", "2H"):
        sheet.locator(f".deck .pick[value='{face}']").click()
    for route in held:
        route.continue_()
    page.unroute("**/*")
    sheet.get_by_role("button", name="Undo the 2 of hearts").wait_for()
    expect(sheet.locator(".added .chip")).to_have_count(3)


def test_new_game_pressed_twice_makes_one_game(page: Any, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    page.goto(server.url())
    with leaving(page):
        page.get_by_role("button", name="New game").dblclick()
    page.goto(server.url())
    expect(page.locator(".games li")).to_have_count(1)
