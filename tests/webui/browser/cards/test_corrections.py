"""Corrections in a real browser: questions under the thumb, many cards added at once, cards ticked in plain sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving, until
from tests.webui.helpers.drawn import OVERLOOKED, photo
from tests.webui.helpers.game_pages import begin_round, photograph_table, send_photo

ANSWERS = "document.querySelectorAll('.doubts li .row')[%d].getBoundingClientRect().top"


@pytest.fixture
def page(tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]) -> Any:
    """A side's page on a phone, with a table of 22 cards of which one is doubted and one lies loose."""
    page = visit("phone")
    photograph_table(page, serve("drawn"))
    return page


def test_the_next_question_comes_where_the_last_one_was_answered(page: Any) -> None:
    expect(page.get_by_text("1 of 2")).to_be_visible()
    expect(page.get_by_text("2 of 2")).to_be_visible()
    marked = page.locator(".doubts img.crop")
    marked.last.scroll_into_view_if_needed()
    until(page, "[...document.querySelectorAll('.doubts img.crop')].every(one => one.naturalWidth > 100)")
    page.evaluate("scrollTo(0, 400)")
    before = page.evaluate(ANSWERS % 1)
    with leaving(page):  # where the loose card belongs is asked last, its answer a squared pile
        page.get_by_role("button", name="Top of a closed book").click()
    expect(page.get_by_role("heading", name="2 things to look at")).to_be_visible()  # now the pile has to be counted
    assert page.evaluate(ANSWERS % 1) == pytest.approx(before, abs=2)
    until(page, "document.activeElement.closest('.doubts li') !== null")  # and is ready for the keyboard


def test_any_card_is_changed_by_two_taps_without_scrolling(page: Any) -> None:
    """Its own tap, and that of the card it is: the likely ones first, a joker always among them."""
    page.locator(".groups .chip.doubt").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".likely ~ .deck .pick")).to_have_count(52)
    expect(sheet.locator(".likely .pick[value=JK]")).to_have_count(1)
    expect(sheet.locator(".pick[value=KC]")).to_be_in_viewport(ratio=1)
    until(page, "document.querySelector('dialog').scrollHeight === document.querySelector('dialog').clientHeight")
    foot = sheet.locator(".sheet-foot").bounding_box()
    last = sheet.locator(".pick[value=KC]").bounding_box()
    assert last["y"] + last["height"] <= foot["y"], "nothing covers the last card"
    sheet.get_by_role("button", name="Close").click()
    expect(page.locator(".doubts .pick[value=JK]"), "and its question offers one too").to_have_count(1)


def test_many_cards_are_added_while_the_dialog_stays_open(page: Any) -> None:
    page.get_by_role("link", name="Add a card to Meld of aces").click()
    sheet = page.get_by_role("dialog")
    for face in ("AC", "AS", "2H"):  # as fast as one can tap: each waits for its turn
        sheet.locator(f".likely .pick[value='{face}']").click()
    sheet.get_by_role("button", name="Undo the 2 of hearts").wait_for()
    expect(sheet.locator(".added .chip")).to_have_count(3)
    sheet.get_by_role("button", name="Undo the 2 of hearts").click()
    sheet.get_by_role("button", name="Undo the ace of spades").wait_for()
    check(page)
    group = page.locator(".group", has_text="Meld of aces")
    with leaving(page):
        sheet.get_by_role("link", name="Done").click()
    expect(group.locator(".chip:not(.plus)")).to_have_count(5)
    page.get_by_role("button", name="Undo").scroll_into_view_if_needed()
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    expect(group.locator(".chip:not(.plus)"), "each card is a step of its own").to_have_count(4)


def test_a_missed_card_takes_two_taps(
    visit: Callable[..., Any], serve: Callable[[str], Server], tmp_path: Path
) -> None:
    server, page = serve("drawn"), visit("small-phone")
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="North", exact=True).click()
    (tmp_path / "more.jpg").write_bytes(photo(OVERLOOKED))
    send_photo(page, tmp_path / "more.jpg")
    question = page.locator(".doubts li", has_text="next to the 8 of diamonds?")
    question.get_by_role("link", name="Add a card").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".seen img")).to_be_visible()
    check(page)
    with leaving(page):
        sheet.locator(".pick[value='8C']").first.click()
    expect(question).to_have_count(0)
    expect(page.locator(".done")).to_contain_text("8 of clubs")
    with leaving(page):
        page.locator(".done").get_by_role("button", name="Undo").click()
    expect(question, "asked again").to_have_count(1)


def test_the_page_stays_where_a_card_was_added_and_not_where_an_earlier_change_was(page: Any) -> None:
    page.evaluate("location.hash = document.querySelector('.group').id")  # as after a change of the first group
    adding = page.get_by_role("link", name="Add a card to Meld of aces")
    adding.scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 200)")
    before = page.evaluate("scrollY")
    adding.click()
    sheet = page.get_by_role("dialog")
    sheet.locator(".likely .pick[value='AC']").click()
    sheet.get_by_role("button", name="Undo the ace of clubs").wait_for()
    with leaving(page):
        sheet.get_by_role("link", name="Done").click()
    until(page, f"Math.abs(scrollY - {before}) < 60")
    until(page, '(location.hash) === ""')


def test_what_is_ticked_to_be_split_off_is_seen(page: Any) -> None:
    page.get_by_role("link", name="Change the group Clean book of 8s").click()
    ticks = page.get_by_role("dialog").locator(".tick input")
    ticks.first.wait_for()
    shown = "ticks => ticks.map(one => [getComputedStyle(one).opacity, one.getBoundingClientRect().width])"
    assert all(opacity == "1" and width >= 24 for opacity, width in ticks.evaluate_all(shown))
    page.get_by_role("dialog").locator(".tick").nth(2).click()
    expect(ticks.nth(2)).to_be_checked()
    expect(ticks.nth(1)).not_to_be_checked()
