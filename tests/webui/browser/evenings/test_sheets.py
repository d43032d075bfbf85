"""Draws and score cards on paper, as Chromium prints them: one to a page, in letters that are read at arm's length."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from tests.webui.helpers.browsing import Server, check
from tests.webui.helpers.evenings import begin, play_stage, seat
from webui.storage.store import Store

LONG = "Wilhelmina Bartholomew-Featherstone"
SMALLEST = 12
"""Points."""


def printed(page: Any, paper: str) -> list[tuple[str, float]]:
    """The text of each page, and the height of its smallest capital or digit in points."""
    found = []
    for sheet in pypdfium2.PdfDocument(io.BytesIO(page.pdf(format=paper))):
        text = sheet.get_textpage()
        signs = text.get_text_range(0, text.count_chars())
        boxes = [text.get_charbox(at) for at, sign in enumerate(signs) if sign.isdigit() or sign.isupper()]
        found.append((" ".join(signs.split()), min(top - bottom for _, bottom, _, top in boxes)))
    return found


@pytest.mark.parametrize("paper", ["Letter", "A4"])
def test_one_sheet_to_a_page(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server], paper: str
) -> None:
    store = Store(tmp_path / "data")
    seat(store, begin(store, (f"{LONG} & Bo", *(f"Team {at:02}" for at in range(23)))), 1)
    people = (f"{LONG}, man", *(f"P{at}, {'woman' if at % 2 else 'man'}" for at in range(8)))
    event_id = begin(store, people, "tournament-play")
    for stage in range(1, 5):
        seat(store, event_id, stage)
        play_stage(store, event_id, stage, lambda name, round: -10000 - 100 * len(name) - round * ord(name[-1]))
    store.close()
    server, page = serve("drawn"), visit("desk")
    for path, count, first in (
        ("/evening/1/1/draw", 2 + 1, "Game 1"),
        ("/evening/1/score-cards", 24, ""),
        ("/evening/2/score-cards", 9, ""),
    ):
        page.goto(server.url(path))
        sheets = printed(page, paper)
        assert len(sheets) == count, f"{path}: a sheet takes more than its page"
        for text, smallest in sheets:
            assert text.startswith(first)
            assert smallest > SMALLEST * 0.68, f"{path}: letters too small to read at arm's length"


@pytest.mark.parametrize(("size", "colours"), [("desk", "dark"), ("small-phone", "light")])
def test_sheets_are_accessible(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server], size: str, colours: str
) -> None:
    store = Store(tmp_path / "data")
    event_id = begin(store, (f"{LONG} & Bo", *(f"Team {at:02}" for at in range(4))))
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda _, round: 1000 + round)
    store.close()
    server, page = serve("drawn"), visit(size, color_scheme=colours)
    for path in ("/evening/1/1/draw", "/evening/1/score-cards"):
        page.goto(server.url(path))
        check(page)
