"""The encrypted page in a real browser: there another device's browser gives its camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from tests.webui.browser.phones.conftest import browser
from tests.webui.browser.phones.test_phone_camera import is_on
from tests.webui.helpers.browsing import check
from tests.webui.helpers.served import beside
from webui.access.certificate import Certificate
from webui.context.services import services_of

__all__ = ["browser"]


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """The page under a name that is not this machine's own, to which browsers give no camera without encryption."""
    return make_app(host="0.0.0.0", hosts=("cards.home",), names=("cards.home",), https_port=8766)


@pytest.fixture
def site(app: Flask) -> Iterator[str]:
    with beside(app, Certificate(services_of(app).settings.data_dir, ("cards.home",))) as port:
        yield f"https://cards.home:{port}"


def test_a_phone_sends_pictures_over_an_encrypted_page(site: str, app: Flask, visit: Callable[..., Any]) -> None:
    phone = visit("phone", ignore_https_errors=True)
    phone.goto(f"{site}/enter/{services_of(app).access_code.secrets.key}")
    phone.goto(f"{site}/camera/phone/")
    phone.get_by_role("button", name="Use this device as the table camera").click()
    phone.get_by_text("It is sending pictures.").wait_for()
    is_on(phone)
    check(phone)
    phone.get_by_role("button", name="Stop", exact=True).click()
    phone.get_by_role("button", name="Use this device as the table camera").wait_for()
    cookies = {cookie["name"]: cookie["secure"] for cookie in phone.context.cookies()}
    assert cookies.get("__Secure-handfoot") is True and "handfoot" not in cookies
