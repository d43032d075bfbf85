"""Login and photo queue in a real browser: a phone comes in by the code or the square, and sees its place in the line.

A phone of the network is distinguished from this machine by the header that a proxy adds, so that no network is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webui.access.test_access_code import access_code
from tests.webui.helpers.browsing import check, expect, leaving, until
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.networks import on_network, on_the_network
from tests.webui.helpers.playing import Person
from tests.webui.helpers.served import beside
from tests.webui.pages.photos.test_queue import SIDE, SlowReader
from webui.app import create_app
from webui.context.services import services_of
from webui.reading import photo_queue
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.files.job_files import Job

pytest.importorskip("axe_playwright_python", reason="axe is not installed")

PHONE = {"extra_http_headers": {"X-Forwarded-For": "192.168.1.7"}}


@pytest.fixture
def reader() -> SlowReader:
    return SlowReader()


@pytest.fixture
def app(tmp_path: Path, reader: SlowReader, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The page as on a network, with one game in its first round."""
    on_network(monkeypatch, "192.168.1.20")
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 0.1)
    app = create_app(Settings(tmp_path / "data"), ReaderService(lambda: reader))
    on_the_network(app)
    Person(app).begin()
    yield app
    reader.may.set()
    services_of(app).photo_queue.close()
    services_of(app).store.close()


@pytest.fixture
def base(app: Flask) -> Iterator[str]:
    """The page's address."""
    with beside(app) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def visit(base: str, visit: Callable[..., Any]) -> Callable[..., Any]:
    """As ever; the phones are put away before the page ends, as they ask it something now and then."""
    return visit


def test_a_phone_logs_in_with_the_code(app: Flask, base: str, visit: Callable[..., Any]) -> None:
    phone = visit("phone", **PHONE)
    phone.goto(f"{base}/game/1/")
    check(phone)
    field = phone.get_by_label("Six-digit code from the main screen")
    expect(field, "one may type at once").to_be_focused()
    field.fill(access_code(app).code)
    with leaving(phone):
        phone.get_by_role("button", name="Join").click()
    expect(phone).to_have_url(f"{base}/game/1/")
    expect(phone.get_by_text("This device has joined and is remembered.")).to_be_visible()
    phone.goto(f"{base}/join")
    expect(phone.get_by_text("(this one)")).to_be_visible()
    check(phone)


def test_a_phone_logs_in_with_the_link_and_viewers_may_look_on(
    app: Flask, base: str, visit: Callable[..., Any]
) -> None:
    phone, viewer = visit("phone", **PHONE), visit("phone", **PHONE)
    phone.goto(f"{base}/enter/{access_code(app).secrets.key}?to=/game/1/")
    expect(phone).to_have_url(f"{base}/game/1/")
    services_of(app).store.devices.set_keeper(1, True)
    phone.goto(f"{base}/join")
    check(phone)
    with leaving(phone):
        phone.get_by_role("radio", name="Yes").check()
    viewer.goto(f"{base}/game/1/")
    viewer.get_by_text("You are just watching.").wait_for()
    check(viewer)
    with leaving(viewer):
        viewer.get_by_role("link", name="Enter the code").click()
    expect(viewer.get_by_role("heading", name="Join")).to_be_visible()


def test_a_phone_sees_its_place_in_the_queue(
    app: Flask,
    base: str,
    reader: SlowReader,
    visit: Callable[..., Any],
    tmp_path: Path,
    job_for: Callable[[photo_queue.JobHandler], Job],
) -> None:
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    services_of(app).photo_queue.submit(0, job_for(lambda _: photo_queue.Outcome(str(reader.may.wait(120)))))
    phone = visit("phone")
    phone.goto(f"{base}{SIDE}/")
    phone.locator(".next-step .take input[type=file]").set_input_files(str(tmp_path / "table.jpg"))
    phone.get_by_text("Waiting: 1 ahead of yours").wait_for()
    reader.may.set()
    phone.locator(".photo").wait_for()


def test_who_joined_is_seen_at_once_and_told_apart(app: Flask, base: str, visit: Callable[..., Any]) -> None:
    computer = visit("desk")
    computer.goto(f"{base}/join")
    devices = computer.locator("#joined li")
    expect(computer.get_by_text("Only this computer so far.")).to_be_visible()
    for number, name in enumerate(("a Linux computer", "a Linux computer 2"), 1):
        phone = visit("phone", **PHONE)
        phone.goto(f"{base}/enter")
        phone.locator("input[name=code]").fill(access_code(app).code)
        with leaving(phone):
            phone.get_by_role("button", name="Join").click()
        expect(devices, "without loading the page again").to_have_count(number)
        expect(devices.filter(has=computer.get_by_text(name, exact=True))).to_have_count(1)
    old = computer.locator(".code").inner_html()
    access_code(app).change()  # in another window
    code = access_code(app).code
    expect(computer.locator(".digits")).to_have_text(f"{code[:3]} {code[3:]}")
    until(computer, f"document.querySelector('.code').innerHTML !== {json.dumps(old)}")


def test_photos_that_take_long_say_what_to_do(
    base: str, reader: SlowReader, visit: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    phone = visit("phone")
    phone.clock.install()
    phone.goto(f"{base}{SIDE}/")
    phone.locator(".next-step .take input[type=file]").set_input_files(str(tmp_path / "table.jpg"))
    phone.get_by_text("Reading the cards …").wait_for()
    phone.clock.fast_forward("00:13")
    expect(phone.get_by_text("Leave this page open.")).to_be_visible()
    reader.may.set()
    phone.locator(".photo").wait_for()
