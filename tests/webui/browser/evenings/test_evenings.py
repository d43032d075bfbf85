"""A club evening in a real browser: whoever runs it at a desk, and a phone at each of eight tables.

A phone of the network is told from this machine by the header that a proxy adds, so that no network is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webui.helpers.browsing import check, expect
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.evenings import SIXTEEN, begin, score_round, seat
from tests.webui.helpers.networks import on_network, on_the_network
from tests.webui.helpers.served import beside
from webui.app import create_app
from webui.context.services import services_of
from webui.events.steps import actions, draws
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.store import Store

pytest.importorskip("axe_playwright_python", reason="axe is not installed")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The page as on a network."""
    on_network(monkeypatch, "192.168.1.20")
    app = create_app(Settings(tmp_path / "data"), ReaderService(DrawnReader))
    on_the_network(app)
    services_of(app).photo_queue.resume()
    yield app
    services_of(app).photo_queue.close()
    services_of(app).store.close()


@pytest.fixture
def store(app: Flask) -> Store:
    return services_of(app).store


@pytest.fixture
def base(app: Flask) -> Iterator[str]:
    """The page's address."""
    with beside(app) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def visit(base: str, visit: Callable[..., Any]) -> Callable[..., Any]:
    """As ever; the pages are left before the server ends, as they ask it something now and then."""
    return visit


@pytest.mark.parametrize(("size", "colours"), [("desk", "dark"), ("small-phone", "light")])
def test_the_pages_of_an_evening_are_accessible(
    base: str, store: Store, visit: Callable[..., Any], size: str, colours: str
) -> None:
    begin(store, SIXTEEN[:5])
    seat(store, 1, 1)
    score_round(store, 1, 1, 1, 1, (700, -50))
    actions.call(store, 1, 2, True)
    begin(store, SIXTEEN[:4])
    seat(store, 2, 1)
    for table in (1, 2):
        for round in range(1, 5):
            score_round(store, 2, 1, table, round, (100, 100))
    begin(store, tuple(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(9)), "tournament-play")
    draws.draw(store, 3, 1, "7")
    page = visit(size, color_scheme=colours)
    for path in (
        "/evenings/new?how=own",
        "/evening/1/",
        "/evening/2/",
        "/evening/3/",
        "/evening/3/history",
        "/evening/1/results/",
        "/evening/1/cards",
        "/evening/1/table/1/",
        "/evening/1/table/2/",
    ):
        page.goto(f"{base}{path}")
        check(page)


def test_a_tap_on_a_remembered_name_adds_it(base: str, store: Store, visit: Callable[..., Any]) -> None:
    begin(store, SIXTEEN[:4])
    seat(store, 1, 1)
    page = visit("phone")
    page.goto(f"{base}/evenings/new")
    for name in ("Aa", "Bo", "Ca"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("textarea")).to_have_value("Aa & Bo\nCa & ")
    begin(store, ("Aa, woman",), "tournament-play")
    page.goto(f"{base}/evenings/new?how=tournament-play")
    for name in ("Aa", "Bo"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("textarea"), "with the group of last time, else to be typed").to_have_value("Aa, woman\nBo, ")
