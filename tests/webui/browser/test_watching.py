"""A filmed round is watched in a real browser: from the switch to the end of the round, over a restart in between."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, leaving, press, until
from tests.webui.helpers.filmed import write_films

SEED, FIRST, ALL = 1, 2, 6
Films = tuple[list[Path], Path]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Films:
    """Two films of one round in which both sides lay cards, the first side in the left half; and their readings."""
    return write_films(tmp_path_factory.mktemp("film"), SEED, FIRST, ALL)


@pytest.mark.by_hand  # a film plays as fast as it was filmed: on a busy machine changes are seen late, or two at once
def test_a_filmed_round(visit: Callable[..., Any], serve: Callable[..., Server], films: Films, tmp_path: Path) -> None:
    camera = tmp_path / "camera.mp4"
    shutil.copy(films[0][0], camera)
    server = serve(str(films[1]), str(camera))
    desk, phone = visit("desk"), visit("phone", color_scheme="dark")
    switch_on(desk, phone, server)
    wait_for_changes(desk, server, FIRST)
    for page in (desk, phone):
        page.goto("about:blank")
    server.stop()
    shutil.copy(films[0][1], camera)
    server.start()
    for page in (desk, phone):
        page.goto(server.url("/game/1/watch/"))
        page.locator(".watching").wait_for()
    follow_along(desk, phone, server)
    desk.goto(server.url("/game/1/watch/"))
    with leaving(desk):
        desk.get_by_role("link", name="Round 1: ").click()
    check_film(desk)
    phone.goto(desk.url)
    check_film(phone)
    end_of_round(desk, phone, server)


def switch_on(desk: Any, phone: Any, server: Server) -> None:
    """Switches watching on at the computer; a phone that shows the game shows the sign by itself."""
    desk.goto(server.url())
    press(desk, "New game")
    phone.goto(server.url("/game/1/"))
    assert not phone.locator(".watching").count()
    press(desk, "Watch this round")
    with leaving(desk):
        desk.get_by_role("button", name="Left half").click()
    check(desk)
    phone.locator(".watching").wait_for()
    check(phone)


def wait_for_changes(page: Any, server: Server, number: int) -> None:
    """Waits until so many changes of round 1 were seen; asks now and then, as watching stands back behind requests."""
    address, text = server.url("/game/1/watch/"), ""
    for _ in range(120):
        text = page.evaluate(f"fetch('{address}').then(answer => answer.text())")
        found = re.search(r"Round 1: (\d+) change", text)
        if found and int(found[1]) >= number:
            return
        page.wait_for_timeout(1000)
    raise AssertionError(f"never {number} changes: {text[text.find('<main') :]}")


def follow_along(desk: Any, phone: Any, server: Server) -> None:
    """A television and a phone show points and books as cards are laid, by themselves."""
    for page in (desk, phone):
        page.goto(server.url("/game/1/table-now/"))
    for page in (desk, phone):
        page.get_by_text("First meld of 60 reached").wait_for()
        until(page, "document.querySelectorAll('.standings section')[1].textContent.includes('100')")
        check(page)
    wait_for_changes(desk, server, ALL)


def check_film(page: Any) -> None:
    """Scrubs through the film with keys, buttons and slider."""
    check(page)
    last = page.locator(".shots li").count() - 1
    strip, slider = page.locator(".shots"), page.get_by_role("slider", name="Change")
    shown = "Math.round(document.querySelector('.shots').scrollLeft / document.querySelector('.shots').clientWidth)"
    assert re.search("3[♦♠] laid", page.locator("#change-1").inner_text()), (
        "which of them depends on the machine's load"
    )
    strip.press("ArrowRight")
    until(page, f"{shown} === 1")
    until(page, "document.querySelector('#change-2 img').naturalWidth === 640")
    assert slider.input_value() == "2" and "laid" in slider.get_attribute("aria-valuetext")
    slider.press("End")
    until(page, f"{shown} === {last}")
    page.get_by_role("button", name="One change back").click()
    until(page, f"{shown} === {last - 1}")


def end_of_round(desk: Any, phone: Any, server: Server) -> None:
    """The table of each side is filled in, without a question, with the picture of each card."""
    desk.goto(server.url("/game/1/"))
    press(desk, "Score round 1")
    assert not desk.locator(".watching").count()
    for page in (desk, phone):
        page.goto(server.url("/game/1/round/1/side/0/"))
        page.get_by_text("These cards were seen being laid").wait_for()
        assert not page.locator("#doubts").count()
        assert page.locator(".groups .chip:not(.plus)").count() == 1 + 3 + 3 + 5 + 3
        page.locator(".as-laid summary").first.click()
        until(page, "document.querySelector('.as-laid img').naturalWidth > 0")
        check(page)
    desk.goto(server.url("/game/1/round/1/side/1/"))
    assert desk.locator(".groups .chip:not(.plus)").count() == 1
