"""A first visit on a phone by somebody who has read nothing: where a page opens, and what stands where the thumb is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving, press, until
from tests.webui.helpers.drawn import (
    EAST_TABLE,
    NORTH_LEFT,
    NORTH_TABLE,
    OVERLOOKED,
    READ_TWICE,
    UNSURE,
    UNSURE_TWICE,
    photo,
)
from tests.webui.helpers.game_pages import begin_round, count_piles, send_photo

TOP = "one => one.getBoundingClientRect().top"
IN_VIEW = """one => {
  const box = one.getBoundingClientRect(), bar = document.querySelector(".next-step");
  return box.top >= 0 && box.top < (bar ? bar.getBoundingClientRect().top : innerHeight);
}"""


@pytest.fixture
def pictures(tmp_path: Path) -> dict[str, Path]:
    tables = {"north": NORTH_TABLE, "east": EAST_TABLE, "hand": NORTH_LEFT, "rest": OVERLOOKED, "twice": READ_TWICE}
    tables |= {"unsure": UNSURE, "unsure-twice": UNSURE_TWICE}
    for name, table in tables.items():
        (tmp_path / f"{name}.jpg").write_bytes(photo(table))
    return {name: tmp_path / f"{name}.jpg" for name in tables}


@pytest.fixture
def page(visit: Callable[..., Any], serve: Callable[[str], Server]) -> Any:
    """The first side's table on a phone, without cards yet."""
    page, server = visit("phone"), serve("drawn")
    begin_round(page, server)
    page.goto(server.url("/game/1/round/1/side/0/"))
    return page


def test_after_a_photo_the_page_opens_at_what_it_brought(page: Any, pictures: dict[str, Path]) -> None:
    send_photo(page, pictures["east"])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    with leaving(page):
        page.locator(".next-step .more-take input[type=file]").set_input_files(str(pictures["north"]))
    until(page, "scrollY < 100")
    assert page.locator("#doubts").evaluate(IN_VIEW), "what is to be looked at comes first"
    count_piles(page)
    send_photo(page, pictures["hand"])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    with leaving(page):
        page.locator(".next-step .main .take:not(.more-take) input[type=file]").set_input_files(str(pictures["rest"]))
    expect(page).to_have_url(re.compile(re.escape("#player1") + "$"))
    assert page.locator("#doubts").evaluate(IN_VIEW), "the player’s cards are doubted"


def test_a_players_photo_without_doubts_is_in_view(page: Any, pictures: dict[str, Path]) -> None:
    page.goto(page.url + "left")
    send_photo(page, pictures["hand"])
    page.evaluate("scrollTo(0, 150)")
    with leaving(page):
        page.locator(".next-step .main .take:not(.more-take) input[type=file]").set_input_files(str(pictures["east"]))
    until(page, "document.querySelector('#player1').getBoundingClientRect().top < 100")
    assert page.locator("#player1 h2").evaluate(IN_VIEW)


def test_other_ways_say_for_whom(page: Any, pictures: dict[str, Path]) -> None:
    expect(page.get_by_role("link", name="Tap North–South’s cards")).to_be_visible()
    expect(page.get_by_role("link", name="Type North–South’s cards")).to_be_visible()
    send_photo(page, pictures["east"])
    ways = page.locator(".next-step")
    ways.locator("summary").click()
    heading = ways.get_by_role("heading", name="Next: cards North has left")
    assert heading.bounding_box()["height"] > 10, "the bar says whose they are"
    expect(ways.get_by_role("link", name="Tap the cards North has left")).to_be_visible()
    expect(ways.get_by_role("link", name="Type the cards North has left")).to_be_visible()
    check(page)


def test_a_card_added_by_hand_is_removed_without_scrolling(page: Any) -> None:
    page.get_by_role("link", name="Tap North–South’s cards").click()
    sheet = page.get_by_role("dialog")
    sheet.locator(".pick[value='8H']").click()
    with leaving(page):
        sheet.get_by_role("link", name="Done").click()
    page.locator(".chip:not(.plus)").click()
    remove = sheet.get_by_role("button", name="Remove this card")
    remove.wait_for()
    assert remove.evaluate("one => one.getBoundingClientRect().bottom <= innerHeight")
    assert remove.evaluate(TOP) > 422, "in the half where the thumb is"
    with leaving(page):
        remove.click()
    expect(page.locator(".chip:not(.plus)")).to_have_count(0)


