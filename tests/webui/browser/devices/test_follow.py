"""The pages of whole games in a real browser, at a desk and on a phone, each looked over by axe; phones that follow.

Any console error, failed or refused request, or breach of WCAG 2.2 AA fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, new_document, until, watch
from tests.webui.helpers.drawn import EAST_TABLE, photo
from tests.webui.helpers.played_games import fill
from webui.storage.store import Store

pytest.importorskip("axe_playwright_python", reason="axe is not installed")

GAMES = 7
PAGES = (
    "/",
    "/new",
    "/new?rules=hand-n-foot&players=3",
    "/game/1/",
    "/game/7/",
    "/game/7/television",
    "/game/7/log",
    "/game/7/rules?to=tanglewood",
    "/game/7/names",
    "/game/7/pad",
    "/game/7/join",
    "/game/7/first-meld/",
    "/statistics",
    "/rules/",
    "/rules/golden-games",
    "/display",
)
HIDE = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
# What a voice is asked to say is kept in place of being said.
LISTEN = (
    "window.said = []; speechSynthesis.speak = (words) => said.push(words.text); speechSynthesis.cancel = () => {};"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("house")
    store = Store(folder)
    fill(store, GAMES)
    store.close()
    started = Server(folder, "drawn")
    yield started
    started.stop()


@pytest.mark.parametrize(("size", "colours"), [("desk", "light"), ("phone", "dark")])
def test_every_page_is_accessible(server: Server, visit: Callable[..., Any], size: str, colours: str) -> None:
    page = visit(size, color_scheme=colours)
    for path in PAGES:
        page.goto(server.url(path))
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        check(page)


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_strongest_contrast_and_the_largest_type_fit(server: Server, visit: Callable[..., Any], size: str) -> None:
    page = visit(size)
    page.goto(server.url("/display"))
    for choice in ("Strongest", "Largest", "Dark"):
        with new_document(page):
            page.get_by_role("radio", name=choice, exact=True).check()
    until(page, '(getComputedStyle(document.body).backgroundColor) === "rgb(24, 50, 39)"')
    for path in ("/", "/game/7/", "/statistics", "/new", "/game/7/round/1/check"):
        page.goto(server.url(path))
        check(page)
    rows = "all => new Set(all.map(one => Math.round(one.getBoundingClientRect().top))).size"
    assert size == "desk" or page.locator(".steps .n").evaluate_all(rows) == 1


def test_a_television_and_a_phone_follow_a_game_and_announce_results(server: Server, visit: Callable[..., Any]) -> None:
    hand = visit("phone")
    hand.goto(server.url("/new"))
    with new_document(hand):
        hand.get_by_role("button", name="Start the game").click()
    game = hand.url
    television, phone = visit("desk"), visit("phone")
    television.goto(f"{game}television")
    television.evaluate(LISTEN)
    television.get_by_role("button", name="Read scores aloud").click()
    phone.goto(game)
    for follower in (television, phone):
        follows(follower, "stream")
    confirm(hand, game, 1, "North–South")
    television.get_by_text("Round 1: 100").wait_for()
    phone.locator(".totals tfoot").get_by_text("100").wait_for()
    phone.get_by_role("button", name="Score round 2").wait_for()
    confirm(hand, game, 1, "East–West")
    television.get_by_text("Round 1: 0").wait_for()
    until(television, "said.length >= 3")
    assert television.evaluate("said") == [
        "Scores will be read aloud.",
        "Round 1: North–South 100, East–West 0. Total: North–South 100, East–West 0.",
        "Correction: round 1: North–South 0, East–West 100. Total: North–South 0, East–West 100.",
    ]
    check(television)
    with new_document(television):
        television.get_by_role("link", name="Back to the game").click()
    expect(television).to_have_url(game)


def follows(page: Any, how: str) -> None:
    """Waits until a page follows its game by a stream, or by asking now and then."""
    page.locator(f"html[data-follows={how}]").wait_for(state="attached")


AS_A_BROWSER = {"Sec-Fetch-Site": "same-origin"}
HIDDEN = re.compile(r'name="(mark|over|seen)" value="(\w*)"')


def confirm(page: Any, game: str, number: int, out: str) -> None:
    """Begins and confirms a round in which one side went out, by its forms alone, whatever the page looks like.

    From a page that does not follow the game, which would only be on its way to show the change itself.
    """
    page.goto(f"{game}names")
    token = page.locator("input[name=token]").first.get_attribute("value")
    page.request.post(f"{game}round/{number}/begin", form={"token": token}, headers=AS_A_BROWSER)
    told = {"went_out": {"North–South": "0", "East–West": "1"}[out]}
    for form in (told, {"confirm": "yes"}):
        asked = page.request.get(f"{game}round/{number}/anyway", headers=AS_A_BROWSER)
        shown = dict(HIDDEN.findall(asked.text()))
        sent = {**shown, **form, "token": token}
        assert page.request.post(f"{game}round/{number}/facts", form=sent, headers=AS_A_BROWSER).ok


def test_a_hidden_page_holds_no_stream_and_catches_up(server: Server, visit: Callable[..., Any]) -> None:
    phone, hand = visit("phone"), visit("phone")
    hand.goto(server.url("/new"))
    with new_document(hand):
        hand.get_by_role("button", name="Start the game").click()
    streams: list[str] = []
    ended: list[str] = []
    phone.on("request", lambda asked: streams.extend([asked.url] * ("/live?" in asked.url)))
    phone.on("requestfailed", lambda asked: ended.extend([asked.url] * ("/live?" in asked.url)))
    phone.goto(hand.url)
    follows(phone, "stream")
    phone.evaluate((HIDE % "true") + "document.dispatchEvent(new Event('visibilitychange'))")
    for _ in range(600):
        if ended:
            break
        phone.wait_for_timeout(50)
    assert len(streams) == len(ended) == 1, "it was let go"
    confirm(hand, hand.url, 1, "North–South")
    phone.wait_for_timeout(300)
    expect(phone.locator(".totals tfoot").get_by_text("100")).to_have_count(0)
    phone.evaluate((HIDE % "false") + "document.dispatchEvent(new Event('visibilitychange'))")
    phone.locator(".totals tfoot").get_by_text("100").wait_for()
    assert len(streams) == 2


@pytest.mark.by_hand
@pytest.mark.parametrize("seen", ["all", "the last"])
def test_ten_tabs_of_one_browser_load_and_follow(
    server: Server, visit: Callable[..., Any], problems: list[str], seen: str
) -> None:
    """A browser has six connections for all its tabs, and a stream holds one: hidden tabs hold none, windows three."""
    hand, first = visit("desk"), visit("desk")
    hand.goto(server.url("/new"))
    with new_document(hand):
        hand.get_by_role("button", name="Start the game").click()
    tabs = [first, *(first.context.new_page() for _ in range(9))]
    for tab in tabs:
        if tab is not first:
            watch(tab, problems)
        if seen != "all" and tab is not tabs[-1]:
            tab.add_init_script(HIDE % "true")
        tab.goto(hand.url)
        if seen == "all" or tab is tabs[-1]:
            expect(tab.locator("html[data-follows]")).to_be_attached()
    tabs[0].wait_for_timeout(2500)  # after which those that are hidden would hold a stream
    confirm(hand, hand.url, 1, "North–South")
    for tab in reversed(tabs):
        if seen != "all" and tab is not tabs[-1]:
            tab.evaluate((HIDE % "false") + "document.dispatchEvent(new Event('visibilitychange'))")
        expect(tab.locator(".totals tfoot").get_by_text("100")).to_be_visible()


def test_a_page_without_a_stream_polls(server: Server, visit: Callable[..., Any]) -> None:
    phone, hand = visit("phone"), visit("phone")
    hand.goto(server.url("/new"))
    with new_document(hand):
        hand.get_by_role("button", name="Start the game").click()
    full = "event: full\ndata: 0\n\n"
    phone.route("**/live?*", lambda route: route.fulfill(status=200, content_type="text/event-stream", body=full))
    phone.goto(hand.url)
    follows(phone, "poll")
    confirm(hand, hand.url, 1, "North–South")
    phone.locator(".totals tfoot").get_by_text("100").wait_for()


def test_a_first_meld_is_checked_and_corrected(server: Server, visit: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "meld.jpg").write_bytes(photo(EAST_TABLE))
    page = visit("phone")
    page.goto(server.url("/game/7/"))
    with new_document(page):
        page.get_by_role("link", name="Is a first meld enough?").click()
    with new_document(page):
        page.get_by_label("A different round?").select_option("1")
    with new_document(page):
        page.locator(".send .take input[type=file]").set_input_files(str(tmp_path / "meld.jpg"))
    expect(page.get_by_role("heading", level=1)).to_have_text("100, enough for round 1 (60)", use_inner_text=True)
    check(page)
    page.locator(".chips").get_by_role("link", name="joker").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Joker").wait_for()
    sheet.locator("img.crop").first.wait_for()
    check(page)
    with new_document(page):
        sheet.get_by_role("button", name="4 of spades").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("55, not enough for round 1 (60)", use_inner_text=True)
