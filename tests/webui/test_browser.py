"""The page in a real browser, at a desk and on a phone: photograph, mend, confirm, restart. Any console error fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.webui.drawn import NO_CARDS, NORTH_TABLE, photo
from tests.webui.test_cli import free_port
from vision.errors import VisionError
from vision.photos import photos_in
from vision.weights import weights_report
from webui.settings import SAMPLES

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

ROOT = Path(__file__).parents[2]
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SIZES = {"desk": (1280, 800), "phone": (390, 844), "small-phone": (320, 640)}


@dataclass(frozen=True)
class Eyesight:
    """Which reader the page has, and a photo that it sees melds in."""

    reader: str
    table: Path


@pytest.fixture(params=["drawn", "shipped"])
def eyesight(request: pytest.FixtureRequest, tmp_path: Path) -> Eyesight:
    """The drawn tables with the reader that knows them; the shipped reader with the first sample table."""
    if request.param == "drawn":
        (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
        return Eyesight("drawn", tmp_path / "table.jpg")
    if not all(row["ok"] for row in weights_report()):
        pytest.skip("the shipped weights are not here")
    try:
        return Eyesight("shipped", photos_in(SAMPLES)[0])
    except VisionError:
        pytest.skip("there are no sample tables")


class Server:
    """The page in a process of its own, which can be stopped and started again on the same data."""

    def __init__(self, folder: Path, reader: str) -> None:
        self.port = free_port()
        self._command = [sys.executable, "-m", "tests.webui.served", str(folder), str(self.port), reader]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        for _ in range(300):
            assert self._process.poll() is None, "the page did not start"
            try:
                urllib.request.urlopen(self.url(), timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("nothing answers")

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=20)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], Server]]:
    started: list[Server] = []

    def start(reader: str) -> Server:
        started.append(Server(tmp_path / "data", reader))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(params=list(SIZES))
def page(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A browser page of one size; console errors, failed requests and refused ones fail the test at its end."""
    width, height = SIZES[request.param]
    small = width < 600
    troubles: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        context = browser.new_context(
            viewport={"width": width, "height": height}, is_mobile=small, has_touch=small, color_scheme="light"
        )
        tab = context.new_page()
        tab.set_default_timeout(60_000)
        tab.on("console", lambda said: troubles.extend([said.text] if said.type in ("error", "warning") else []))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        # what is asked of the camera again and again ends when its page is left
        tab.on(
            "requestfailed",
            lambda asked: troubles.extend([f"{asked.url}: {asked.failure}"] * ("/camera/" not in asked.url)),
        )
        tab.on("response", lambda answer: troubles.extend([f"{answer.url}: {answer.status}"] * (answer.status >= 400)))
        yield tab
        browser.close()
    assert troubles == []


@contextmanager
def leaving(page: Any) -> Iterator[None]:
    """What is done here leads to a new page; no picture of the old one is cut off on its way, the new one is there."""
    page.wait_for_load_state("networkidle")
    with page.expect_navigation():
        yield
    page.wait_for_load_state("networkidle")


def fits(page: Any) -> bool:
    """Nothing sticks out to the side."""
    page.wait_for_load_state("networkidle")
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def send_photo(page: Any, file: Path, box: int = 0) -> None:
    """Chooses a photo as a person does; the page sends it by itself."""
    kind = "choose" if page.viewport_size["width"] > 600 else "take"
    chooser = page.locator(f".send .{kind} input[type=file]").nth(box)
    with leaving(page):
        chooser.set_input_files(str(file))


def total(page: Any) -> int:
    """The points this round, as the side's page says them."""
    text = page.locator(".sum .points").inner_text()
    return int(text.replace(",", "").replace("−", "-"))


