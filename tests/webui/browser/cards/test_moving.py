"""Moving a card in a real browser: where one lands, the dialog for it, and what a hand of moved cards says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, Server, check, expect, leaving, new_document, settle
from tests.webui.helpers.game_pages import photograph_table

IN_SIGHT = """(one) => {
  const box = one.getBoundingClientRect(), bar = document.querySelector('.next-step').getBoundingClientRect();
  return box.top >= 0 && box.bottom <= bar.top;
}"""
# Buttons and links of a dialog of which another thing is seen in their middle although they are in its window, between
# the head and the foot that stay in place; and those that are seen.
COVERED = """(sheet) => {
  const foot = sheet.querySelector('.sheet-foot'), head = sheet.querySelector('.close').getBoundingClientRect();
  const end = (foot ?? sheet).getBoundingClientRect()[foot ? 'top' : 'bottom'], covered = [], seen = [];
  for (const one of sheet.querySelectorAll('a, button, input, select, summary')) {
    if (!one.checkVisibility()) continue;
    const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const fixed = one.matches('.close') || foot?.contains(one);
    if (!fixed && (box.top < head.bottom || y > end)) continue;
    const found = document.elementFromPoint(x, y);
    (one.contains(found) || found?.contains(one) ? seen : covered).push(one.outerHTML.slice(0, 160));
  }
  return { covered, seen };
}"""
CONTROLS = """(sheet) => [...sheet.querySelectorAll('a, button, input, select, summary')]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 160))"""


@pytest.fixture
def page(tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]) -> Any:
    """A side's table of 22 cards on a phone; nobody was said to have gone out."""
    page = visit("phone")
    photograph_table(page, serve("drawn"))
    return page


def move(page: Any, card: Any, group: str) -> None:
    """Moves a card by its dialog, from wherever on the page it is."""
    card.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("Move it").click()
    settle(page)
    with new_document(page):
        sheet.get_by_role("button", name=group).click()
    settle(page)


@pytest.mark.parametrize("group", ["Meld of aces", "A new meld"])
def test_one_lands_where_the_moved_card_is_now(page: Any, group: str) -> None:
    """Also where the group that it was taken from is gone: the only loose card."""
    loose = page.locator("#group-loose .chip")
    name = loose.get_attribute("data-card")
    move(page, loose, group)
    expect(page.locator("#group-loose")).to_have_count(0)
    card = page.locator(f".group .chip[data-card={name}]")
    assert card.evaluate(IN_SIGHT), "seen without scrolling"
    assert page.evaluate("document.activeElement.dataset.card") == name, "and ready for the keyboard"
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_moving_is_in_sight_and_nothing_is_covered(page: Any, serve: Callable[[str], Server]) -> None:
    address = page.url
    for size, type_size in (("phone", "Large"), ("small-phone", "Largest")):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address.split("/game/")[0] + "/display")
        if not page.get_by_role("radio", name=type_size, exact=True).is_checked():
            with leaving(page):
                page.get_by_role("radio", name=type_size, exact=True).check()
        page.goto(address)
        for chip in ("#group-p1g0 .chip", "#group-loose .chip"):
            page.locator(chip).first.click()
            sheet = page.get_by_role("dialog")
            moving = sheet.get_by_text("Move it")
            moving.wait_for()
            settle(page)
            box = moving.bounding_box()
            assert box["y"] + box["height"] < height, (size, chip)
            end = sheet.evaluate("one => one.scrollHeight")
            seen = set[str]()
            for place in range(0, end, 150):
                sheet.evaluate(f"one => one.scrollTo(0, {place})")
                now = sheet.evaluate(COVERED)
                assert now["covered"] == [], (size, chip, place)
                seen |= set(now["seen"])
            assert set(sheet.evaluate(CONTROLS)) == seen, "each comes into sight somewhere"
            sheet.get_by_role("button", name="Close").click()
            sheet.wait_for(state="detached")


def test_where_there_is_no_mouse_nothing_pretends_that_cards_are_dragged(page: Any, visit: Callable[..., Any]) -> None:
    expect(page.get_by_text("Tap a card to change it or move it.")).to_be_visible()
    expect(page.get_by_text("drag")).to_be_hidden()
    expect(page.locator(".drop-new")).to_be_hidden()
    expect(page.locator(".chip[draggable=true]")).to_have_count(0)
    desk = visit("desk")
    desk.goto(page.url)
    expect(desk.get_by_text("Or drag it to another group.")).to_be_visible()
    expect(desk.locator(".drop-new")).to_be_visible()
    expect(desk.locator(".chip[draggable=true]")).not_to_have_count(0)


def test_a_hand_of_moved_cards_is_not_done_until_one_says_so(page: Any) -> None:
    move(page, page.locator("#group-loose .chip"), "Cards South has left")
    expect(page).to_have_url(re.compile(re.escape("/left#card-p1c24") + "$"))
    note = page.get_by_text("You moved these cards here. If South has more, take a photo of them.")
    expect(note).to_be_visible()
    step = page.locator(".steps [aria-current]")
    assert "done" not in (step.get_attribute("class") or "")
    expect(page.get_by_role("heading", name="Next: does South have more cards left?")).to_be_visible()
    check(page)
    with leaving(page):
        page.locator(".next-step").get_by_role("button", name="No more cards").click()
    expect(note).to_be_hidden()
    expect(page.get_by_text("You moved these cards here, and said there are no more.")).not_to_have_count(0)
