"""House rules in a real browser: read and changed on phones, with the largest type and without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, Server, check, leaving, watch

pytest.importorskip("axe_playwright_python", reason="axe is not installed")


def copied(page: Any, server: Server) -> str:
    """Copies Tanglewood, so that the copy can be changed; the address of its form."""
    page.goto(server.url("/rules/"))
    with leaving(page):
        page.get_by_role("button", name="Copy and change Tanglewood").click()
    return str(page.url)


def test_rules_are_read_and_changed_on_a_phone(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("phone"), serve("drawn")
    page.goto(server.url("/rules/tanglewood"))
    assert page.get_by_text("A clean book is worth 500 points, a dirty book 300.").is_visible()
    check(page)
    copied(page, server)
    headings = page.get_by_role("heading", name="What people change most")
    assert headings.bounding_box()["y"] < 400 and not page.get_by_label("Name of these rules").is_visible()
    check(page)

    clean = page.get_by_label("A clean book", exact=True)
    clean.fill("many")
    page.get_by_text('This must be a whole number, not "many".').wait_for()
    assert clean.get_attribute("aria-invalid") == "true"
    check(page)
    clean.fill("600")
    page.get_by_text("Nothing to fix.").wait_for()

    page.get_by_text("Cards, melds and books").click()
    rows = page.locator("[data-rows=points] tbody tr")
    count = rows.count()
    page.locator("[data-rows=points]").get_by_role("button", name="Add a row").click()
    assert rows.count() == count + 1 and page.locator(f"[name='points[{count}].cards']").count() == 1
    with leaving(page):
        page.get_by_role("button", name="Save these rules").click()
    assert page.get_by_text("is saved.").is_visible()
    assert page.get_by_text("A clean book is worth 600 points, a dirty book 300.").is_visible()


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
    assert page.url == address and page.get_by_role("heading", name="Not saved: 2 things to fix").is_visible()
    refused = page.locator(".refused")
    assert refused.evaluate("list => list === document.activeElement"), "the list has the focus"
    assert 0 <= refused.bounding_box()["y"] < 640 / 2, "and is in sight"
    assert page.get_by_label("A dirty book").input_value() == "lots"
    assert page.evaluate("document.documentElement.dataset.size") == "largest"
    if script:
        check(page)
    page.get_by_role("link", name="the knee").click()
    knee = page.locator("[name='knee_cards']")
    assert knee.is_visible() and knee.evaluate("field => field === document.activeElement")
    assert knee.get_attribute("aria-invalid") == "true"
    beside = page.locator(f"[id='{knee.get_attribute('aria-describedby')}']")
    assert beside.inner_text() == "This must be 0 or more, not -1."