def test_a_loose_card_is_put_where_the_rules_let_it_lie(page: Any, pictures: dict[str, Path]) -> None:
    send_photo(page, pictures["north"])
    answers = page.locator("#doubts .within .row")
    said = answers.locator("button, a").all_inner_texts()
    assert said == ["Top of a closed book", "In North’s hand", "In South’s hand", "Something else"]
    with leaving(page):
        answers.get_by_role("button", name="In South’s hand").click()
    expect(page, "the next question is here").to_have_url(re.compile("/side/0/(#.*)?$"))
    page.goto(page.url.partition("#")[0] + "left")
    expect(page.locator("#player1 .chip:not(.plus)")).to_have_count(1)


def test_a_card_read_twice_is_taken_away_at_one_tap(page: Any, pictures: dict[str, Path]) -> None:
    page.goto(page.url + "left")
    send_photo(page, pictures["twice"])
    first, second = page.locator("#doubts li").all_inner_texts()
    assert "Is this the 2 of spades?" in first and "Is this another 2 of spades?" in second
    with leaving(page):
        page.locator("#doubts").get_by_role("button", name="Yes").first.click()
    with leaving(page):
        page.locator("#doubts").get_by_role("button", name="No, counted twice").click()
    names = [chip.get_attribute("aria-label") for chip in page.locator("#group-left0 .chip:not(.plus)").all()]
    assert names == ["queen of spades", "2 of spades", "6 of spades"]


def test_several_doubted_cards_are_settled_at_one_tap(page: Any, pictures: dict[str, Path]) -> None:
    page.goto(page.url + "left")
    send_photo(page, pictures["unsure"])
    asked = page.locator("#doubts")
    expect(asked.get_by_role("heading")).to_have_text("1 thing to look at", use_inner_text=True)
    expect(asked).to_contain_text("are these 3 cards right?", use_inner_text=True)
    expect(asked.locator(".together .chip"), "as many as it says").to_have_count(3)
    expect(asked).to_contain_text("The camera may have missed one.", use_inner_text=True)
    until(page, "document.querySelector('#doubts img.crop').naturalWidth > 100")
    asked.get_by_text("One by one").click()
    expect(asked.get_by_role("button", name="Yes")).to_have_count(2)
    expect(asked.get_by_text("Is this the 7 of hearts?")).to_be_visible()
    check(page)
    with leaving(page):
        asked.get_by_role("button", name="All are right").click()
    expect(page.locator("#doubts")).to_have_count(0)
    expect(page.locator("#group-left0 .chip:not(.plus)")).to_have_count(5)


def test_doubted_cards_of_which_one_may_be_counted_twice_are_settled_at_one_tap(
    page: Any, pictures: dict[str, Path]
) -> None:
    page.goto(page.url + "left")
    send_photo(page, pictures["unsure-twice"])
    asked = page.locator("#doubts")
    expect(asked).to_contain_text(
        "are these 3 cards right? Compare them with the picture. The camera may have counted", use_inner_text=True
    )


def test_the_second_side_does_not_scroll_past_the_same_list(page: Any) -> None:
    check_page = page.url.replace("side/0/", "check")
    page.goto(check_page)
    page.locator("#agree a.button").first.click()
    sheet = page.get_by_role("dialog")
    anyway = sheet.get_by_role("button", name="North–South: agree anyway")
    anyway.wait_for()
    expect(sheet.locator(".attention-list")).to_be_visible()
    assert anyway.evaluate("one => one.getBoundingClientRect().bottom <= innerHeight")
    with leaving(page):
        anyway.click()
    page.locator("#agree a.button").first.click()
    sheet.get_by_role("button", name="East–West: agree anyway").wait_for()
    expect(sheet.locator(".attention-list")).to_be_hidden()
    sheet.get_by_text("Show the list again").click()
    expect(sheet.locator(".attention-list")).to_be_visible()


def test_practice_keeps_its_bar_low_and_counts_are_in_line(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url())
    press(page, "Try it with practice cards")
    page.goto(server.url("/game/1/round/1/side/0/left"))
    press(page, "Practice cards")
    expect(page.get_by_text("no practice cards")).to_have_count(0)
    page.goto(server.url("/game/1/round/1/unseen"))
    left = "all => new Set(all.map(one => Math.round(one.getBoundingClientRect().left))).size"
    assert page.locator(".counting legend, .counting .choices").evaluate_all(left) == 1


def test_a_legend_is_inside_its_box_and_decks_are_explained(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("phone")
    page.goto(server.url("/new?rules=golden-games"))
    edge = "one => one.getBoundingClientRect().top - one.parentElement.getBoundingClientRect().top"
    for legend in page.locator("fieldset.box > legend").all():
        assert legend.evaluate(edge) > 2, legend.inner_text()
    expect(page.get_by_text("no suits, red and black threes, wild cards worth 20 and 50")).to_be_visible()
    press(page, "Start the game")
    expect(page.get_by_text("These are house rules.")).to_be_visible()
