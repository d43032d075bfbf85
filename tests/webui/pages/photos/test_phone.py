"""A phone or tablet as the table camera, as its page behaves: two of them, stopped, reloaded, restarted, turned."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.vision.cameras.fake_phone import jpeg
from tests.vision.cameras.test_watcher import wait_for
from tests.webui.access.test_access_code import TABLET, access_code, app, let_in
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.playing import Person
from vision.cameras.phone import MAILBOX
from webui.camera import table_phone
from webui.context.services import services_of
from webui.pages.photos import phone as phone_page

__all__ = ["app"]

AT_THE_NETWORK = "http://192.168.1.2:8765"
SMALL = jpeg(20, (320, 200))


class Phone:
    """A phone that has the page open."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.token = person.token()
        self.key = ""

    def post(self, path: str, data: Any = None, status: int = 200) -> dict[str, Any]:
        answer = self.person.client.post(
            f"/camera/phone/{path}", data=data, headers={"X-CSRFToken": self.token, "Accept": "*/*"}
        )
        assert answer.status_code == status, answer.text
        return dict(answer.json or {})

    def start(self, **fields: str) -> dict[str, Any]:
        answer = self.post("start", fields)
        self.key = answer["key"] or self.key
        return answer

    def send(self, data: bytes = SMALL) -> dict[str, Any]:
        return self.post(f"frame/{self.key}", data)


def here(app: Flask) -> Phone:
    return Phone(Person(app))


def live_size(person: Person) -> tuple[int, int] | None:
    frame = services_of(person.client.application).camera.watcher.snapshot().frame
    return None if frame is None else (frame.width, frame.height)


def test_the_pictures_of_a_phone_are_the_live_picture(app: Flask) -> None:
    phone = Phone(let_in(app))
    assert phone.start(width="1600", height="1000")["key"]
    assert phone.send()["over"] is False

    def is_live() -> bool:
        phone.send()
        state = phone.person.client.get("/camera/state.json").json
        return state is not None and state["live"] and live_size(phone.person) == (320, 200)

    wait_for(is_live)
    assert phone.send()["pause"] == 200, "somebody looks"
    assert "The table camera is a device" in Person(app).open("/camera/") and "Stop using it" in phone.person.open(
        "/camera/setup"
    )


def test_a_picture_is_a_still_at_full_size_which_the_phone_is_asked_for(app: Flask) -> None:
    round_one = Person(app).begin()
    phone, table = here(app), photo(NORTH_TABLE)
    phone.start(width="1600", height="1000")
    asked: list[dict[str, Any]] = []

    def run() -> None:
        while not done.is_set():
            if phone.send()["still"]:
                asked.append(phone.post(f"frame/{phone.key}?still=yes", table))
            done.wait(0.05)

    done = threading.Event()
    sending = threading.Thread(target=run, daemon=True)
    sending.start()
    try:
        taker = Person(app)
        taker.send(f"{round_one}/side/0/shoot")
    finally:
        done.set()
        sending.join()
    assert asked and "Clean book of 8s" in taker.text


def test_a_second_phone_is_told_and_takes_over_only_if_asked_to(app: Flask) -> None:
    first, second = Phone(let_in(app)), Phone(let_in(app, TABLET))
    first.start()
    first.send()
    answer = second.start()
    assert answer == {"key": None, "other": "a device"}
    assert first.send()["over"] is False
    assert second.start(over="yes")["key"]
    assert first.send() == {"over": True, "other": "a device 2", "stopped": False}
    assert second.send()["over"] is False
    first.post(f"stop/{first.key}")
    assert second.send()["over"] is False, "a page that was replaced stops no other"


