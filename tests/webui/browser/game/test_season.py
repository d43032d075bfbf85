"""A season on a phone: a game ends, others sit together, names change places, and everybody's own total grows."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving
from tests.webui.helpers.played_games import play_round
from webui.storage.records import SideRecord
from webui.storage.store import Store

LONG, HEBREW = "Wilhelmina Bartholomew-Featherstonehaugh", "שרה בת אברהם"
SIDES = (SideRecord("Ann & Bo", ("Ann", "Bo")), SideRecord("Them", (LONG, HEBREW)))


def test_playing_again_with_other_partners(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    game = store.add_game("golden-games", 4, SIDES)
    for number in range(1, 5):
        play_round(store, game, number, random.Random(number))
    store.close()
    server = serve("drawn")
    page = visit("phone")
    page.goto(server.url(f"/game/{game}/"))
    with leaving(page):
        page.get_by_role("link", name="With new partners").click()
    check(page)
    seats = page.locator(".seats")
    told = [text.replace("\n\n", "\n").split("\n") for text in seats.all_inner_texts()]
    never = "They have never been partners."
    assert told == [["Side 1", "Ann", LONG, never], ["Side 2", "Bo", HEBREW, never]]

    # two taps swap two names, and somebody new comes in for one who has left
    for name in ("Ann", HEBREW):
        with leaving(page):
            seats.get_by_role("button", name=name).click()
    expect(seats).to_have_text([re.compile(HEBREW), re.compile("Bo")])
    page.get_by_label("Add someone new").fill("Zoe")
    with leaving(page):
        page.get_by_label("Add someone new").press("Enter")
    with leaving(page):
        page.get_by_role("checkbox", name="Bo").click()
    expect(seats.filter(has_text="Bo")).to_have_count(0)
    expect(seats.filter(has_text="Zoe")).not_to_have_count(0)
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Start the game").click()
    expect(page.locator("main")).to_contain_text("Golden Games doubles, 4 players", use_inner_text=True)
    expect(page.locator("h1")).to_contain_text("Zoe", use_inner_text=True)

    with leaving(page):
        page.get_by_role("link", name="Players").click()
    check(page)
    expect(page.locator("tbody tr"), "the new game has no agreed round yet").to_have_count(4)
    with leaving(page):
        page.get_by_role("link", name=LONG).click()
    check(page)
    expect(page.locator("table")).to_contain_text(HEBREW, use_inner_text=True)

    page.goto(server.url("/players/"))
    with leaving(page):
        page.get_by_label("Sort by").select_option("round")
    expect(page).to_have_url(re.compile("by=round"))
    with leaving(page):
        page.get_by_role("link", name="Last year").click()
    expect(page.locator("main")).to_contain_text("No games that started", use_inner_text=True)
    wide = visit("desk")
    for path in ("/players/", f"/players/person?name={HEBREW}", f"/game/{game}/again"):
        wide.goto(server.url(path))
        check(wide)
