"""A filmed round is watched in a real browser: from the switch to the end of the round, over a restart in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, leaving, press, until
from tests.webui.helpers.filmed import write_film

SEED, STATES = 1, 6


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The file of a film in which both sides lay cards, the first side in the left half; and its readings."""
    return write_film(tmp_path_factory.mktemp("film"), SEED, STATES)


def test_a_filmed_round(visit: Callable[..., Any], serve: Callable[..., Server], film: tuple[Path, Path]) -> None:
    server = serve(str(film[1]), str(film[0]))
    desk, phone = visit("desk"), visit("phone", color_scheme="dark")
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
    until(desk, changes(server, STATES))
    desk.reload()
    with leaving(desk):
        desk.get_by_role("link", name=f"Round 1: {STATES} changes").click()
    check_film(desk)
    phone.goto(desk.url)
    check_film(phone)
    desk.goto(server.url("/game/1/"))
    press(desk, "Stop watching")
    assert not desk.locator(".watching").count()


def changes(server: Server, number: int) -> str:
    """JavaScript that is true once the film of round 1 has so many changes."""
    address = server.url("/game/1/watch/")
    return f"fetch('{address}').then(answer => answer.text()).then(text => text.includes('{number} changes'))"


def check_film(page: Any) -> None:
    """Scrubs through the film with keys, buttons and slider."""
    check(page)
    strip, slider = page.locator(".shots"), page.get_by_role("slider", name="Change")
    shown = "Math.round(document.querySelector('.shots').scrollLeft / document.querySelector('.shots').clientWidth)"
    assert "3♦ laid" in page.locator("#change-1").inner_text()
    strip.press("ArrowRight")
    until(page, f"{shown} === 1")
    until(page, "document.querySelector('#change-2 img').naturalWidth === 640")
    assert slider.input_value() == "2" and "laid" in slider.get_attribute("aria-valuetext")
    slider.press("End")
    until(page, f"{shown} === {STATES - 1}")
    page.get_by_role("button", name="One change back").click()
    until(page, f"{shown} === {STATES - 2}")
