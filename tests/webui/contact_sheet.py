"""Takes a screenshot of every page, on a phone and on a desk, light and dark; four pictures show them side by side.

By hand, after a change of how the page looks: ``python -m tests.webui.contact_sheet docs/images``.
"""

from __future__ import annotations

import argparse
import base64
import html
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scorer.faces import STANDARD_FACES
from tests.webui.decks.pictures import pictures
from tests.webui.helpers.browsing import CHROMIUM, QUIET, SIZES, Server, leaving, settle
from tests.webui.helpers.browsing import watch as note_requests
from tests.webui.helpers.evenings import begin, play_stage, seat
from tests.webui.helpers.game_pages import begin_round, send_photo
from tests.webui.helpers.played_games import fill
from tests.webui.helpers.teaching import KnowingReader, file_of, jokers_photo
from vision.images.decode import decode_photo, photos_in
from vision.images.sandbox import shared_decoder
from vision.teach.photos import LookedAt, look_at
from vision.values import Frame
from webui.decks.lesson_files import Lessons
from webui.decks.taught import TaughtDecks
from webui.settings import SAMPLES
from webui.storage.store import Store

_SHOWN_WIDTH = {"phone": 260, "desk": 520}
"""How wide a page stands on the sheet, in pixels."""
_TALLEST = {"phone": 1900, "desk": 1700}
"""How much of a long page is shown, in CSS pixels."""
_SHEET_WIDTH = 2240
_QUALITY = 72
_ROUND = "/game/{game}/round/1/"
PAGES = {
    "Games": "/",
    "New game": "/new",
    "A game": "/game/{game}/",
    "A finished game": "/game/1/",
    "Step: who went out": _ROUND + "out",
    "Step: a side's table": _ROUND + "side/0/",
    "Step: a side's cards left": _ROUND + "side/0/left",
    "A card": _ROUND + "side/0/card/p1c0",
    "A group": _ROUND + "side/0/group/p1g0",
    "Step: bonuses and penalties": _ROUND + "unseen",
    "Step: check": _ROUND + "check",
    "Scores of a round": "/game/1/round/1/tally",
    "History": "/game/{game}/log",
    "Score pad": "/game/1/pad",
    "TV": "/game/1/television",
    "First meld": "/game/{game}/first-meld",
    "Statistics": "/statistics",
    "Decks": "/decks/",
    "Teach a deck": "/decks/new",
    "Photos of a deck": "/decks/jokers/teach",
    "A deck": "/decks/taught/",
    "Club evenings": "/evenings/",
    "A new club evening": "/evenings/new",
    "A club evening": "/evening/1/",
    "A table of the evening": "/evening/1/table/1/",
    "The evening's results": "/evening/1/results/",
    "League": "/league/",
    "Big screen": "/evening/1/results/screen",
    "Draw to hang up": "/evening/1/1/draw",
    "Score cards": "/evening/1/score-cards",
    "House rules": "/rules/",
    "One rule set": "/rules/golden-games",
    "Rules to change": "/rules/{own}/edit",
    "Camera": "/camera/",
    "Join": "/join",
    "Appearance": "/display",
    "Backup": "/safe/",
    "Report a problem": "/report/",
}


@dataclass(frozen=True)
class _Shot:
    name: str
    picture: bytes


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Screenshots of every page, side by side.")
    parser.add_argument("folder", type=Path, help="where pages-*.webp are written")
    parser.add_argument("--only", nargs="*", choices=SIZES, default=["phone", "desk"], help="sizes (default: both)")
    return parser.parse_args()


def _play(page: Any, server: Server) -> dict[str, str]:
    """A first round of which three photos are taken, and rules of one's own; returns what stands in the addresses."""
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="South").click()
    game = page.url.split("/game/")[1].split("/")[0]
    for photo in photos_in(SAMPLES)[:3]:
        send_photo(page, photo)
    page.goto(server.url("/rules/golden-games"))
    with leaving(page):
        page.get_by_role("link", name="Copy and change").click()
    with leaving(page):
        page.get_by_role("button", name="Save these rules").click()
    return {"game": game, "own": page.url.split("/rules/")[1].split("/")[0]}


def _teach(data: Path) -> None:
    """A deck of which two jokers were taught, and one of which a photo was taken."""
    decks = TaughtDecks(data, shared_decoder().decode)
    decks.add("Taught", "standard", pictures(STANDARD_FACES[:20]))
    decks.add("Jokers", "standard")
    photo, lessons = jokers_photo(3, 2, 0), Lessons(decks)
    frame = decode_photo(file_of(photo), "jokers.jpg")

    def find(path: Path, frame: Frame) -> LookedAt:
        return look_at(frame, KnowingReader().read)

    shown = lessons.look_at("jokers", frame, file_of(photo), find, ())
    lessons.add("jokers", [shown] if shown else [], find)


def _shots(browser: Any, server: Server, size: str, theme: str, played: dict[str, str]) -> Iterator[_Shot]:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, is_mobile=size == "phone"
    )
    page = context.new_page()
    note_requests(page, [])
    for name, path in PAGES.items():
        answer = page.goto(server.url(path.format(**played)))
        settle(page)
        if answer.status != 200:
            raise SystemExit(f"{path} answers {answer.status}")
        tall = min(page.evaluate("document.documentElement.scrollHeight"), _TALLEST[size])
        page.set_viewport_size({"width": width, "height": max(tall, height)})
        yield _Shot(name, page.screenshot())
        page.set_viewport_size({"width": width, "height": height})
    context.close()


def _sheet(browser: Any, shots: Sequence[_Shot], size: str, theme: str) -> bytes:
    """The screenshots with their names, as one WebP picture."""
    colours = "#e9e6dc; color: #111" if theme == "light" else "#000; color: #eee"
    figures = "".join(
        f"<figure><figcaption>{html.escape(shot.name)}</figcaption><img width={_SHOWN_WIDTH[size]} src='data:image/png;"
        f"base64,{base64.b64encode(shot.picture).decode()}'></figure>"
        for shot in shots
    )
    page = browser.new_page(viewport={"width": _SHEET_WIDTH, "height": 800})
    page.set_content(
        f"<body style='margin: 16px; font: 16px sans-serif; background: {colours}'>"
        f"<style>figure {{ display: inline-block; vertical-align: top; margin: 0 14px 20px 0 }}</style>{figures}"
    )
    whole = page.screenshot(full_page=True)
    page.close()
    picture = cv2.imdecode(np.frombuffer(whole, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return bytes(cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])[1])


def main() -> None:
    """Takes them and writes one picture a size and theme."""
    from playwright.sync_api import sync_playwright

    arguments = _arguments()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as driver:
        data = Path(work) / "data"
        store = Store(data)
        fill(store, 3)
        evening = begin(store)
        seat(store, evening, 1)
        play_stage(store, evening, 1, lambda name, round: 100 * round + 7 * ord(name[0]) % 90)
        store.close()
        server = Server(data, "shipped", str(SAMPLES))
        try:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            note_requests(page, [])
            played = _play(page, server)
            _teach(data)
            for size in arguments.only:
                for theme in ("light", "dark"):
                    shots = list(_shots(browser, server, size, theme, played))
                    file = arguments.folder / f"pages-{size}-{theme}.webp"
                    file.write_bytes(_sheet(browser, shots, size, theme))
                    print(file)
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
