"""Large enough to touch, small enough to leave room: targets, bars that stay, the television, tables that scroll."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import SIZES, Server, expect, fits, leaving, settle, until
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.evenings import begin, play_stage, seat
from tests.webui.helpers.game_pages import begin_round, send_photo
from tests.webui.helpers.played_games import fill, play_round, write_rules
from webui.storage.records import SideRecord
from webui.storage.store import Store

SMALLEST_TARGET = 44
LONG = "Bartholomew Featherstonehaugh-Wellington"
UNBROKEN = tuple(letter * 40 for letter in "WMXY")
PAGES = (
    *("/", "/new", "/game/1/", "/game/2/", "/game/2/log", "/game/2/names", "/game/2/pad", "/game/2/join"),
    *("/game/2/first-meld/", "/game/2/television", "/game/1/round/1/tally", "/statistics", "/players/"),
    *("/game/2/again", "/players/person?name=Ann", "/game/2/rules?to=tanglewood", "/rules/own/edit"),
    *("/rules/", "/rules/golden-games", "/display", "/camera/", "/report/", "/safe/"),
    *("/evenings/new", "/evening/1/", "/evening/1/table/1/", "/evening/1/results/", "/evening/1/rounds"),
    *("/evening/1/history", "/evening/1/score-cards", "/game/4/", "/game/4/names", "/game/4/round/1/tally"),
    *("/game/4/round/2/check", "/game/4/pad", "/game/4/television"),
)
STEPS = ("out", "side/0/", "side/0/left", "side/1/", "unseen", "check")
DIALOGS = ("card/p1c0", "group/p1g0", "add?group=new-meld", "typed/points", "typed/cards", "reset?step=table")
# Links in running text are as high as its lines, which the standard allows (WCAG 2.2, 2.5.8); a drawing over a photo is
# for pointing, and the same links stand beside it. A tick, a choice and a file are touched by their label as well.
TOO_SMALL = """(least) => {
const all = document.querySelectorAll('a[href], button, input, select, textarea, summary');
return [...all].filter((one) => {
  if (one.closest('svg, dialog:not([open])') || one.type === 'hidden' || !one.checkVisibility()) return false;
  const touched = one.closest('label') ?? one;
  const boxes = [...touched.getClientRects()];
  if (!boxes.length || getComputedStyle(touched).clipPath !== 'none') return false;
  const style = getComputedStyle(one);
  const inText = one.matches('a') && style.display === 'inline'
    && one.parentElement.innerText.trim().length > one.innerText.trim().length;
  return !inText && !boxes.some((box) => box.width >= least - .5 && box.height >= least - .5);
}).map((one) => `${one.outerHTML.slice(0, 90)} ${one.clientWidth || one.offsetWidth} x ${one.offsetHeight}`);
}"""
# The part of the window's height that bars cover which stay where they are while the page is scrolled.
COVERED = """() => {
  scrollTo(0, document.documentElement.scrollHeight / 3);
  const rows = new Array(innerHeight).fill(0);
  for (const one of document.querySelectorAll('main *, body > header, body > footer')) {
    if (!['sticky', 'fixed'].includes(getComputedStyle(one).position) || !one.checkVisibility()) continue;
    if (one.matches('.photos')) continue;  // beside the cards, not over them
    const box = one.getBoundingClientRect();
    if (box.top > 1 && box.bottom < innerHeight - 1) continue;
    for (let row = Math.max(0, Math.floor(box.top)); row < Math.min(innerHeight, box.bottom); row++) rows[row] = 1;
  }
  return rows.reduce((sum, row) => sum + row, 0) / innerHeight;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Two games of two sides, the first one over; a third one of six players, each for himself, with long names; a
    fourth one and an evening with names that have no gap."""
    folder = tmp_path_factory.mktemp("sizes")
    (folder / "rulesets").mkdir()
    write_rules(folder / "rulesets" / "own.toml", 600)
    store = Store(folder)
    fill(store, 2)
    names = (LONG, "Ann", f"{LONG[:20]} Jr.", "Cy", "Di", "Eva")
    game_id = store.add_game("golden-games", 6, tuple(SideRecord(name, (name,)) for name in names), names[0])
    play_round(store, game_id, 1, random.Random(1))
    game_id = store.add_game("golden-games", 4, tuple(SideRecord(n[0], n) for n in (UNBROKEN[:2], UNBROKEN[2:])), None)
    play_round(store, game_id, 1, random.Random(1))
    store.rounds.begin(game_id, 2)
    event_id = begin(store, UNBROKEN, stages=1, prizes=(UNBROKEN[0],))
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _round: ord(name[0]))
    store.close()
    started = Server(folder, "drawn")
    yield started
    started.stop()


@pytest.fixture
def shoot(tmp_path: Path) -> Callable[[Any, Any], None]:
    def send(page: Any, table: Any) -> None:
        (tmp_path / "table.jpg").write_bytes(photo(table))
        send_photo(page, tmp_path / "table.jpg")

    return send


def small_targets(page: Any) -> list[str]:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    return list(page.evaluate(TOO_SMALL, SMALLEST_TARGET))


def test_what_is_touched_is_44_pixels_wide_and_high_on_every_page_which_no_name_widens(
    server: Server, visit: Callable[..., Any]
) -> None:
    page = visit("phone")
    small, wide = [], []
    for path in PAGES:
        page.goto(server.url(path))
        small += [(path, one) for one in small_targets(page)]
        wide += [path] if not fits(page) else []
    assert not small, "\n".join(map(str, small))
    assert not wide, wide


def test_steps_leave_two_thirds_of_the_window_to_the_cards(
    server: Server, visit: Callable[..., Any], shoot: Callable[[Any, Any], None]
) -> None:
    """On the smallest phone with the largest type, and on a usual one; targets are large enough there too."""
    page = visit("phone")
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="South").click()
    shoot(page, NORTH_TABLE)
    shoot(page, EAST_TABLE)
    steps = page.url.split("/side/")[0]
    covered, small = {}, []
    for size, cookie in (("phone", ""), ("small-phone", "largest")):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        if cookie:
            page.goto(server.url("/display"))
            with leaving(page):
                page.get_by_role("radio", name="Largest", exact=True).check()
        for step in (*STEPS, *(f"side/0/{dialog}" for dialog in DIALOGS)):
            page.goto(f"{steps}/{step}")
            assert fits(page), (size, step)
            covered[size, step] = page.evaluate(COVERED)
            small += [(size, step, one) for one in small_targets(page)]
    page.goto(server.url("/display"))
    with leaving(page):
        page.get_by_role("radio", name="Large", exact=True).check()
    assert max(covered.values()) <= 1 / 3, covered
    sides = [share for (size, step), share in covered.items() if size == "phone" and step.startswith("side/")]
    assert max(sides) <= 0.22, "about a fifth on a usual phone"
    assert not small, "\n".join(map(str, small))


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_the_television_fits_and_says_who_leads(
    server: Server, visit: Callable[..., Any], width: int, height: int
) -> None:
    page = visit("desk")
    page.set_viewport_size({"width": width, "height": height})
    for game, said in ((1, "Winner"), (2, "In the lead"), (3, "In the lead")):
        page.goto(server.url(f"/game/{game}/television"))
        settle(page)
        marks = page.locator(".standings .leads .rank")
        expect(marks).to_have_text([said], use_inner_text=True)
        most = max(int(text.replace(",", "").replace("−", "-")) for text in page.locator(".total").all_inner_texts())
        expect(page.locator(".leads .total")).to_contain_text(f"{most:,}", use_inner_text=True)
        until(page, "document.documentElement.scrollHeight <= innerHeight")
        until(page, "document.documentElement.scrollWidth <= innerWidth")
        over = page.evaluate(
            """() => [...document.querySelectorAll('main :is(section, p, dl, h2, li) *')].filter((one) => {
              const box = one.getBoundingClientRect();
              return one.checkVisibility() && (box.bottom > innerHeight || box.right > innerWidth
                || (one.matches('.total') && one.scrollWidth > one.clientWidth + 1));
            }).map((one) => one.outerHTML.slice(0, 80))"""
        )
        assert not over, (game, over)
        fits_whole = (
            "[...document.querySelectorAll('.round-tv')].every((one) => one.scrollHeight <= one.clientHeight + 1)"
        )
        until(page, fits_whole)  # no line is cut


def test_a_table_that_scrolls_has_a_shadow_where_there_is_more(server: Server, visit: Callable[..., Any]) -> None:
    page = visit("small-phone")
    page.goto(server.url("/game/3/"))
    table = page.get_by_role("region", name="Score so far")
    assert table.evaluate("one => one.scrollWidth > one.clientWidth"), "six names do not fit"
    attached = table.evaluate("one => getComputedStyle(one).backgroundAttachment")
    assert attached == "local, local, scroll, scroll", "covers move with the table, shadows stay"


def test_an_example_in_an_empty_field_does_not_look_typed(server: Server, visit: Callable[..., Any]) -> None:
    page = visit("phone")
    page.goto(server.url("/decks/new"))
    field = page.get_by_label("What do you call them?")
    seen, typed = (
        field.evaluate(
            f"one => {{ const {{fontStyle, color}} = getComputedStyle(one, {which}); return [fontStyle, color]; }}"
        )
        for which in ("'::placeholder'", "null")
    )
    assert seen[0] == "italic" and typed[0] == "normal" and seen[1] != typed[1]
