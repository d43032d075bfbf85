"""A club evening in a real browser: whoever runs it at a desk, and a phone at each of eight tables.

A phone of the network is told from this machine by the header that a proxy adds, so that no network is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webui.access.test_access_code import on_the_network
from tests.webui.helpers.browsing import agree, check, leaving, send_photo
from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, played, score_round, seat
from tests.webui.helpers.served import beside
from webui.app import create_app
from webui.context import invitation
from webui.context.services import services_of
from webui.events import actions
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.store import Store

pytest.importorskip("axe_playwright_python", reason="axe is not installed")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The page as on a network."""
    monkeypatch.setattr(invitation, "network_address", lambda: "192.168.1.20")
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


def press(page: Any, name: str) -> None:
    with leaving(page):
        page.get_by_role("button", name=name, exact=True).first.click()


def announce(page: Any, number: int) -> None:
    press(page, f"Draw game {number}")
    press(page, "Confirm this draw")
    press(page, "Announce the tables")


def points(name: str, round: int) -> int:
    """By the alphabet, but for the eighth and ninth team, which are equal: a tie at the cut."""
    place = 7 if name == SIXTEEN[8] else SIXTEEN.index(name)
    return 1000 - 20 * place + round


def play_rest(store: Store, stage: int) -> None:
    """Every round that is not agreed yet, typed and agreed."""
    now = evening(store, 1)
    for table, sides in enumerate(now.stage(stage).released, 1):
        for round in range(1, 5):
            if round not in now.results.get((stage, table), {}):
                one, two = (points(side[0], round) for side in sides)
                score_round(store, 1, stage, table, round, (one, two))


def type_round(phone: Any, sides: tuple[tuple[str, ...], ...]) -> None:
    """Both sides' totals of round 1, typed on the table's phone, and agreed by both."""
    with leaving(phone):
        phone.get_by_role("link", name="Score this table").click()
    press(phone, "Score round 1")
    phone.goto(f"{phone.url.split('/round/')[0]}/round/1/side/0/typed/points")
    for (name,) in sides:
        phone.get_by_label("Just the total").check()
        phone.locator("input[name=total]").fill(str(points(name, 1)))
        with leaving(phone):
            phone.locator("main form .button.big, main form button").last.click()
    phone.goto(f"{phone.url.split('/round/')[0]}/round/1/check")
    for (name,) in sides:
        agree(phone, name)


def test_sixteen_teams_from_their_names_to_medals_with_a_phone_at_each_table(
    base: str, store: Store, visit: Callable[..., Any], tmp_path: Path
) -> None:
    desk = visit("desk")
    desk.goto(f"{base}/evenings/new")
    desk.get_by_label("Name of the evening").fill("Saturday")
    desk.locator("textarea").fill("\n".join(SIXTEEN))
    press(desk, "Set up the evening")
    announce(desk, 1)
    assert desk.locator(".tables > li").count() == 8
    seated = evening(store, 1).stage(1).released
    phones = []
    for table in range(1, 9):
        phone = visit("phone", extra_http_headers={"X-Forwarded-For": f"192.168.1.{100 + table}"})
        phone.goto(f"{base}/t/{store.events.key(1, table)}")
        press(phone, "Yes, that is us")
        phones.append(phone)
    assert evening(store, 1).names_said == {(1, table) for table in range(1, 9)}
    (tmp_path / "table.jpg").write_bytes(photo(NORTH_TABLE))
    game = store.events.game_at(1, 1)
    phones[0].goto(f"{base}/game/{game}/")
    press(phones[0], "Score round 1")
    phones[0].goto(f"{base}/game/{game}/round/1/side/0/")
    send_photo(phones[0], tmp_path / "table.jpg")
    assert phones[0].locator(".photo").count() == 1
    type_round(phones[1], seated[1])
    assert evening(store, 1).results[1, 2] == {1: tuple(points(name, 1) for (name,) in seated[1])}
    phones[2].get_by_role("button", name="Call for help").click()
    phones[2].get_by_text("will come to table 3").wait_for()

    phones[3].goto(f"{base}/game/{store.events.game_at(1, 4)}/")
    play_rest(store, 1)
    desk.goto(f"{base}/evening/1/")
    assert desk.get_by_text("Calls for help").count() == 1
    assert "are tied for the last place in game 2" in desk.locator("main").inner_text()
    desk.get_by_role("checkbox", name=SIXTEEN[8]).check()
    press(desk, "They play on")
    wrong = evening(store, 1).table_of(SIXTEEN[7], 1)  # a correction after the cut was shown: the tie is none any more
    assert wrong is not None
    one, two = (points(side[0], 2) + (side[0] == SIXTEEN[7]) for side in seated[wrong - 1])
    score_round(store, 1, 1, wrong, 2, (one, two))
    desk.reload()
    announce(desk, 2)
    assert set(evening(store, 1).stage(2).names) == set(SIXTEEN[:8])
    phones[3].wait_for_url("**/evening/1/table/4/")  # its page was of the game that is over
    phones[0].get_by_role("link", name="Show the change").click()
    phones[0].wait_for_url("**/evening/1/table/1/")
    phones[7].goto(f"{base}/evening/1/table/8/")
    said = phones[7].locator(".goes").inner_text()
    for (name,) in seated[7]:
        next_table = evening(store, 1).table_of(name, 2)
        assert (f"{name}: go to table {next_table}" if next_table else f"{name}: you do not play game 2") in said

    play_rest(store, 2)
    desk.goto(f"{base}/evening/1/")
    assert desk.locator(".medals li").all_inner_texts()[0].startswith(f"Gold: {SIXTEEN[0]}")
    sums = {
        name: sum(points(name, round) for round in range(1, 5)) * (2 if place < 8 else 1)
        for place, name in enumerate(SIXTEEN)
    }
    sums[SIXTEEN[7]] += 1
    assert {row.name: row.total for row in played(store, 1).standings()} == sums


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
    actions.draw(store, 3, 1, "7")
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
    assert page.locator("textarea").input_value() == "Aa & Bo\nCa & "
    page.goto(f"{base}/evenings/new?how=tournament-play")
    page.get_by_role("button", name="Aa", exact=True).click()
    assert page.locator("textarea").input_value() == "Aa, man"
