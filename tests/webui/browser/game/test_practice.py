"""The practice game in a real browser: offered at once, marked on each page, gone with one tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving
from vision.engines.weights import weights_report

TAPS = 12
"""From the first page to the score of a whole round."""


def test_a_practice_game_cannot_be_mistaken_for_a_real_one(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    page = visit("small-phone")
    page.goto(server.url())
    mark = page.get_by_role("note").get_by_text("Practice game.")
    with leaving(page):
        page.get_by_role("button", name="Try it with practice cards").click()
    with leaving(page):
        page.get_by_role("button", name="South", exact=True).click()
    expect(mark).to_be_visible()
    expect(page.locator(".next-step").get_by_role("button", name="Practice cards")).to_be_visible()
    expect(page.get_by_role("button", name="Table camera")).to_have_count(0)
    check(page)
    page.goto(server.url("/game/1/television"))
    expect(mark).to_be_visible()
    page.goto(server.url())
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Remove this practice game").click()
    expect(page.locator(".games")).to_have_count(0)


@pytest.mark.skipif(not all(row["ok"] for row in weights_report()), reason="the weights are not installed")
def test_practice_leads_to_an_agreed_round_with_a_card_to_correct(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page, taps = serve("shipped"), visit("phone"), []

    def tap(what: Any) -> None:
        taps.append(what)
        with leaving(page):
            what.click()

    page.goto(server.url())
    tap(page.get_by_role("button", name="Try it with practice cards"))
    tap(page.get_by_role("button", name="North", exact=True))
    for _ in range(5):  # two tables, and the cards of three who are left with some
        tap(page.locator(".next-step").get_by_role("button", name="Practice cards"))
        expect(page.get_by_text("no practice cards")).to_have_count(0)
    expect(page.get_by_text("Is this the 5 of spades?")).to_be_visible()
    tap(page.locator(".doubts").get_by_role("button", name="No, the 6 of spades"))
    expect(page.locator(".doubts")).to_have_count(0)
    tap(page.locator(".next-step .yes-no button"))
    expect(page.locator("#attention")).to_have_count(0)
    check(page)
    for side in ("North–South", "East–West"):  # as in a game that counts
        tap(page.locator("#agree").get_by_role("button", name=f"{side}: we agree"))
    expect(page.get_by_role("heading", name="That was a whole round")).to_be_visible()
    expect(page.get_by_text("Winner: North–South")).to_be_visible()
    check(page)
    assert len(taps) <= TAPS
