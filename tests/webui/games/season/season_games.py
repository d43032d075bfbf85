"""Games of a season whose points are worked out by hand: a side has a clean book of 4s, or an open round one ace."""

from __future__ import annotations

import json
from typing import Any

from webui.storage.records import GameRecord, RoundRecord, SideRecord

BOOK, ACE = [["4H"] * 4 + ["4S"] * 3], [["AH"] * 3]
"""golden-games: 700 + 7 x 5 = 735, and 3 x 20 = 60; tanglewood: 500 + 7 x 5 = 535, and 3 x 20 = 60."""


def a_round(rules: str, number: int, *melds: list[list[str]], **more: Any) -> dict[str, Any]:
    """The sheet of a round in which nobody goes out and nothing is left over."""
    return {"rules": rules, "round": number, "sides": [{"melds": held} for held in melds], **more}


def a_game(
    id: int,
    sides: str,
    *rounds: tuple[list[list[str]], ...],
    rules: str = "golden-games",
    state: str | None = "ended",
    day: str = "2026-03-01",
) -> GameRecord:
    """A game of ``Ann,Bo-Cy,Di`` with rounds of melds, a list for each side."""
    players = [tuple(side.split(",")) for side in sides.split("-")]
    count = sum(map(len, players))
    records = tuple(
        RoundRecord(at, at, {}, (), (), json.dumps({**a_round(rules, at, *melds), "players": count}))
        for at, melds in enumerate(rounds, 1)
    )
    seated = tuple(SideRecord(" & ".join(names), names) for names in players)
    return GameRecord(id, f"{day}T12:00:00+00:00", rules, count, seated, records, state)
