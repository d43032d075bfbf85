"""The score pad on paper, as Chromium prints it: nothing is cut off, runs into its neighbour or is made smaller."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest

from tests.webui.helpers.browsing import Server
from tests.webui.helpers.played_games import play_round
from webui.storage.records import SideRecord
from webui.storage.store import Store

WIDE = 24
PAPER = {"Letter": (612, 792), "A4": (595, 842)}
MARGIN = 30
"""Points at each edge that stay empty; printers cannot print there."""
TABLES = ((2, 1), (6, 1), (6, 3), (9, 1), (12, 1), (12, 3))
"""Numbers of players at a table and on each side."""
PADS = (
    ("golden-games", 2, 2),
    ("tournament-play", 2, 2),
    ("cutting-22", 2, 3),
    ("cutting-22", 3, 2),
    ("cutting-22", 4, 1),
    ("cutting-22", 5, 1),
    ("cutting-22", 6, 1),
)
"""Rules, numbers of sides and of players on each."""
_LETTERS = "BCDEGHKMOQSW"


def wide_name(player: int) -> str:
    """A name of wide letters without a place to break it."""
    return _LETTERS[player] * WIDE


def sides_of(players: int, seats: int) -> list[SideRecord]:
    names = [wide_name(player) for player in range(players)]
    return [SideRecord(names[at], tuple(names[at : at + seats])) for at in range(0, players, seats)]


def play(store: Store, sides: list[SideRecord]) -> int:
    """A game of two agreed rounds; its id."""
    game_id = store.add_game("cutting-22", sum(len(side.players) for side in sides), sides)
    for number in (1, 2):
        play_round(store, game_id, number, random.Random(number))
    return game_id


def test_every_column_is_printed_whole(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    games = {play(store, sides): sides for sides in (sides_of(*table) for table in TABLES)}
    store.close()
    server, page = serve("drawn"), visit("desk")
    for game_id, sides in games.items():
        page.goto(server.url(f"/game/{game_id}/pad"))
        totals = [text for text in page.locator(".running td").all_inner_texts() if text]
        assert len(totals) == 2 * len(sides)
        for paper, size in PAPER.items():
            check_pdf(page.pdf(format=paper), size, [side.name for side in sides], totals)


def test_one_page_holds_up_to_eight_rounds_of_two_to_six_sides(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    store = Store(tmp_path / "data")
    games: dict[int, tuple[str, int, int]] = {}
    for rules, sides, seats in PADS:
        people = [f"{name} Smith" for name in ("Annabelle", "Bo", "Charlotte", "Di", "Evangeline", "Fred")]
        pairs = [tuple(people[at * seats : (at + 1) * seats]) for at in range(sides)]
        for rounds in (1, 8):
            game_id = store.add_game(rules, sides * seats, [SideRecord(" & ".join(pair), pair) for pair in pairs])
            for number in range(1, rounds + 1):
                play_round(store, game_id, number, random.Random(number))
            games[game_id] = rules, sides, rounds
    store.close()
    server, page = serve("drawn"), visit("desk")
    for game_id, told in games.items():
        page.goto(server.url(f"/game/{game_id}/pad"))
        totals = [text for text in page.locator(".running td").all_inner_texts() if text]
        assert len(totals) == told[1] * told[2]
        for paper, size in PAPER.items():
            data = page.pdf(format=paper)
            assert len(pypdfium2.PdfDocument(io.BytesIO(data))) == 1, f"{told} takes more than a page of {paper}"
            check_pdf(data, size, [], totals, "0123456789,−")  # "To" is kerned


def check_pdf(data: bytes, size: tuple[int, int], names: list[str], totals: list[str], apart: str = "") -> None:
    """Nothing is cut off or missing, and no signs run into each other; of ``apart`` alone where it names some."""
    text = ""
    for page in pypdfium2.PdfDocument(io.BytesIO(data)):
        assert page.get_size() == pytest.approx(size, abs=1)
        printed = page.get_textpage()
        signs = printed.get_text_range(0, printed.count_chars())
        shown = [(sign, printed.get_charbox(index)) for index, sign in enumerate(signs) if sign.strip()]
        text += "".join(sign for sign, _ in shown)
        left, bottom, right, top = np.array([box for _, box in shown]).T
        assert left.min() >= MARGIN and right.max() <= size[0] - MARGIN, "cut off at the side"
        assert bottom.min() >= MARGIN and top.max() <= size[1] - MARGIN, "cut off at the top or bottom"
        left, bottom, right, top = np.array([box for sign, box in shown if not apart or sign in apart]).T
        width = np.minimum.outer(right, right) - np.maximum.outer(left, left)
        height = np.minimum.outer(top, top) - np.maximum.outer(bottom, bottom)
        one, other = np.nonzero(np.triu((width > 1) & (height > 1), 1))
        assert not len(one), [(shown[a], shown[b]) for a, b in zip(one[:3], other[:3], strict=True)]
    for name in names:
        assert text.count(name[0]) >= WIDE, f"{name} is not there"
    for total in totals:
        assert total in text, total
