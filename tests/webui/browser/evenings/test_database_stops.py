"""PostgreSQL stops while points are typed: nothing typed is lost, and the pages go on by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, expect
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.evenings import SIXTEEN, begin, seat
from tests.webui.helpers.postgres import Cluster
from tests.webui.helpers.served import beside
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import ReaderService
from webui.settings import Settings


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A phone whose console may tell that the database was away."""
    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
    yield context.new_page()
    context.close()


def test_typed_points_are_kept_and_sent_once_the_database_answers(tmp_path: Path, postgres: Cluster, tab: Any) -> None:
    settings = Settings(tmp_path / "data", camera="none", database=postgres.emptied())
    app = create_app(settings, ReaderService(DrawnReader))
    services = services_of(app)
    begin(services.store, SIXTEEN[:4])
    seat(services.store, 1, 1)
    services.store.rounds.begin(1, 1)
    with beside(app) as port:
        watching = tab.context.new_page()
        watching.goto(f"http://127.0.0.1:{port}/evening/1/")
        tab.goto(f"http://127.0.0.1:{port}/game/1/round/1/side/0/typed/points")
        tab.locator("[name=way][value=total]").locator("xpath=..").click()
        tab.locator("[name=total]").fill("1615")
        postgres.stop()
        try:
            tab.locator("form[data-sum] button.big").last.click()
            expect(tab.get_by_text("What you typed is kept here")).to_be_visible()
            expect(tab.get_by_role("button", name="Send it again")).to_be_visible()
            assert "/s/" not in tab.inner_text("main"), "no path of the machine is told"
            expect(watching.get_by_text("The database does not answer. This page goes on by itself")).to_be_visible()
        finally:
            postgres.ensure_running()
        expect(tab).not_to_have_url(re.compile("side/0/typed"), timeout=30_000)
        expect(tab.get_by_text("1,615").first).to_be_visible()
        expect(watching.get_by_text("The database does not answer.")).to_have_count(0)
        tab.goto("about:blank")
        watching.goto("about:blank")
    services.photo_queue.close()
    services.camera.close()
    services.store.close()
