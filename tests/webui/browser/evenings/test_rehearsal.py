"""A rehearsal in a browser, from the list of evenings until it is removed: at a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving, press
from webui.storage.store import Store


def test_a_rehearsal_is_played_a_step_is_taken_back_and_it_is_removed(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    folder = tmp_path / "data"
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url("/evenings/"))
    press(page, "Rehearse one first")
    expect(page.locator(".medals li")).to_have_count(3)
    check(page)
    press(page, "Undo")
    expect(page.get_by_text("Taken back: The tables of game 2 were announced.")).to_be_visible()
    press(page, "Announce the tables")
    expect(page.get_by_text("They have not confirmed their names yet.")).to_have_count(4)
    button = page.get_by_role("button", name="Remove it for good")
    expect(button, "it takes two presses").to_be_hidden()
    page.get_by_text("Remove this rehearsal").click()
    check(page)
    with leaving(page):
        button.click()
    expect(page.get_by_text("The rehearsal is gone, with all its people and scores.")).to_be_visible()
    expect(page.get_by_text("There has been no club evening yet.")).to_be_visible()
    check(page)
    store = Store(folder)
    assert store.games() == [] and store.events.all() == []
    store.close()
