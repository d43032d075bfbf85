"""The league in a browser: accessible at every size, printed whole."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from tests.webui.helpers.browsing import Server, check, leaving
from tests.webui.helpers.evenings import begin, play_stage, seat
from webui.storage.store import Store

PEOPLE = tuple(f"{'Wilhelmina Bartholomew' if not n else f'P{n:02}'}, {'woman' if n % 2 else 'man'}" for n in range(18))


@pytest.mark.parametrize(("size", "colours"), [("desk", "dark"), ("small-phone", "light")])
def test_the_league_and_a_person_of_it(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server], size: str, colours: str
) -> None:
    store = Store(tmp_path / "data")
    event_id = begin(store, PEOPLE, "tournament-play", stages=2)
    for stage in (1, 2):
        seat(store, event_id, stage)
        play_stage(store, event_id, stage, lambda name, round: 100 * len(name) + round * ord(name[-1]))
    store.people.join("P3", "P03")
    store.close()
    server, page = serve("drawn"), visit(size, color_scheme=colours)
    page.goto(server.url("/players/"))
    with leaving(page):
        page.get_by_role("link", name="League of club evenings").click()
    check(page)
    sheets = pypdfium2.PdfDocument(io.BytesIO(page.pdf(format="Letter")))
    assert len(sheets) == 1, "the table begins below its heading"
    text = "".join(sheet.get_textpage().get_text_range() for sheet in sheets)
    assert all(name.split(",")[0][-3:] in text for name in PEOPLE) and "Save as" not in text
    with leaving(page):
        page.get_by_role("link", name="P03").click()
    page.get_by_text("Is this person in the list twice?").click()
    check(page)
