"""The hall in a browser: people are checked in at the door, and the clock of a round counts down and rings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, press
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, score_round, seat
from webui.events.steps import hall
from webui.storage.store import Store


def test_people_are_checked_in_and_who_does_not_come_is_taken_off(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    begin(store, SIXTEEN[:4])
    server, page = serve("drawn"), visit("small-phone")
    page.goto(server.url("/evening/1/"))
    page.get_by_role("link", name="Check in who is here").first.click()
    for name in SIXTEEN[:3]:
        press(page, f"{name}: here")
    check(page)
    expect(page.get_by_text("3 of 4 are here.")).to_be_visible()
    press(page, "Take all of them off the list")
    expect(page.get_by_text("3 teams taking part")).to_be_visible()
    assert evening(store, 1).present == SIXTEEN[:3]
    store.close()


def test_the_clock_counts_down_on_the_screen_and_at_the_tables_warns_and_rings(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    seat(store, begin(store, SIXTEEN[:4]), 1)
    score_round(store, 1, 1, 1, 1, (700, -50))
    server, page = serve("drawn"), visit("desk")
    page.goto(server.url("/evening/1/"))
    page.get_by_text("Clock for the hall").click()
    page.get_by_label("Minutes", exact=True).fill("10")
    press(page, "Start the clock")
    expect(page.locator(".round-clock")).to_contain_text("9:5", use_inner_text=True)
    check(page)
    page.clock.install()
    for path in ("/evening/1/results/screen", "/evening/1/table/1/"):
        page.goto(server.url(path))
        clock = page.locator(".round-clock")
        expect(clock).to_contain_text(":", use_inner_text=True)
        check(page)
        if "screen" in path:
            sizes = page.evaluate(
                "['.round-clock', 'h1'].map(of => parseFloat(getComputedStyle(document.querySelector(of)).fontSize))"
            )
            assert sizes[0] > 1.3 * sizes[1], "the clock is read from the back of the hall"
            bell = page.get_by_role("button", name="Ring the bell")
            bell.click()
            expect(bell).to_have_attribute("aria-pressed", "true")
        page.clock.run_for(4 * 60_000)
        assert clock.get_attribute("data-rang") is None or "screen" in path, "nothing rings before the warning"
        page.clock.run_for(2 * 60_000)
        expect(clock).to_have_class("round-clock soon")
        assert clock.get_attribute("data-rang") == "1"
        page.clock.run_for(5 * 60_000)
        expect(clock).to_have_text("Time is up", use_inner_text=True)
        assert clock.get_attribute("data-rang") == "3"
    hall.set_clock(store, 1, 0, 0)
    page.goto(server.url("/evening/1/"))
    expect(page.locator(".round-clock")).to_have_count(0)
    store.close()
