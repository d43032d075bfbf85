"""The bar at the bottom: a second photo of a table goes to the table, and the bar leaves room for the cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving, settle, until
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_LEFT, NORTH_TABLE, OVERLOOKED, photo
from tests.webui.helpers.game_pages import all_agree, begin_round, name_players, name_sides, send_photo

SHARE = "document.querySelector('%s').getBoundingClientRect().height / innerHeight"


@pytest.fixture
def pictures(tmp_path: Path) -> dict[str, str]:
    tables = {"north": NORTH_TABLE, "more": EAST_TABLE, "hand": NORTH_LEFT, "rest": OVERLOOKED}
    for name, table in tables.items():
        (tmp_path / f"{name}.jpg").write_bytes(photo(table))
    return {name: str(tmp_path / f"{name}.jpg") for name in tables}


@pytest.mark.parametrize(("size", "kind"), [("phone", "take"), ("desk", "choose")])
def test_a_second_photo_goes_to_the_same_place_by_its_own_button(
    pictures: dict[str, str], visit: Callable[..., Any], serve: Callable[[str], Server], size: str, kind: str
) -> None:
    server, page = serve("drawn"), visit(size)
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="North", exact=True).click()
    send_photo(page, Path(pictures["north"]))
    bar = page.locator(".next-step")
    shown = [one for one in bar.locator(".main > form").all() if one.is_visible()]
    texts = [one.inner_text() for one in shown]
    assert texts == ["Another table photo", "Photo of South’s cards", "South: no cards left"], "each says whose cards"
    boxes = [one.bounding_box() for one in shown]
    assert max(box["height"] for box in boxes) - min(box["height"] for box in boxes) < 12
    if size == "phone":
        until(page, f"({SHARE % '.next-step'}) < 0.2")
    with leaving(page):
        bar.locator(f".main .more-{kind} input[type=file]").set_input_files(pictures["more"])
    expect(page).to_have_url(re.compile(re.escape("/side/0/") + "$"))
    expect(page.locator(".photo")).to_have_count(2)
    send_photo(page, Path(pictures["hand"]))
    expect(page).to_have_url(re.compile("/side/0/left"))
    expect(page.locator("#player1 .photo")).to_have_count(1)
    expect(bar.get_by_text("Another photo for South").locator("visible=true")).to_have_count(1)
    with leaving(page):
        bar.locator(f".main .more-{kind} input[type=file]").set_input_files(pictures["rest"])
    expect(page.locator("#player1 .photo")).to_have_count(2)


def test_the_bars_take_less_than_a_fifth_of_a_phone_and_sides_are_alike(
    pictures: dict[str, str], visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url("/new"))
    with leaving(page):
        page.get_by_role("button", name="Start the game").click()
    name_sides(page, "The Owls of Upper Chesterfield Lane", "Jo")
    with leaving(page):
        page.get_by_role("button", name="Score round 1").click()
    with leaving(page):
        page.get_by_role("button", name="Nobody went out").click()
    page.goto(server.url("/game/1/round/1/side/0/"))
    send_photo(page, Path(pictures["north"]))
    header = page.locator(".top").bounding_box()["height"] + page.locator(".standing").bounding_box()["height"]
    assert 844 * (1 - page.evaluate(SHARE % ".next-step")) - header > 500
    page.goto(server.url("/game/1/round/1/unseen"))
    with leaving(page):
        page.get_by_role("button", name="Continue").click()
    expect(page.locator("#agree .done")).to_be_visible()
    until(page, f"({SHARE % '#agree'}) < 0.2")
    buttons = [one.bounding_box() for one in page.locator("#agree > a.button").all()]
    assert len(buttons) == 2
    assert buttons[0]["width"] == pytest.approx(buttons[1]["width"], abs=1)
    assert buttons[0]["height"] == pytest.approx(buttons[1]["height"], abs=1)
    page.locator("#agree > a.button").first.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Agree anyway?").wait_for()
    said = [one.inner_text() for one in sheet.locator("button:not(.close)").all()]
    assert [("anyway" in text) for text in said] == [True, False], "asked for once"
    with leaving(page):
        sheet.get_by_role("button", name="agree anyway").click()
    expect(
        page.get_by_text("The Owls of Upper Chesterfield Lane: agreed", exact=True), "of whatever number the name is"
    ).to_be_visible()


def test_names_of_usual_length_keep_their_room_in_the_bar_and_the_score(
    pictures: dict[str, str], visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url("/new"))
    name_players(page, "Margaret", "Harold", "Dorothy", "Frank")
    for button in ("Start the game", "Score round 1", "Harold"):
        with leaving(page):
            page.get_by_role("button", name=button, exact=True).click()
    tops = page.locator(".standing p > span").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1], "both sides stand in one line"
    expect(page.locator(".standing").get_by_text("Total:")).to_be_visible()
    send_photo(page, Path(pictures["north"]))
    send_photo(page, Path(pictures["hand"]))
    ways = page.locator(".next-step").locator(".main .button, .other-ways summary")
    boxes = [one.bounding_box() for one in ways.all() if one.is_visible()]
    assert len(boxes) == 4 and max(box["height"] for box in boxes) < 75, "no name goes down letter by letter"
    for one in boxes:
        beside = [other for other in boxes if other is not one and abs(other["y"] - one["y"]) < 40]
        assert all(one["x"] + one["width"] + 3 < other["x"] for other in beside if other["x"] > one["x"])
    until(page, f"({SHARE % '.next-step'}) < 0.22")
    page.goto(server.url("/game/1/round/1/check"))
    cut = page.locator("#agree b").evaluate_all("all => all.some(one => one.scrollHeight > one.clientHeight + 1)")
    assert not cut, "both names are read in full"
    page.locator(".points-list").first.get_by_text("Book bonus").first.wait_for()
    expect(page.locator(".points-list").get_by_text(" in clean book"), "the group's name is said once").to_have_count(0)


def test_typed_points_are_said_on_the_next_sides_page(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("phone")
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="North", exact=True).click()
    page.goto(server.url("/game/1/round/1/side/0/typed/points"))
    page.get_by_text("Just the total").click()
    page.get_by_label("Total for this round").fill("850")
    with leaving(page):
        page.get_by_role("button", name="Save the points").click()
    expect(page).to_have_url(re.compile(re.escape("/side/1/typed/points") + "$"))
    expect(page.locator("div.done").get_by_text("North–South: typed: total 850.")).to_be_visible()
    check(page)


def test_correcting_an_agreed_round_begins_with_what_can_be_corrected(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("phone")
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/check"))
    all_agree(page)
    correct = page.get_by_role("link", name="Correct this round")
    assert correct.evaluate("one => one.getBoundingClientRect().bottom + scrollY < innerHeight"), "without scrolling"
    with leaving(page):
        correct.click()
    expect(page.get_by_role("heading", name="Correct this round")).to_be_visible()
    steps = page.locator(".to-correct a")
    expect(steps).to_have_count(6)
    assert steps.first.evaluate(
        "one => one.getBoundingClientRect().bottom < document.querySelector('#agree').getBoundingClientRect().top"
    )
    expect(page.locator("#agree").get_by_role("link", name="See the score")).to_be_visible()
    check(page)
    with leaving(page):
        steps.filter(has_text="North–South: table").click()
    settle(page)
    expect(page).to_have_url(re.compile(re.escape("/side/0/") + "$"))
