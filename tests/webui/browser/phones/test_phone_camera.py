"""A phone as the table camera in a real browser, whose camera is a film of a drawn table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.browsing import CHROMIUM, QUIET, Server, check, expect, leaving, until
from tests.webui.helpers.game_pages import begin_round

PAGE = "/camera/phone/"
SEVERAL = ("--use-fake-device-for-media-stream=device-count=2", "--use-fake-ui-for-media-stream")
ON = "This device is the table camera."


def is_on(page: Any) -> None:
    expect(page.get_by_text(ON)).to_be_visible()


def is_off(page: Any) -> None:
    expect(page.get_by_text(ON)).to_be_hidden()


def begin(phone: Any, server: Server) -> None:
    """Makes the phone the table camera."""
    phone.goto(server.url(PAGE))
    phone.get_by_role("button", name="Use this device as the table camera").click()
    phone.get_by_text("It is sending pictures.").wait_for()


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
    is_on(phone)
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
    desk.get_by_role("link", name="Change the group Clean book of 8s").wait_for()
    phone.get_by_role("button", name="Stop", exact=True).click()
    phone.get_by_role("button", name="Use this device as the table camera").wait_for()
    is_off(phone)


def test_loss_sleep_a_turn_and_a_second_phone(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path, problems: list[str]
) -> None:
    server = serve("drawn", str(samples))
    phone, tablet, desk = visit("phone"), visit("tablet"), visit("desk")
    begin(phone, server)
    sends = phone.get_by_text("It is sending pictures.")

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
    is_off(tablet)
    is_on(phone)
    check(tablet)
    tablet.get_by_role("button", name="Use this one instead").click()
    tablet.get_by_text("It is sending pictures.").wait_for()
    phone.get_by_text("is the table camera now. This one stopped.").wait_for()
    is_off(phone)
    check(phone)
    tablet.get_by_role("button", name="Stop", exact=True).click()


STOP = {
    "paused": "video.play = () => Promise.reject(new Error('not yet')); video.pause()",
    "no new picture": "HTMLVideoElement.prototype.requestVideoFrameCallback = () => 0",
    "paused in a browser without a callback": (
        "video.requestVideoFrameCallback = null; video.play = () => Promise.reject(new Error('not yet')); video.pause()"
    ),
}
GO_ON = "if (window.callback) HTMLVideoElement.prototype.requestVideoFrameCallback = callback; delete video.play"


@pytest.mark.parametrize("how", ["paused", *(pytest.param(how, marks=pytest.mark.by_hand) for how in list(STOP)[1:])])
def test_a_picture_that_stands_still_is_no_live_one(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path, how: str
) -> None:
    """As iOS leaves it after a call: the track is live. Both pages say it, and the phone goes on by itself."""
    server = serve("drawn", str(samples))
    phone, desk = visit("phone"), visit("desk")
    begin(phone, server)
    desk.goto(server.url("/camera/"))
    state = "fetch('/camera/state.json').then((answer) => answer.json())"
    until(desk, f"{state}.then((state) => state.live)")
    phone.evaluate(
        "() => { window.video = document.querySelector('video');"
        " window.callback = HTMLVideoElement.prototype.requestVideoFrameCallback; " + STOP[how] + " }"
    )
    phone.get_by_text("The camera is paused.").wait_for()
    desk.locator("[data-trouble]").get_by_text("The phone at the table is paused").wait_for()
    assert desk.evaluate(state)["live"] is False
    check(phone)
    check(desk)
    phone.evaluate(GO_ON)
    phone.get_by_text("It is sending pictures.").wait_for()
    expect(desk.locator("[data-trouble]")).to_be_hidden()
    until(desk, f"{state}.then((state) => state.live)")
    phone.get_by_role("button", name="Stop", exact=True).click()


def test_the_lens_is_chosen_where_there_are_several_and_remembered(
    browser: Any, visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    server = serve("drawn", str(samples))
    one = visit("phone")
    begin(one, server)
    expect(one.get_by_label("Which camera of this device")).to_be_hidden()
    one.get_by_role("button", name="Stop", exact=True).click()
    several = browser.browser_type.launch(executable_path=CHROMIUM, args=[*QUIET, *SEVERAL])
    context = several.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    phone = context.new_page()
    phone.pending = set()
    begin(phone, server)
    lens = phone.get_by_label("Which camera of this device")
    expect(lens.get_by_role("option")).to_have_text(["fake_device_0", "fake_device_1"])
    check(phone)
    lens.select_option("fake_device_1")
    used = "document.querySelector('video').srcObject?.getVideoTracks()[0].label === 'fake_device_1'"
    until(phone, used)
    phone.get_by_text("It is sending pictures.").wait_for()
    phone.reload()
    until(phone, used)
    expect(lens.locator("option:checked")).to_have_text("fake_device_1")
    several.close()
