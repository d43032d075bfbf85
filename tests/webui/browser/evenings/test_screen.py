"""The big screen of a hall: it fits without scrolling, turns by itself, is held and turned by key, and reads aloud."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.webui.browser.devices.test_follow import LISTEN
from tests.webui.helpers.browsing import Server, check, expect, leaving, until
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, score_round, seat
from webui.events.steps import actions
from webui.storage.store import Store

FIRST = "Ann Bob Cora Dave Earl Fay Gus Hank Ida June Kay Lou Mae Nell Opal Quincy Ruth Sam Theodore Wilhelmina".split()  # noqa: SIM905
EIGHTY = tuple(
    f"{FIRST[at % 20]} {chr(65 + at // 20)}. & {FIRST[at * 7 % 20]} {chr(70 + at // 20)}." for at in range(80)
)
SIZES = ((1280, 720), (1920, 1080))
SMALLEST_SHARE = 1 / 50
"""Of the screen's height: capitals of such letters are read from ten times the screen's width away in a hall."""
SHOWN = """() => {
  const at = (what, where = document) => [...where.querySelectorAll(what)];
  const items = at('.slides:not([hidden]) .slide-list > :not([hidden])');
  const list = document.querySelector('.slides:not([hidden]) .slide-list').getBoundingClientRect();
  const inside = ({ top, bottom, left, right }) =>
    top >= list.top - 1 && bottom <= list.bottom + 1 && left >= 0 && right <= innerWidth;
  const cut = (one) => one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2;
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  const page = document.documentElement;
  return {
    items: items.map((item) => [
      item.querySelector('.number, b').textContent.trim(),
      at('.side', item).map((one) => one.textContent),
    ]),
    outside: items.filter((item) => !inside(item.getBoundingClientRect())).length,
    cut: items.flatMap((item) => at('.side, small', item)).filter(cut).map((one) => one.textContent),
    smallest: Math.min(...items.flatMap((item) => at('.side', item)).map(size)),
    scrolls: page.scrollHeight > innerHeight || page.scrollWidth > innerWidth,
    page: document.querySelector('[data-turned]').textContent,
  };
}"""


def turned(page: Any) -> tuple[list[list[Any]], int]:
    """What all pages show, each looked at; and how many there are."""
    seen: list[list[Any]] = []
    height = page.viewport_size["height"]
    count = int(page.evaluate(SHOWN)["page"].split(" / ")[1])
    for number in range(1, count + 1):
        shown = page.evaluate(SHOWN)
        assert shown["page"] == f"{number} / {count}"
        assert not shown["scrolls"] and not shown["outside"] and not shown["cut"], shown
        assert shown["smallest"] >= SMALLEST_SHARE * height, shown
        seen += shown["items"]
        page.keyboard.press("ArrowRight")
    assert page.evaluate(SHOWN)["page"] == f"1 / {count}"
    return seen, count


@pytest.mark.parametrize("size", SIZES)
def test_tables_and_standings_fit_a_hall_screen_on_pages(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server], size: tuple[int, int]
) -> None:
    store = Store(tmp_path / "data")
    for names in (SIXTEEN, EIGHTY):
        event_id = begin(store, names)
        seat(store, event_id, 1)
        score_round(store, event_id, 1, 1, 1, (1000, -2000))
    now = [evening(store, event_id) for event_id in (1, 2)]
    store.close()
    server, page = serve("drawn"), visit("desk")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for one, most in zip(now, (2, 7), strict=True):
        page.goto(server.url(f"/evening/{one.record.id}/results/screen"))
        seen, count = turned(page)
        tables = [item for item in seen if len(item[1]) == 2]
        assert [(int(number.split()[-1]), sides) for number, sides in tables] == [
            (at, [side[0] for side in sides]) for at, sides in enumerate(one.stage(1).released, 1)
        ]
        standing = [item for item in seen if len(item[1]) == 1]
        assert {name for _, (name,) in standing} == set(one.entrants) and len(standing) == len(one.entrants)
        assert [int(place) for place, _ in standing] == sorted(int(place) for place, _ in standing)
        assert count <= most


def test_pages_turn_by_themselves_unless_they_are_held(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    seat(store, begin(store, SIXTEEN), 1)
    store.close()
    server, page = serve("drawn"), visit("desk")
    page.clock.install()
    page.goto(server.url("/evening/1/results/screen"))
    count = page.locator("[data-turned]")
    expect(count).to_have_text("1 / 2", use_inner_text=True)
    page.clock.run_for(12_500)
    expect(count).to_have_text("2 / 2", use_inner_text=True)
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    page.keyboard.press("Space")
    hold = page.get_by_role("button", name="Stay on this page")
    expect(hold).to_have_attribute("aria-pressed", "true")
    page.clock.run_for(30_000)
    expect(count).to_have_text("2 / 2", use_inner_text=True)
    page.keyboard.press("PageUp")
    expect(count).to_have_text("1 / 2", use_inner_text=True)
    hold.click()
    page.clock.run_for(12_500)
    expect(count).to_have_text("2 / 2", use_inner_text=True)


def test_the_screen_follows_and_reads_the_tables_aloud(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve("drawn"), visit("desk")
    store = Store(tmp_path / "data", served=True)
    event_id = begin(store, SIXTEEN[:4])
    page.goto(server.url("/evening/1/results/screen"))
    page.evaluate(LISTEN)
    page.get_by_text("The tables have not been announced yet.").wait_for()
    page.get_by_role("button", name="Read news aloud").click()
    seat(store, event_id, 1)
    page.get_by_role("heading", name="who sits where").wait_for()
    until(page, "said.length >= 2")
    one, two = evening(store, event_id).stage(1).released[0]
    said = page.evaluate("said")[-1]
    assert said.startswith(f"The tables of game 1 are announced. Table 1: {one[0]} against {two[0]}.")
    store.close()


@pytest.mark.parametrize(("size", "colours"), [("desk", "dark"), ("small-phone", "light"), ("tablet", "light")])
def test_the_screen_is_accessible(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server], size: str, colours: str
) -> None:
    store = Store(tmp_path / "data")
    event_id = begin(store, SIXTEEN[:5])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _: -100 * ord(name[0]))
    store.close()
    server, page = serve("drawn"), visit(size, color_scheme=colours)
    page.goto(server.url("/evening/1/results/screen"))
    check(page)
    page.keyboard.press("ArrowRight")
    check(page)


def test_each_phone_keeps_the_card_of_its_own_name(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    event_id = begin(store, ("Eagles: Ann, Bo", *SIXTEEN[:3]))
    seat(store, event_id, 1)
    table = evening(store, event_id).table_of("Eagles", 1)
    actions.take_break(store, event_id, 60)
    store.close()
    server, page = serve("drawn"), visit("small-phone")
    page.goto(server.url("/evening/1/results/"))
    check(page)
    page.get_by_label("Your own score card").select_option("Eagles")
    with leaving(page):
        page.get_by_role("button", name="Show my card").click()
    check(page)
    expect(page.locator("main")).to_contain_text(f"Eagles: go to table {table} for game 1.", use_inner_text=True)
    page.goto(server.url("/evening/1/results/card"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Eagles", use_inner_text=True)
    page.goto(server.url("/evening/1/results/"))
    page.get_by_role("link", name="Score card of Eagles").wait_for()
    page.goto(server.url("/evening/1/results/card"))
    with leaving(page):
        page.get_by_role("link", name="Not you? Choose another name").click()
    page.get_by_label("Your own score card").wait_for()
    expect(page.get_by_role("link", name="Score card of Eagles")).to_have_count(0)
