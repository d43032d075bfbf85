"""Decks in a real browser: chosen for a game, honest before the first photo, unknown cards that ask what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving
from tests.webui.helpers.drawn import NORTH_LEFT, photo


def test_cards_that_were_not_taught_are_told_and_unknown_ones_ask(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("small-phone", color_scheme="dark")
    page.goto(server.url("/new?rules=golden-games"))
    page.get_by_role("checkbox", name="Standard cards").uncheck()
    page.get_by_role("checkbox", name="Hand & Foot Remastered cards").check()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Start the game").click()
    notice = page.get_by_text("The camera hasn’t been taught Hand & Foot Remastered cards")
    expect(notice).to_be_visible()
    expect(page.get_by_role("link", name="Teach these cards")).to_be_visible()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Score round 1").click()
    page.goto(server.url("/game/1/round/1/side/0/"))
    expect(notice).to_be_visible()
    expect(page.get_by_role("link", name="Type North–South’s points")).to_be_visible()
    file = {"name": "left.jpg", "mimeType": "image/jpeg", "buffer": photo(NORTH_LEFT)}
    page.locator("form.choose input[type=file]").set_input_files(file)
    question = page.locator("#doubts li", has_text="Unknown card. What is it?")
    question.wait_for()
    expect(question.get_by_role("button", name="Yes")).to_have_count(0)
    expect(notice).to_be_hidden()
    check(page)
    page.goto(server.url("/decks/"))
    check(page)
    with leaving(page):
        page.goto(server.url("/game/1/"))
        page.get_by_role("link", name="Cards you play with: Hand & Foot Remastered cards").click()
    page.get_by_role("checkbox", name="Standard cards").check()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Cards you play with: Standard cards and Hand & Foot Remastered cards")).to_be_visible()