def test_a_round_from_photo_to_totals_and_through_a_restart(
    page: Any, eyesight: Eyesight, serve: Callable[[str], Server]
) -> None:
    server = serve(eyesight.reader)
    start_round(page, server)
    side = page.url
    send_photo(page, eyesight.table)
    assert page.locator(".outline").count() >= 3 and fits(page)
    assert page.locator(".photo image").first.evaluate("image => image.getBBox().width") > 100
    seen = total(page)
    assert seen != 0

    # a card of a meld is really a joker
    page.locator(".group .chip:not(.plus)").first.click()
    sheet = page.get_by_role("dialog")
    sheet.locator("img.crop").wait_for()
    sheet.get_by_text("Any other card").click()
    sheet.locator(".deck").first.wait_for()
    with leaving(page):
        sheet.locator(".deck .pick[value=JK]").click()
    mended = total(page)
    assert mended != seen and fits(page)
    assert page.locator(".group .chip", has_text="Joker").count() >= 1

    page.goto(server.url("/game/1/round/1/"))
    with leaving(page):
        page.get_by_role("radio", name="North–South").check()
    assert page.get_by_role("radio", name="North–South").is_checked() and fits(page)
    with leaving(page):
        page.get_by_role("button", name="Confirm round 1").click()
    assert page.url.endswith("/tally")
    scored = f"{mended + 100:,}".replace("-", "−")
    assert page.locator(".totals tfoot td").first.inner_text() == scored and fits(page)

    server.stop()
    server.start()
    page.goto(server.url("/game/1/"))
    assert page.locator(".totals tfoot td").first.inner_text() == scored and fits(page)
    page.goto(side)
    assert total(page) == mended + 100
    assert page.locator(".photo image").first.evaluate("image => image.getBBox().width") > 100


def test_a_missed_card_is_added_by_pointing_at_it(page: Any, tmp_path: Path, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    start_round(page, server)
    send_photo(page, tmp_path / "table.jpg")
    before = total(page)
    page.get_by_role("button", name="Add a card").first.click()
    assert page.get_by_text("Tap the missing card in the photo.").first.is_visible()
    picture = page.locator(".photo svg").first
    size = picture.bounding_box()
    picture.click(position={"x": size["width"] * 780 / 1600, "y": size["height"] * 440 / 1000})
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Which card is it?").wait_for()
    assert "aces" in sheet.locator("select option:checked").inner_text(), "the meld it lies nearest to is proposed"
    with leaving(page):
        sheet.locator(".likely .pick[value=AC]").click()
    assert total(page) == before + 20
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    assert total(page) == before


def test_a_doubt_is_settled_with_one_tap_and_the_page_stays_where_it_was(
    page: Any, tmp_path: Path, serve: Callable[[str], Server]
) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    start_round(page, server)
    send_photo(page, tmp_path / "table.jpg")
    assert page.get_by_role("heading", name="3 things to look at").is_visible()
    with leaving(page):
        page.get_by_role("button", name="Yes", exact=True).click()
    assert page.get_by_role("heading", name="2 things to look at").is_visible()
    page.locator("#group-p1g3 .chip").first.scroll_into_view_if_needed()
    stood = page.evaluate("scrollY")
    page.locator("#group-p1g3 .chip").first.click()
    with leaving(page):
        page.get_by_role("dialog").get_by_role("button", name="remove").click()
    assert abs(page.evaluate("scrollY") - stood) < 400


def test_bad_photos_get_a_sentence_in_view(page: Any, tmp_path: Path, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    (tmp_path / "notes.jpg").write_text("to do: buy cards")
    (tmp_path / "empty-table.jpg").write_bytes(photo(NO_CARDS))
    start_round(page, server)
    send_photo(page, tmp_path / "notes.jpg", box=1)
    sentence = page.get_by_role("alert")
    assert "notes.jpg is not a photo" in sentence.inner_text()
    box = sentence.bounding_box()
    assert 0 <= box["y"] < page.viewport_size["height"], "it is seen without scrolling"
    send_photo(page, tmp_path / "empty-table.jpg")
    assert page.get_by_text("No cards were seen in this photo").is_visible()


def test_everything_can_be_done_without_scripts(tmp_path: Path, serve: Callable[[str], Server]) -> None:
    server = serve("drawn")
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 800}).new_page()
        start_round(page, server)
        form = page.locator(".send .choose").first
        form.locator("input[type=file]").set_input_files(str(tmp_path / "table.jpg"))
        with leaving(page):
            form.get_by_role("button", name="Send").click()
        with leaving(page):
            page.locator(".group .chip").first.click()
        page.locator("summary", has_text="Any other card").click()
        with leaving(page):
            page.locator(".deck .pick[value=JK]").click()
        assert page.locator("#group-p1g0 .chip", has_text="Joker").count() == 1 and fits(page)
        browser.close()


def start_round(page: Any, server: Server) -> None:
    """From the first page to North–South's cards of round 1; every page on the way fits its window."""
    page.goto(server.url())
    for role, name in (("button", "New game"), ("button", "Score round 1"), ("link", "North–South")):
        assert fits(page)
        with leaving(page):
            page.get_by_role(role, name=name).click()
