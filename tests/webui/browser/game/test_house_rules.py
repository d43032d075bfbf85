"""House rules in a real browser: read and changed on phones, with the largest type and without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, Server, check, expect, leaving, until, watch

pytest.importorskip("axe_playwright_python", reason="axe is not installed")


def copied(page: Any, server: Server) -> str:
    """Copies Tanglewood, so that the copy can be changed; the address of its form."""
    page.goto(server.url("/rules/"))
    with leaving(page):
        page.get_by_role("link", name="Tanglewood").click()
    with leaving(page):
        page.get_by_role("link", name="Copy and change").click()
    return str(page.url)


def test_rules_are_read_and_changed_on_a_phone(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("phone"), serve("drawn")
    page.goto(server.url("/rules/tanglewood"))
    expect(page.get_by_text("A clean book is worth 500 points, a dirty book 300.")).to_be_visible()
    check(page)
    copied(page, server)
    expect(page.get_by_label("Name of these rules")).to_be_visible()
    clean = page.get_by_label("Clean book (no wild cards)")
    expect(clean).to_be_hidden()
    check(page)

    said = page.locator(".told").get_by_text("A clean book is worth")
    said.click()
    expect(clean, "a tap on the sentence leads into its first number").to_be_focused()
    page.keyboard.type("many")  # in the place of what stood there
    page.get_by_text('This must be a whole number, not "many".').wait_for()
    expect(clean).to_have_attribute("aria-invalid", "true")
    check(page)
    clean.fill("600")
    page.get_by_text("Nothing to fix.").wait_for()
    expect(page.locator(".differs").get_by_text("A clean book is worth 600 points")).to_be_visible()
    expect(said).to_have_text("A clean book is worth 600 points, a dirty book 300.")

    page.get_by_text("Going out earns").click()
    page.get_by_label("Points for going out").first.fill("0")
    expect(page.locator("[data-said]").get_by_text("Going out earns nothing.")).to_be_visible()

    rows = page.locator("[data-rows=points] tbody tr")
    page.locator(".told").get_by_text("Red 3s: ").click()
    first = int(rows.first.locator("input").first.get_attribute("name").split("[")[1].split("]")[0])
    count = rows.count()
    page.locator("[data-rows=points]").get_by_role("button", name="Add a row").click()
    expect(rows).to_have_count(count + 1)
    expect(page.locator(f"[name='points[{first + count}].cards']")).to_have_count(1)
    with leaving(page):
        page.get_by_role("button", name="Save these rules").click()
    expect(page.get_by_text("is saved.")).to_be_visible()
    for place in (".differs", ".topics"):
        said = page.locator(place).get_by_text("A clean book is worth 600 points, a dirty book 300.")
        expect(said).to_be_visible()


def test_fields_are_as_wide_as_what_goes_in_and_stand_on_one_line(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page, server = visit("desk"), serve("drawn")
    copied(page, server)
    check(page)
    page.get_by_text("Your side can have more than one meld of a rank.").click()
    names = ("clean_a_rank", "dirty_a_rank")
    short, long = (page.locator(f"[name='melds.{name}']").bounding_box() for name in names)
    assert short["y"] == long["y"] and short["x"] < long["x"], "on one line, however long their names are"
    page.get_by_text("Each player gets a hand of 11 cards").click()
    assert page.locator("[name='knee_cards']").bounding_box()["width"] < 300, "a number needs no whole line"
    last = page.locator("details[open] input:visible").last
    last.fill("1")
    bar = page.locator(".keep").bounding_box()
    box = last.bounding_box()
    assert box["y"] + box["height"] <= bar["y"], "the bar covers no field that has the focus"


@pytest.fixture
def small_phone(browser: Any) -> Iterator[Callable[[bool], Any]]:
    """A phone 320 px wide in the dark, with scripts or without, on which a refusal is no problem."""
    contexts: list[Any] = []

    def open_page(script: bool) -> Any:
        width, height = SIZES["small-phone"]
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=viewport, color_scheme="dark", java_script_enabled=script))
        tab = contexts[-1].new_page()
        watch(tab, [])
        return tab

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("script", [True, False])
def test_a_refused_value_is_a_link_away(
    script: bool, small_phone: Callable[[bool], Any], serve: Callable[[str], Server]
) -> None:
    page, server = small_phone(script), serve("drawn")
    page.context.add_cookies([{"name": "size", "value": "largest", "url": server.url()}])
    address = copied(page, server)
    page.get_by_text("A clean book is worth").click()
    page.get_by_label("Dirty book (with wild cards)").fill("lots")
    page.get_by_text("Each player gets a hand of 11 cards").click()
    page.locator("[name='knee_cards']").fill("-1")
    with leaving(page):
        page.get_by_role("button", name="Save these rules").click()
    expect(page).to_have_url(address)
    expect(page.get_by_role("heading", name="Not saved: 2 things to fix")).to_be_visible()
    refused = page.locator(".refused")
    expect(refused, "the list has the focus").to_be_focused()
    assert 0 <= refused.bounding_box()["y"] < 640 / 2, "and is in sight"
    expect(page.get_by_label("Dirty book (with wild cards)")).to_have_value("lots")
    until(page, '(document.documentElement.dataset.size) === "largest"')
    if script:
        check(page)
    page.get_by_role("link", name="the knee").click()
    knee = page.locator("[name='knee_cards']")
    expect(knee).to_be_visible()
    expect(knee).to_be_focused()
    expect(knee).to_have_attribute("aria-invalid", "true")
    beside = page.locator(f"[id='{knee.get_attribute('aria-describedby')}']")
    expect(beside).to_have_text("This must be 0 or more, not -1.", use_inner_text=True)
