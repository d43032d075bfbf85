"""A game in a real browser: its photos, counts, names and agreements."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from tests.webui.helpers.browsing import Server, leaving, settle
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.playing import TOKEN, asked_piles


def send_photo(page: Any, file: Path, counts: bool = True) -> None:
    """Chooses a photo for the next step; the page sends it by itself. ``counts``: its squared piles are counted."""
    kind = "take" if page.locator(".next-step .main .take").is_visible() else "choose"
    with leaving(page):
        page.locator(f".next-step .main .{kind} input[type=file]").set_input_files(str(file))
    if counts:
        count_piles(page)


def count_piles(page: Any) -> None:
    """Saves of each squared pile that the page asks about what is proposed."""
    for _ in range(page.locator(".doubts .pile-count").count()):
        with leaving(page):
            page.locator(".doubts .pile-count").first.get_by_role("button", name="Save the count").click()


def agree(page: Any, side: str) -> None:
    """Agrees for a side on the page of the check, also over what needs attention."""
    asks = page.get_by_role("link", name=f"{side}: we agree")
    if asks.count():
        settle(page)
        asks.click()
        page.get_by_role("heading", name="Agree anyway?").wait_for()
        with leaving(page):
            page.get_by_role("button", name=f"{side}: agree anyway").click()
    else:
        with leaving(page):
            page.get_by_role("button", name=f"{side}: we agree").click()


def total(page: Any) -> int:
    """The side's points of this round, as its page shows them."""
    text = page.locator(".sum .points").inner_text()
    return int(text.replace(",", "").replace("−", "-"))


def name_players(page: Any, *names: str) -> None:
    """Types who plays, on the first page or that of a new game."""
    page.get_by_label("Who plays?").fill("\n".join(names))


def name_sides(page: Any, *names: str) -> None:
    """Gives the sides of the open game names of their own, and comes back to its page."""
    page.goto(f"{page.url.partition('#')[0]}names")
    for side, name in enumerate(names):
        page.locator(f"input[name=side{side}]").fill(name)
    with leaving(page):
        page.get_by_role("button", name="Save names").click()


def posted(page: Any, url: str, **fields: Any) -> Any:
    """Sends a form as this visitor, without a page being shown: a tenth of the work. Returns what it leads to."""
    from_browser = {"Sec-Fetch-Site": "same-origin"}
    token = TOKEN.search(page.request.get(urljoin(url, "/"), headers=from_browser).text())
    assert token
    answer = page.request.post(url, multipart={"token": token[1], **fields}, headers=from_browser)
    assert answer.ok, (url, answer.status)
    return answer


def begin_round(page: Any, server: Server) -> None:
    """Begins a game and opens the first step of its round 1."""
    game = posted(page, server.url("/new")).url.partition("#")[0]
    page.goto(posted(page, f"{game}round/1/begin").url)


def all_agree(page: Any) -> None:
    """Lets every side agree on the page that checks the round, whatever needs attention there."""
    if page.locator("#attention").count():
        page.locator("#agree a.button").last.click()
        with leaving(page):
            page.get_by_role("dialog").locator("button[name=confirm]").click()
    while (button := page.locator("#agree button[name=agree]")).count():
        with leaving(page):
            button.first.click()


def photograph_table(page: Any, server: Server, counts: bool = True) -> None:
    """Begins a round with the photo of the first side's table, and opens that side's page. ``counts``: as above."""
    posted(page, server.url("/new"))
    posted(page, server.url("/game/1/round/1/begin"))
    file = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo(NORTH_TABLE)}
    shown = posted(page, server.url("/game/1/round/1/side/0/photos"), photos=file)
    for address, fields in asked_piles(shown.text()).items() if counts else ():
        shown = posted(page, server.url(address), **fields)
    page.goto(shown.url)
