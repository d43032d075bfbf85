"""Sessions and form tokens, whatever the clock says."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.webui.helpers.playing import Person
from webui.context.services import services_of

HOUR, YEAR = 3600.0, 365 * 24 * 3600.0


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Moves the clock by which cookies and tokens are signed, for the rest of the test."""

    def move(seconds: float) -> None:
        now = time.time() + seconds
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda: now)

    return move


@pytest.mark.parametrize("seconds", [-HOUR, -10 * YEAR, 3 * YEAR])
def test_a_device_stays_let_in_when_the_clock_is_moved(
    person: Person, set_clock: Callable[[float], None], seconds: float
) -> None:
    phone = Person(person.client.application, "192.168.1.20")
    key = services_of(person.client.application).access_code.secrets.key
    phone.open(f"/enter/{key}")
    assert phone.open("/statistics") and phone.status == 200
    set_clock(seconds)
    for _ in range(2):
        assert phone.open("/statistics") and phone.status == 200 and phone.path == "/statistics"
        set_clock(0)  # and when it is set right, with what was signed by the wrong clock


@pytest.mark.parametrize("seconds", [-HOUR, -10 * YEAR, 3 * YEAR])
def test_a_form_is_accepted_when_the_clock_was_moved_since(
    person: Person, set_clock: Callable[[float], None], seconds: float
) -> None:
    token = person.token()
    set_clock(seconds)
    person.send("/new", token=token)
    assert person.status == 200 and person.path == "/game/1/"
    token = person.token()
    set_clock(0)
    person.send("/new", token=token)
    assert person.status == 200 and person.path == "/game/2/"


def test_a_cookie_says_how_long_it_stays_and_not_until_when(person: Person) -> None:
    """A browser whose clock is right would throw away a cookie that ends in its past."""
    answer = person.client.get("/new")
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert f"Max-Age={400 * 24 * 3600}" in cookie and "Expires" not in cookie and "HttpOnly" in cookie


def test_a_forged_or_cut_cookie_is_nobody_s(person: Person) -> None:
    phone = Person(person.client.application, "192.168.1.20")
    phone.open(f"/enter/{services_of(person.client.application).access_code.secrets.key}")
    cookie = phone.client.get_cookie("handfoot")
    assert cookie is not None
    for forged in (cookie.value[:-2], "x" + cookie.value, "", "..."):
        phone.client.set_cookie("handfoot", forged)
        phone.open("/statistics")
        assert phone.path == "/enter"
