"""A filmed round is watched in a real browser: from the switch to the end of the round, over a restart in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, leaving, press
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
    desk.goto(server.url("/game/1/"))
    press(desk, "Stop watching")
    assert not desk.locator(".watching").count()
