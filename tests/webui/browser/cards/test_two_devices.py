"""Two devices on one round, in a real browser: each shows at once what the other changed, and who did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving, settle
from tests.webui.helpers.game_pages import photograph_table

SIDE = "/game/1/round/1/side/0/"


@pytest.fixture
def both(tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]) -> tuple[Any, Any]:
    """Ann's phone and another device on one side's cards, whose closed book nobody has counted; both follow."""
    server = serve("drawn")
    ann, other = visit("phone"), visit("desk")
    photograph_table(ann, server, counts=False)
    ann.goto(server.url("/game/1/log"))
    ann.get_by_label("Who is using this device?").fill("Ann")
    with leaving(ann):
        ann.get_by_role("button", name="Use this name").click()
    for page in (ann, other):
        page.goto(server.url(SIDE))
        settle(page)
        page.locator("html[data-follows=stream]").wait_for(state="attached")
    return ann, other


def rename(page: Any, card: str, face: str) -> None:
    """Changes a card by its dialog."""
    page.locator(f"#card-{card}").click()
    with leaving(page):
        page.get_by_role("dialog").locator(f".pick[value='{face}']").first.click()


def test_a_change_shows_on_the_other_device_with_who_made_it(both: tuple[Any, Any]) -> None:
    ann, other = both
    photo = other.locator(".photo image").element_handle()
    other.locator(".doubts .pile-count [name=cards]").fill("9")
    before = other.locator(".sum .points").inner_text()
    rename(ann, "p1c14", "9D")
    expect(other.get_by_role("status")).to_have_text(
        "Ann: Card changed: 6 of diamonds → 9 of diamonds. ×", use_inner_text=True
    )
    now = ann.locator(".sum .points").inner_text()
    assert now != before
    expect(other.locator(".sum .points")).to_have_text(now, use_inner_text=True)
    expect(other.get_by_role("heading", name="Dirty book of 9s")).to_be_visible()
    expect(other.get_by_role("link", name="6 of diamonds, in doubt")).to_have_count(0)
    assert photo.evaluate("one => one.isConnected"), "what did not change was not drawn again"
    expect(other.locator(".doubts .pile-count [name=cards]"), "what is typed stays").to_have_value("9")
    with leaving(other):  # of another group, and so not in conflict
        other.get_by_role("button", name="Save the count").click()
    expect(other.get_by_role("heading", name="Dirty book of kings")).to_be_visible()
    expect(ann.get_by_role("heading", name="Dirty book of kings")).to_be_visible()
    expect(ann.locator(".sum .points")).to_have_text(other.locator(".sum .points").inner_text(), use_inner_text=True)
    expect(ann.get_by_role("status")).to_contain_text("Closed book counted", use_inner_text=True)


def test_what_scripts_do_works_on_what_came_later(both: tuple[Any, Any]) -> None:
    ann, other = both
    other.get_by_role("button", name="Show all names").first.click()
    with leaving(ann):
        ann.locator(".doubts .pile-count").get_by_role("button", name="Save the count").click()
    expect(other.get_by_role("heading", name="Dirty book of kings")).to_be_visible()
    expect(other.locator("[data-do=names]").first).to_have_attribute("aria-pressed", "true")
    with leaving(other):
        other.locator("#group-p1g1 .chip").first.hover()
        other.mouse.down()
        other.locator("#group-p1g2 h3").hover()
        with other.expect_response(lambda answer: "since=" in answer.url and "/live" not in answer.url):
            rename(ann, "p1c14", "9D")
        other.locator("#group-p1g2 h3").hover()
        expect(other.locator("#card-p1c14"), "waits while a card is dragged").to_contain_text("6♦")
        other.mouse.up()
    expect(other.locator("#group-p1g2 #card-p1c7")).to_be_visible()
    expect(ann.locator("#group-p1g2 #card-p1c7")).to_be_visible()
    expect(other.locator("#card-p1c14")).to_contain_text("9♦")
    with leaving(other):
        other.get_by_role("link", name="Bonuses and penalties").first.click()
    other.locator("html[data-follows=stream]").wait_for(state="attached")
    rename(ann, "p1c14", "8D")
    expect(other.get_by_role("status")).to_contain_text("Ann: Card changed", use_inner_text=True)


def test_two_who_change_the_same_card_are_asked(both: tuple[Any, Any]) -> None:
    first, second = both
    for page, face in ((first, "9D"), (second, "8D")):  # both look before either has done anything
        page.get_by_role("link", name="6 of diamonds, in doubt").click()
        page.get_by_role("dialog").locator(f".likely .pick[value='{face}']").wait_for()
    with leaving(first):
        first.get_by_role("dialog").locator(".pick[value='9D']").first.click()
    expect(second.locator("#group-p1g2 h3"), "shown below the dialog").to_have_text("Dirty book of 9s")
    with leaving(second):
        second.get_by_role("dialog").locator(".pick[value='8D']").first.click()
    expect(second.get_by_role("heading", name="Someone else changed this first")).to_be_visible()
    expect(second.get_by_role("main")).to_contain_text("6 of diamonds → 9 of diamonds", use_inner_text=True)
    check(second)
    expect(first.get_by_role("heading", name="Dirty book of 9s"), "the first one's change stands").to_be_visible()
    with leaving(second):
        second.get_by_role("button", name="Use my change").click()
    for page in (second, first):
        expect(page.get_by_role("heading", name="Not a valid meld yet")).to_be_visible()


def test_the_check_shows_what_the_other_side_corrects(both: tuple[Any, Any]) -> None:
    ann, other = both
    with leaving(other):
        other.get_by_role("link", name="Check and agree").first.click()
    other.locator("html[data-follows=stream]").wait_for(state="attached")
    before = other.locator("#side0 .points").inner_text()
    rename(ann, "p1c14", "9D")
    expect(other.locator("#side0 .points")).not_to_have_text(before, use_inner_text=True)
    expect(other.get_by_role("status")).to_contain_text("Ann: Card changed", use_inner_text=True)
    line = other.locator("a[data-cards]").first
    line.click()
    expect(line.locator("xpath=ancestor::li[1]"), "a line that came later lights up its cards").to_contain_class("lit")


def test_a_card_that_is_looked_at_and_an_agreed_score_follow_too(both: tuple[Any, Any]) -> None:
    ann, other = both
    other.goto(other.url + "check/p1c14")
    other.locator("html[data-follows=stream]").wait_for(state="attached")
    rename(ann, "p1c14", "9D")
    expect(other.get_by_role("heading", level=1)).to_have_text("9 of diamonds", use_inner_text=True)
