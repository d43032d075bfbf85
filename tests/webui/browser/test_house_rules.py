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
    headings = page.get_by_role("heading", name="What people change most")
    assert headings.bounding_box()["y"] < 400
    expect(page.get_by_label("Name of these rules")).to_be_hidden()
    check(page)

    clean = page.get_by_label("A clean book", exact=True)
    clean.fill("many")
    page.get_by_text('This must be a whole number, not "many".').wait_for()
    expect(clean).to_have_attribute("aria-invalid", "true")
    check(page)
    clean.fill("600")
    page.get_by_text("Nothing to fix.").wait_for()
    expect(page.locator(".differs").get_by_text("A clean book is worth 600 points")).to_be_visible()

    page.get_by_text("Cards, melds and books").click()
    rows = page.locator("[data-rows=points] tbody tr")
    count = rows.count()
    page.locator("[data-rows=points]").get_by_role("button", name="Add a row").click()
    expect(rows).to_have_count(count + 1)
    expect(page.locator(f"[name='points[{count}].cards']")).to_have_count(1)
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
    boxes = page.locator(".most > .columns > *").evaluate_all("all => all.map(one => one.getBoundingClientRect())")
    ends: dict[int, set[int]] = {}
    for box in boxes:
        ends.setdefault(round(box["top"]), set()).add(round(box["bottom"]))
    assert len(ends) < len(boxes) and all(len(bottoms) == 1 for bottoms in ends.values()), "boxes of a row end together"
    page.get_by_text("Wild cards, 3s and buried cards").click()
    names = ("wild_ranks", "melded_going_out")  # a short question, and one of three lines
    short, long = (page.locator(f"[name='{name}']").bounding_box() for name in names)
    assert short["y"] == long["y"] and short["x"] < long["x"], "on one line, however long their names are"
    page.get_by_text("Deal and first meld").click()
    assert page.locator("[name='knee_cards']").bounding_box()["width"] < 300, "a number needs no whole line"
    last = page.locator("details[open] input:visible").last
    last.focus()
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
    page.get_by_label("A dirty book").fill("lots")
    page.get_by_text("Deal and first meld").click()
    page.locator("[name='knee_cards']").fill("-1")
    with leaving(page):
        page.get_by_role("button", name="Save these rules").click()
    expect(page).to_have_url(address)
    expect(page.get_by_role("heading", name="Not saved: 2 things to fix")).to_be_visible()
    refused = page.locator(".refused")
    expect(refused, "the list has the focus").to_be_focused()
    assert 0 <= refused.bounding_box()["y"] < 640 / 2, "and is in sight"
    expect(page.get_by_label("A dirty book")).to_have_value("lots")
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
