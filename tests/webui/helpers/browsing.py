"""A real browser: serving the page, screen sizes, sending photos, and what must not happen on any page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.served import in_a_thread

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The shell shows pages as Chromium does, without windows: half the work for a page, a third for a visitor."""
ROOT = Path(__file__).parents[3]
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP cards.home 127.0.0.1",
)
PATIENCE = 120_000
"""Milliseconds to wait at most for what has to come, on a machine that has ten times as much to do as it can."""
SIZES = {"desk": (1280, 800), "phone": (390, 844), "tablet": (820, 1180), "small-phone": (320, 640)}
_AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    "resultTypes": ["violations"],  # of what passed, one element for each rule: to describe all takes as long again
    "selectors": False,  # to find one for every element takes half the time, and its source is shown
    "preload": False,  # what no rule here looks at: films, and style sheets of other hosts
}


class Server:
    """The page in a thread of this process; started again, in a process of its own, which knows only what was stored.

    The first start costs next to nothing so, where a process takes seconds to import everything.
    """

    def __init__(self, folder: Path, reader: str, camera: str | None = None) -> None:
        self._what = folder, reader, camera
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ExitStack()
        self.port = self._thread.enter_context(in_a_thread(folder, reader, camera))

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def start(self) -> None:
        """Serves the same data at the same port again, after a stop."""
        folder, reader, camera = self._what
        served = ["tests.webui.helpers.served", str(folder), str(self.port), reader, *([camera] if camera else [])]
        command = [sys.executable, "-m", *served]
        self._process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        for _ in range(1200):
            assert self._process.poll() is None, "the page did not start"
            try:
                urllib.request.urlopen(self.url(), timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("nothing answers")

    def kill(self) -> None:
        """Ends the process in the middle of whatever it does, as a power cut would; it has to be one of its own."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=60)
        self._process = None

    def stop(self) -> None:
        self._thread.close()
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=60)
            self._process = None


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def problems() -> list[str]:
    """Console errors, failed requests and refused ones of the pages that ``visit`` opened."""
    return []


@pytest.fixture
def visit(browser: Any, serve: Callable[[str], Server], problems: list[str]) -> Iterator[Callable[..., Any]]:
    """Opens browser pages of a size, each a visitor of its own.

    Any problem fails the test at its end, before its servers stop.
    """
    contexts: list[Any] = []

    def open_page(size: str, **options: Any) -> Any:
        width, height = SIZES[size]
        touch = size != "desk"
        context = browser.new_context(
            viewport={"width": width, "height": height}, is_mobile=touch, has_touch=touch, **options
        )
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda said: problems.extend([said.text] if said.type in ("error", "warning") else []))
        tab.on("pageerror", lambda error: problems.append(str(error)))
        watch(tab, problems)
        tab.on("response", lambda answer: problems.extend([f"{answer.url}: {answer.status}"] * (answer.status >= 400)))
        return tab

    yield open_page
    for context in contexts:
        for tab in context.pages:
            settle(tab)
        context.close()
    assert not problems, problems


def watch(tab: Any, problems: list[str]) -> None:
    """Records unfinished requests in ``tab.pending`` and failed ones as problems.

    What a page asks now and then, by itself, is neither: it is broken off when the page is left. So may a picture be
    that was not there yet, and what is kept as a file, which the browser breaks off as a page. A page that follows
    its game or evening fetches itself anew at each change, also at the one by which it is being left: that is waited
    for, and may be broken off.
    """
    tab.set_default_timeout(PATIENCE)
    tab.pending = set()
    anew = re.compile(
        r"/(game|evening)/\d+/(television|table-now/|results/(screen|card.*)?|table/\d+/|round/.*)?\?(.*&)?since=\d+$"
        r"|/join$"
    )
    by_itself = re.compile(
        r"/live\?|/watching$|/version$|/now.jpg|/icon.svg$|/camera/|/report/$|/everything.zip$|/learning/state$"
    )

    def done(asked: Any) -> None:
        tab.pending.discard(asked)
        may_end = asked.resource_type == "image" or by_itself.search(asked.url)
        may_end = may_end or (asked.resource_type == "fetch" and anew.search(asked.url))
        if asked.failure and not (may_end and "ERR_ABORTED" in asked.failure):
            problems.append(f"{asked.url}: {asked.failure}")

    tab.on("request", lambda asked: by_itself.search(asked.url) or tab.pending.add(asked))
    tab.on("requestfinished", done)
    tab.on("requestfailed", done)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def start(reader: str, camera: str | None = None) -> Server:
        started.append(Server(tmp_path / "data", reader, camera))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@contextmanager
def leaving(page: Any) -> Iterator[None]:
    """A block that leads to a new page: waits for the requests of the old page before, and for the new page after."""
    settle(page)
    with new_document(page):
        yield
    settle(page)


def press(page: Any, name: str) -> None:
    """Presses a button that leads to a new page."""
    with leaving(page):
        page.get_by_role("button", name=name, exact=True).first.click()


@contextmanager
def new_document(page: Any) -> Iterator[None]:
    """A block that leads to a new page: waits until that page has loaded.

    Playwright's ``expect_navigation`` does not do for it: it also ends with what an open dialog adds to the history,
    which is a navigation within the same page.
    """
    from playwright.sync_api import Error

    page.evaluate("document.left = true")
    yield
    for _ in tries(page):
        with suppress(Error):  # the old document ends while it is asked
            if not page.evaluate("document.left"):
                page.wait_for_load_state("load")
                return
    raise AssertionError(f"still on {page.url}")


def tries(page: Any) -> Iterator[None]:
    """What is tried again every 50 milliseconds, until ``PATIENCE`` ends."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        yield
        page.wait_for_timeout(50)


def back(page: Any) -> None:
    """Goes back as the browser's button does, within the page.

    Playwright's ``go_back`` and ``go_forward`` reckon from the entry that the browser's own process shows, which may
    lag behind an entry that the page has just added or left.
    """
    page.evaluate("history.back()")


def forward(page: Any) -> None:
    """Goes forward as the browser's button does, within the page; see ``back``."""
    page.evaluate("history.forward()")


def settle(page: Any) -> None:
    """Waits until the page and all its requests are complete."""
    page.wait_for_load_state("load")
    quiet = 0
    for _ in tries(page):
        quiet = 0 if page.pending else quiet + 1
        if quiet == 2:
            return
    raise AssertionError(f"still loading {page.pending}")


def expect(what: Any, message: str | None = None) -> Any:
    """Playwright's ``expect`` of a locator or a page, which waits until it holds, however busy the machine is."""
    from playwright import sync_api  # here, as tests are skipped where it is not installed

    sync_api.expect.set_options(timeout=PATIENCE)
    return sync_api.expect(what, message)


def until(page: Any, what: str) -> Any:
    """Waits until a JavaScript expression is true in the page, and returns it.

    Asked for from here again and again: `wait_for_function` evaluates text inside the page once it has to wait, which
    the page's own content security policy forbids.
    """
    for _ in tries(page):
        if found := page.evaluate(what):
            return found
    raise AssertionError(f"never true: {what}")


def fits(page: Any) -> bool:
    """Whether the page needs no horizontal scrolling; on a phone the window itself grows with a page that is wider."""
    settle(page)
    return bool(page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"])


def check(page: Any) -> None:
    """Asserts that the page fits its window, that no two sentences run together, and that axe-core finds no
    accessibility problem."""
    from axe_playwright_python.sync_playwright import Axe

    assert fits(page), page.url
    run_together = re.search(r".*[a-z]{2}[.?!][A-Z].*", page.locator("body").inner_text())
    assert not run_together, (page.url, run_together[0])
    # A sticky bar covers parts of the elements under it, which axe would report as too small targets.
    bars = "document.querySelectorAll('.standing, .next-step, .agree, .done').forEach(bar => bar.style.position = '%s')"
    page.evaluate(bars % "static")
    found = Axe().run(page, options=_AXE).response
    page.evaluate(bars % "")
    assert found["passes"], "nothing was checked"
    barriers = [(page.url, one["id"], one["nodes"][0]["html"]) for one in found["violations"]]
    assert not barriers, barriers
