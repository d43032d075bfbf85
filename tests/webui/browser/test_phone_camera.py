"""A phone as the table camera in a real browser, whose camera is a film of a drawn table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.browsing import CHROMIUM, QUIET, Server, begin_round, check, leaving
from tests.webui.helpers.drawn import NORTH_TABLE, photo

PAGE = "/camera/phone/"
ON = "This device is the table camera."


@pytest.fixture(scope="module")
def browser(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium whose camera is a film of the first side's table, and that lets pages use it without asking."""
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    film.write_bytes(photo(NORTH_TABLE) * 3)
    camera = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=[*QUIET, *camera])
    yield own
    own.close()


def is_on(page: Any) -> bool:
    return bool(page.get_by_text(ON).is_visible())


def test_from_the_phone_to_the_tally(visit: Callable[..., Any], serve: Callable[..., Server], samples: Path) -> None:
    """Fake device, page, live picture, picture taken by itself, tally; reloaded on the way."""
    server = serve("drawn", str(samples))
    phone, desk = visit("phone"), visit("desk")
    phone.goto(server.url("/camera/"))
    with leaving(phone):
        phone.get_by_role("link", name="Use this device as the table camera").click()
    check(phone)
    phone.get_by_role("button", name="Use this device as the table camera").click()
    phone.get_by_text("It is sending pictures.").wait_for()
    assert is_on(phone)
    check(phone)
    begin_round(desk, server)
    desk.goto(server.url("/camera/"))
    desk.get_by_text("The table camera is").wait_for()
    check(desk)
    with leaving(desk):
        desk.get_by_role("link", name="North–South: the cards on the table").click()
    live = desk.locator(".live")
    wait_for(lambda: live.evaluate("picture => picture.naturalWidth") == 960)
    phone.reload()
    phone.get_by_text("It is sending pictures.").wait_for()
    desk.get_by_label("Take it automatically").check()
    desk.wait_for_url("**/side/0/**")
    desk.get_by_text("Clean book of 8s").first.wait_for()
    phone.get_by_role("button", name="Stop", exact=True).click()
    phone.get_by_role("button", name="Use this device as the table camera").wait_for()
    assert not is_on(phone)


def test_loss_sleep_a_turn_and_a_second_phone(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path, problems: list[str]
) -> None:
    server = serve("drawn", str(samples))
    phone, tablet, desk = visit("phone"), visit("tablet"), visit("desk")
    phone.goto(server.url(PAGE))
    phone.get_by_role("button", name="Use this device as the table camera").click()
    sends = phone.get_by_text("It is sending pictures.")
    sends.wait_for()

    phone.context.set_offline(True)
    phone.get_by_text("No connection to the scorekeeper. Trying again").wait_for()
    check(phone)
    phone.context.set_offline(False)
    phone.get_by_text("No connection to the scorekeeper. Trying again").wait_for(state="hidden")
    sends.wait_for()
    assert [one for one in problems if "ERR_INTERNET_DISCONNECTED" not in one] == []
    problems.clear()

    hidden = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s })"
    phone.evaluate(hidden % "true")
    phone.get_by_text("The camera is paused. Keep this page open and the screen on.").wait_for()
    phone.evaluate(hidden % "false")
    sends.wait_for()

    shape = "fetch('/camera/picture.jpg').then((answer) => answer.blob()).then(createImageBitmap)"
    shape += ".then((picture) => picture.width > picture.height)"
    desk.goto(server.url("/camera/"))
    wait_for(lambda: desk.evaluate(shape) is True)
    phone.get_by_role("button", name="Turn the picture").click()
    wait_for(lambda: desk.evaluate(shape) is False)

    tablet.goto(server.url(PAGE))
    tablet.get_by_role("button", name="Use this device as the table camera").click()
    tablet.get_by_text("is the table camera now. Use this one instead?").wait_for()
    assert not is_on(tablet) and is_on(phone)
    check(tablet)
    tablet.get_by_role("button", name="Use this one instead").click()
    tablet.get_by_text("It is sending pictures.").wait_for()
    phone.get_by_text("is the table camera now. This one stopped.").wait_for()
    assert not is_on(phone)
    check(phone)
    tablet.get_by_role("button", name="Stop", exact=True).click()
