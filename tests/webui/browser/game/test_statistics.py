"""Statistics in a real browser: the plot of a season and its table, light, dark and on paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tests.webui.helpers.browsing import Server, check, expect, until
from tests.webui.helpers.played_games import play_game
from webui.storage.store import Store

BRIGHTNESS = """(one) => getComputedStyle(one).backgroundColor.match(/\\d+/g).slice(0, 3)
  .reduce((sum, part) => sum + Number(part), 0)"""


@pytest.fixture
def server(tmp_path: Path, serve: Callable[[str], Server]) -> Server:
    """Two games of the same people, a month apart."""
    served = serve("drawn")
    store = Store(tmp_path / "data")
    for month in (10, 11):
        game_id = play_game(store, (("Ann", "Bo"), ("Cy", "Di")), 4)
        with store._session.begin() as session:
            when = {"day": f"2026-{month}-07T19:00:00.000+00:00", "id": game_id}
            session.execute(text("update games set created_at = :day where id = :id"), when)
    store.close()
    return served


@pytest.mark.parametrize(("size", "by"), [("phone", "people"), ("desk", "sides")])
def test_a_season_has_a_plot_and_the_same_in_a_table(
    visit: Callable[..., Any], server: Server, size: str, by: str
) -> None:
    page = visit(size)
    page.goto(server.url(f"/statistics?by={by}"))
    season = page.locator(".season-line")
    plot, rows = season.get_by_role("img"), season.get_by_role("row")
    count = 4 if by == "people" else 2
    expect(plot.locator("polyline")).to_have_count(count)
    expect(rows).to_have_count(count + 1)
    expect(season.get_by_role("columnheader")).to_have_text(["Name", "Oct 7, 2026", "Nov 7, 2026"])
    said = plot.get_attribute("aria-label").replace(",", "")
    for row in rows.all()[1:]:
        name, *values = row.locator("th, td").all_inner_texts()
        assert f"{name.strip()} {values[-1].replace(',', '')}" in said
    until(page, "(one => one.scrollWidth <= one.clientWidth)(document.querySelector('.people-table').parentElement)")
    check(page)


def test_what_is_printed_from_a_dark_page_is_dark_on_white(visit: Callable[..., Any], server: Server) -> None:
    page = visit("desk", color_scheme="dark")
    page.goto(server.url("/statistics"))
    box = page.locator(".season-line")
    assert box.evaluate(BRIGHTNESS) < 300, "dark on the screen"
    page.emulate_media(media="print", color_scheme="dark")
    assert box.evaluate(BRIGHTNESS) > 700, "white on paper"
    expect(page.get_by_role("combobox")).to_be_hidden()