def test_a_phone_that_fell_silent_is_replaced_without_a_question(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = here(app), here(app)
    first.start()
    monkeypatch.setattr(table_phone, "SILENT_SECONDS", 0.0)
    assert second.start()["key"]


def test_a_page_that_is_loaded_again_goes_on_with_its_key(app: Flask) -> None:
    phone = here(app)
    phone.start()
    again = here(app)
    again.key = phone.key
    assert again.send()["over"] is False


def test_after_a_restart_a_page_begins_anew_and_one_that_was_stopped_does_not(
    make_app: Callable[[], Flask],
) -> None:
    before = make_app()
    phone = here(before)
    phone.start()
    services_of(before).camera.close()
    assert phone.send() == {"over": True, "other": None, "stopped": True}
    restarted = here(make_app())
    restarted.key = phone.key
    assert restarted.send() == {"over": True, "other": None, "stopped": False}


def test_stopping_gives_the_machines_own_camera_back(app: Flask) -> None:
    phone, other = here(app), Person(app)
    wait_for(lambda: live_size(other) == (1600, 1000))
    phone.start()
    assert live_size(other) is None, "nothing of the camera before is shown as the phone's"
    wait_for(lambda: bool(phone.send()) and live_size(other) == (320, 200))
    other.send("/camera/phone/stop")
    assert "no longer the table camera" in other.notices()[0] and other.path == "/camera/"
    assert phone.send()["stopped"] is True and not MAILBOX.is_on
    wait_for(lambda: live_size(other) == (1600, 1000))
    phone.start()
    phone.post(f"stop/{phone.key}")
    assert services_of(app).camera.phone.in_use is None


def test_a_phone_that_is_turned_sends_another_shape_and_goes_on(app: Flask) -> None:
    phone = here(app)
    phone.start()
    wait_for(lambda: bool(phone.send()) and live_size(phone.person) == (320, 200))
    upright = jpeg(20, (200, 320))
    wait_for(lambda: bool(phone.send(upright)) and live_size(phone.person) == (200, 320))
    assert services_of(app).camera.state()["trouble"] is None


def test_what_is_no_picture_or_too_large_is_refused(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = here(app)
    phone.start()
    phone.post(f"frame/{phone.key}", b"<svg/>", 400)
    monkeypatch.setattr(phone_page, "MAX_PICTURE_BYTES", 1000)
    phone.post(f"frame/{phone.key}", SMALL, 413)
    phone.post(f"frame/{phone.key}?still=yes", SMALL)


def test_only_devices_that_were_let_in_send_pictures(app: Flask) -> None:
    phone = Phone(let_in(app))
    phone.start()
    services_of(app).store.devices.remove(1)
    phone.post(f"frame/{phone.key}", SMALL, 403)
    stranger = Person(app, TABLET)
    stranger.open("/camera/phone/")
    assert stranger.path == "/enter"
    token = {"X-CSRFToken": stranger.token()}
    answer = stranger.client.post("/camera/phone/start", headers={**token, "Accept": "application/json"})
    assert answer.status_code == 403


def test_a_phone_that_was_sent_out_is_the_table_camera_no_more(app: Flask) -> None:
    phone, keeper = Phone(let_in(app)), Person(app)
    phone.start()
    wait_for(lambda: bool(phone.send()) and live_size(keeper) == (320, 200))
    keeper.send("/devices/1/remove")
    for path in ("/camera/", "/camera/setup"):
        assert "The table camera is" not in keeper.open(path)
    assert services_of(app).camera.phone.in_use is None and not MAILBOX.is_on
    wait_for(lambda: live_size(keeper) == (1600, 1000))
    other = Phone(let_in(app))
    assert other.start()["key"], "nobody is asked about one that is out"


def test_a_page_whose_camera_stands_still_says_so(app: Flask) -> None:
    phone, desk = here(app), Person(app)
    phone.start()
    wait_for(lambda: bool(phone.send()) and live_size(desk) == (320, 200))

    def trouble() -> str:
        phone.post(f"frame/{phone.key}?paused=yes")
        return str((desk.client.get("/camera/state.json").json or {})["trouble"])

    wait_for(lambda: "The phone at the table is paused" in trouble())
    assert live_size(desk) is None
    wait_for(lambda: bool(phone.send()) and live_size(desk) == (320, 200))
    phone.key = "another"
    assert phone.post(f"frame/{phone.key}?paused=yes")["over"] is True


def test_nothing_of_the_live_picture_is_stored(app: Flask) -> None:
    phone = here(app)
    phone.start()
    wait_for(lambda: bool(phone.send()) and live_size(phone.person) == (320, 200))
    folder = services_of(app).settings.data_dir
    assert not list(folder.rglob("*.jpg"))


def test_a_page_that_is_not_encrypted_says_how_to_get_one(app: Flask) -> None:
    phone, code = Person(app, TABLET), access_code(app).code
    page = phone.client.get("/enter", base_url=AT_THE_NETWORK).text
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    phone.client.post("/enter", base_url=AT_THE_NETWORK, data={"code": code, "token": found[1]})
    page = phone.client.get("/camera/phone/", base_url=AT_THE_NETWORK).text
    assert "only let an encrypted page use the camera" in page
    assert "handfoot serve --lan --https" in page and "phone-camera.js" not in page
    page = phone.client.get("/camera/phone/", base_url=AT_THE_NETWORK, headers={"X-Forwarded-For": "192.168.1.9"}).text
    assert "web server in front of this page" in page and "--https" not in page, "the proxy is what encrypts"
    assert "phone-camera.js" in Person(app).open("/camera/phone/"), "this machine itself needs no encryption"
