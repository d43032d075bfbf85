"""Hand 'n Foot with its own deck, entered without a photo on a phone 390 px wide; the points are worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving
from tests.webui.helpers.game_pages import count_piles, name_players, total

NAMES = {4: ("Ann", "Bo", "Cy", "Di"), 5: ("Ann", "Bo", "Flo", "Cy", "Di")}


def begin(page: Any, server: Server, players: int) -> None:
    page.goto(server.url(f"/new?rules=hand-n-foot&players={players}"))
    check(page)
    name_players(page, *NAMES.get(players, ()))
    with leaving(page):
        page.get_by_role("button", name="Start the game").click()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Score round 1").click()


def add(page: Any, opener: Any, face: str, group: str | None = None) -> None:
    """Adds a card by the form that a link or button opens, to the group that the form proposes, or to another."""
    opener.click()
    form = page.get_by_role("dialog")
    form.get_by_role("heading", name="Which cards?").wait_for()
    if group:
        form.locator("select").select_option(group)
    if not form.locator(f".pick[value='{face}']").first.is_visible():
        form.get_by_text("Any other card").click()
    form.locator(f".pick[value='{face}'] >> visible=true").first.click()
    with leaving(page):
        form.get_by_role("link", name="Done").click()


def says(page: Any, remark: str) -> bool:
    """Whether a remark stands with its meld; the list above the photos has it too, after the meld's name."""
    return bool(page.get_by_text(remark, exact=True).is_visible())


def test_a_squared_pile_with_a_lady_on_a_phone(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server, 4)
    page.goto(server.url("/game/1/round/1/side/0/"))
    add(page, page.get_by_role("link", name="Tap "), "9", "new-pile")
    expect(page.get_by_text("not counted yet").first).to_be_visible()
    assert total(page) == 0
    check(page)
    question = page.locator(".doubts .pile-count")
    question.get_by_role("button", name="Cards in all: one more").click()
    question.get_by_role("button", name="Cards in all: one less").click()
    count_piles(page)
    assert total(page) == 500 + 7 * 10
    add(page, page.get_by_role("link", name="Add a card to Clean book of 9s"), "LADY")
    assert total(page) == 500 + 7 * 10 + 100
    expect(page.get_by_text("8 cards")).to_be_visible()

    # the pile is counted: what the form proposes changes nothing, a second Lady adds nothing and is named
    page.get_by_role("link", name="Change the group Clean book of 9s").click()
    form = page.get_by_role("dialog")
    form.get_by_label("How many are ladies on top?", exact=True).wait_for()
    check(page)
    with leaving(page):
        form.get_by_role("button", name="Save the count").click()
    assert total(page) == 670
    add(page, page.get_by_role("link", name="Add a card to Clean book of 9s"), "LADY")
    assert total(page) == 670 and says(page, "A book can have at most 1 cap. This one has 2.")
    with leaving(page):
        page.get_by_role("button", name="Undo").click()

    # a card that does not belong breaks the book, and says so
    add(page, page.get_by_role("link", name="Add a card to Clean book of 9s"), "8")
    assert total(page) == 7 * 10 + 10 and says(page, "A meld can hold only one rank. This one has 9s and an 8.")
