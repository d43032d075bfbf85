"""What agreed rounds taught the table, in a real browser: told on the deck's page, and forgotten after a question."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.game_pages import all_agree, begin_round, send_photo


def test_an_agreed_round_is_learned_from_and_forgotten(
    visit: Callable[..., Any], serve: Callable[[str], Server], tmp_path: Path
) -> None:
    server, page = serve("seeing"), visit("small-phone")
    page.goto(server.url("/decks/standard/rounds"))
    expect(page.get_by_text("This table has not learned from any round with these cards yet.")).to_be_visible()
    check(page)
    begin_round(page, server)
    for side, table in enumerate((NORTH_TABLE, EAST_TABLE)):
        path = tmp_path / "table.jpg"
        path.write_bytes(photo(table))
        page.goto(server.url(f"/game/1/round/1/side/{side}/"))
        send_photo(page, path)
    page.goto(server.url("/game/1/round/1/check"))
    all_agree(page)

    page.goto(server.url("/decks/"))
    with leaving(page):
        page.get_by_role("link", name=re.compile("learned.*Standard cards")).click()
    expect(page.get_by_text("This table has learned from 1 round.")).to_be_visible()
    expect(page.get_by_text("It has seen enough of: ")).to_contain_text("8s")
    expect(page.get_by_text("In the last round it asked about: ")).to_be_visible()
    check(page)
    page.get_by_text("Forget", exact=True).nth(0).click()
    expect(page.get_by_text("Forget what this round taught?")).to_be_visible()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Forget this round").click()
    expect(page.get_by_text("The round is forgotten.")).to_be_visible()
    expect(page.get_by_text("This table has not learned from any round with these cards yet.")).to_be_visible()
    page.goto(server.url("/game/1/round/1/check"))
    expect(page.get_by_text("Agreed").first).to_be_visible()
    page.goto(server.url("/decks/standard/rounds"))
    expect(page.get_by_role("link", name="round 1")).to_have_count(0)
