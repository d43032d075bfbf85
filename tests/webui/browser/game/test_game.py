"""A whole game in a real browser: pictures, corrections, undo, a second screen, a past round, other rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, until
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_LEFT, NORTH_TABLE, photo
from tests.webui.helpers.game_pages import agree, posted, send_photo, total
from tests.webui.helpers.played_games import agree_round
from webui.storage.store import Store

# As the drawn tables are read: 8s 770, queens 50, an invalid meld 75, aces 60, a squared pile of kings 380, red 3s 200;
# jacks 40 and 4s 60. East has three cards of 65 left, and North goes out.
NORTH, EAST, OUT, LEFT, CORRECTED = 1535, 100, 100, 65, 305


def test_a_whole_game(tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    for name, table in {"north": NORTH_TABLE, "left": NORTH_LEFT, "east": EAST_TABLE}.items():
        (tmp_path / f"{name}.jpg").write_bytes(photo(table))
    page, follower = visit("tablet"), visit("phone")
    posted(page, server.url("/new"))
    store = Store(tmp_path / "data")
    for number in (1, 2):  # as nobody has a point in these, and nothing new is seen
        store.rounds.begin(1, number)
        sheet = {"rules": "golden-games", "round": number, "players": 4}
        agree_round(store, number, {**sheet, "sides": [{"name": "North–South"}, {"name": "East–West"}]})
    store.close()
    follower.goto(server.url("/game/1/"))
    page.goto(server.url("/game/1/"))
    for played in (1, 2):
        step(page, f"Score round {played + 2}")
        play_round(page, tmp_path, correct=played == 2)
        sums = [played * (NORTH + OUT) + (played == 2) * CORRECTED, played * (EAST - LEFT)]
        expected = ",".join(f"{points:,}" for points in sums).replace("-", "−")
        cells = "[...document.querySelectorAll('.totals tfoot td')]"
        until(follower, f"{cells}.map(cell => cell.innerText).join() === '{expected}'")
    follower.get_by_text("Winner: North–South, 3,575 points").wait_for()

    # a round of the finished game is corrected: it counts again once both agree again
    page.goto(server.url("/game/1/round/3/side/0/"))
    with leaving(page):
        page.get_by_role("button", name="No, the 9 of diamonds").click()
    with leaving(page):
        page.get_by_role("link", name="Next: check and agree").click()
    both_agree(page)
    follower.get_by_text("Winner: North–South, 3,880 points").wait_for()

    # the same cards by other house rules: 8s and kings are worth less as books, laid red 3s are not known
    page.goto(server.url("/game/1/rules?to=tanglewood"))
    with leaving(page):
        page.get_by_role("button", name="We all agree: score every round with Tanglewood").click()
    check(page)
    expect(page.locator(".totals tfoot td").first).not_to_have_text("3,880", use_inner_text=True)
    check(follower)


def play_round(page: Any, photos: Path, correct: bool) -> None:
    """One round from its first step to its result; where asked to, a card is named and a mistake taken back."""
    step(page, "North")
    send_photo(page, photos / "north.jpg")
    if correct:
        before = total(page)
        step(page, "No, the 9 of diamonds")
        step(page, "Top of a closed book")
        with leaving(page):
            page.get_by_role("button", name="Undo").click()
        assert total(page) == before + CORRECTED
    step(page, "No cards left")
    send_photo(page, photos / "east.jpg")
    send_photo(page, photos / "left.jpg")
    step(page, "No cards left")
    step(page, "Continue")
    both_agree(page)


def both_agree(page: Any) -> None:
    for side in ("North–South", "East–West"):
        agree(page, side)
    expect(page).to_have_url(re.compile(re.escape("/tally") + "$"))


def step(page: Any, name: str) -> None:
    with leaving(page):
        page.get_by_role("button", name=name, exact=name == "North").first.click()
