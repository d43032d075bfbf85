"""A round without photos on a phone 390 px wide: cards and points typed; the points are worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, settle, until
from tests.webui.helpers.game_pages import all_agree, name_players, total

NAMES = ("Ann", "Bo", "Cy", "Di")


def begin(page: Any, server: Server, rules: str, players: int = 4) -> None:
    page.goto(server.url(f"/new?rules={rules}&players={players}"))
    if players == len(NAMES):
        name_players(page, *NAMES)
    with leaving(page):
        page.get_by_role("button", name="Start the game").click()


def test_a_round_in_counts_takes_one_form_a_side(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server, "golden-games")
    with leaving(page):
        page.get_by_role("button", name="Score round 1").click()
    with leaving(page):
        page.get_by_role("button", name="Ann", exact=True).click()
    with leaving(page):
        page.get_by_role("link", name=re.compile("^Type .*’s points$")).click()
    check(page)
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    for label, value in (
        ("Clean books", "3"),
        ("Dirty books", "2"),
        ("Card points", "640"),
        ("Points left in hand", "85"),
    ):
        page.get_by_role("textbox", name=label).fill(value)
    # 3 x 700 + 2 x 300 + 640 - 85 + going out 100
    until(page, "document.querySelector('output').textContent === '3,355 points'")
    button = page.get_by_role("button", name="Save the points")
    page.evaluate("scrollTo(0, 0)")
    assert button.bounding_box()["y"] + button.bounding_box()["height"] <= 844, "the whole form is on one screen"
    page.get_by_role("textbox", name="Clean books").fill("x")
    until(page, "document.querySelector('output').textContent === ''")
    page.get_by_role("textbox", name="Clean books").fill("3")
    with leaving(page):
        button.click()

    expect(page.get_by_role("heading", name="Cy & Di: type the points"), "the other side comes next").to_be_visible()
    page.get_by_label("Just the total").check()
    page.get_by_label("Total for this round").fill("120")
    page.get_by_label("Minus").check()
    until(page, "document.querySelector('output').textContent === '−120 points'")
    with leaving(page):
        page.get_by_role("button", name="Save the points").click()
    assert len(sent) == 2, "one request a side"

    page.goto(server.url("/game/1/round/1/side/0/"))
    assert total(page) == 3355
    expect(page.get_by_text("Typed: 3 clean, 2 dirty")).to_be_visible()
    page.goto(server.url("/game/1/round/1/check"))
    all_agree(page)
    expect(page.locator(".totals tbody td")).to_have_text(["3,355", "−120"], use_inner_text=True)
    expect(page.get_by_text("Total of the round, typed")).to_be_visible()
    page.goto(server.url("/game/1/pad"))
    expect(page.get_by_text("typed").first).to_be_visible()


def test_cards_typed_with_buried_ones_and_a_starter(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server, "tanglewood")
    with leaving(page):
        page.get_by_role("button", name="Di", exact=True).click()
    with leaving(page):
        page.get_by_role("button", name="Score round 1").click()
    expect(page.get_by_text("Di played first")).to_be_visible()
    page.goto(server.url("/game/1/round/1/side/0/typed/cards"))
    check(page)
    page.get_by_label("Melds, one line for each").fill("7x8\nq q 2\nk k kk")
    page.get_by_label("Buried cards").fill("jk")
    with leaving(page):
        page.get_by_role("button", name="Add these cards").click()
    expect(page.get_by_text("“kk” is not a card in this deck")).to_be_visible()
    check(page)
    page.get_by_label("Melds, one line for each").fill("7x8\nq q 2\nk k k k")
    page.get_by_label("Cards left: Bo").fill("red 3")
    with leaving(page):
        page.get_by_role("button", name="Add these cards").click()
    # 8s 500 + 35; queens 20 + 20; kings 40; a buried joker 50; a red three left -500
    assert total(page) == 535 + 40 + 40 + 50 - 500
    expect(page.get_by_role("heading", name="Buried cards")).to_be_visible()
    expect(page.get_by_text("Broken")).to_have_count(0)

    # three more cards for the queens, typed in the form of one card
    page.get_by_role("link", name="Add a card to Meld of queens").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Or type several").fill("3 queens")
    check(page)
    with leaving(page):
        form.get_by_role("button", name="Add these cards").click()
    assert total(page) == 165 + 30
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    assert total(page) == 165

    page.goto(server.url("/game/1/first-meld/?round=1"))
    page.get_by_label("Or type the cards").fill("q q 2 8 8 8")
    with leaving(page):
        page.get_by_role("button", name="Is it enough?").click()
    # queens 20 and a two 20, 8s 15
    expect(page.get_by_role("heading", name="55, enough for round 1 (50)")).to_be_visible()
    settle(page)
