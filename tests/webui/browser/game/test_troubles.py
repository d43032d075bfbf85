"""Trouble in a real browser: bad photos, large photos, no scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from tests.webui.helpers.browsing import Server, expect, leaving
from tests.webui.helpers.drawn import NO_CARDS, NORTH_TABLE, photo, picture
from tests.webui.helpers.game_pages import begin_round, send_photo

SIDE = "/game/1/round/1/side/0/"


def test_errors_of_bad_photos_are_in_view(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "notes.jpg").write_text("to do: buy cards")
    (tmp_path / "empty-table.jpg").write_bytes(photo(NO_CARDS))
    page = visit("phone")
    begin_round(page, server)
    page.goto(server.url(SIDE))
    send_photo(page, tmp_path / "notes.jpg")
    sentence = page.get_by_role("alert")
    expect(sentence).to_contain_text("notes.jpg is not a photo", use_inner_text=True)
    box = sentence.bounding_box()
    assert 0 <= box["y"] < page.viewport_size["height"], "it is seen without scrolling"
    send_photo(page, tmp_path / "empty-table.jpg")
    sentence = page.get_by_text("No cards found in this photo")
    expect(page.get_by_role("button", name="Nothing on the table"), "the step is open still").to_be_visible()
    box, bar = sentence.bounding_box(), page.locator(".next-step").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] < bar["y"], "the bar that stays at the bottom is not over it"


def test_a_large_photo_is_reduced_with_progress_shown(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    large = cv2.resize(picture(NORTH_TABLE), (4032, 3024))
    cv2.imwrite(str(tmp_path / "large.jpg"), large)
    page = visit("phone")
    begin_round(page, server)
    page.goto(server.url(SIDE))
    page.evaluate(
        "new MutationObserver(() => (window.said ??= new Set()).add(document.querySelector('#busy p')?.textContent))"
        ".observe(document.body, {childList: true, subtree: true, characterData: true})"
    )
    said: list[str] = []

    def hear(route: Any) -> None:
        said.extend(page.evaluate("[...window.said]"))
        route.continue_()

    page.route("**/photos", hear)
    send_photo(page, tmp_path / "large.jpg")
    box = page.locator(".photo svg").get_attribute("viewBox")
    assert [float(number) for number in box.split()] == [0, 0, 2560, 1920]
    assert "Getting the photo ready …" in said


def test_everything_can_be_done_without_scripts(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    page = visit("desk", java_script_enabled=False)

    def press(place: Any) -> None:
        """Each press leads to a page, and the next one waits until it is there whole."""
        with leaving(page):
            place.click()

    page.goto(server.url())
    press(page.get_by_role("button", name="New game"))
    press(page.get_by_role("button", name="Score round 1"))
    press(page.get_by_role("button", name="North", exact=True))
    form = page.locator(".next-step .choose")
    form.locator("input[type=file]").set_input_files(str(tmp_path / "table.jpg"))
    press(form.get_by_role("button", name="Send"))
    press(page.locator(".doubts .pile-count").get_by_role("button", name="Save the count"))
    press(page.locator("#group-p1g0 .chip").first)
    press(page.locator(".likely .pick[value=JK]"))
    expect(page.locator("#group-p1g0 .chip", has_text="Joker")).to_have_count(1)
    press(page.get_by_role("button", name="Undo"))
    press(page.get_by_role("link", name="Change the group Clean book of 8s"))
    page.locator(".tick input").first.check()
    press(page.get_by_role("button", name="Meld of queens"))
    expect(page.locator("#group-p1g1 .chip:not(.plus)")).to_have_count(5)
    for nothing in ("No cards left", "Nothing on the table", "No cards left", "No cards left"):
        press(page.locator(".next-step").get_by_role("button", name=nothing))
    press(page.get_by_role("button", name="Continue"))
    press(page.locator("a.line", has_text="Aces: 3"))
    expect(page.locator(".photo .outline.lit")).to_have_count(3)
    for side in ("North–South", "East–West"):
        press(page.get_by_role("link", name=f"{side}: we agree"))
        expect(page.get_by_role("heading", name="Agree anyway?")).to_be_visible()
        press(page.get_by_role("button", name=f"{side}: agree anyway"))
    expect(page).to_have_url(re.compile(re.escape("/tally") + "$"))
