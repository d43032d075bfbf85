"""Counts an evening of teams from its database alone: ``python -m tests.webui.helpers.count_evening FILE EVENT``.

Nothing of the program is used, so that its standings can be held against this. Only rounds that were agreed are in the
file as sheets, the last of a round counts, and the points are those that were typed. Rounds with photos have to be
counted by hand.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

_SHEETS = """SELECT g.event_stage, g.event_table, r.number, g.sides, s.sheet FROM sheets s
  JOIN rounds r ON r.id = s.round_id JOIN games g ON g.id = r.game_id
  WHERE g.event_id = %s AND (g.state IS NULL OR g.state <> 'removed') ORDER BY s.id"""

ByHand = Mapping[tuple[int, int, int], tuple[int, int]]
"""The points of both sides by game, table and round, for rounds with photos."""


def count(database: Path | str, event_id: int, by_hand: ByHand) -> dict[str, int]:
    """Each team's points, most first; the database is a file of SQLite, or the address of one of PostgreSQL."""
    rounds = {}
    for game, table, number, sides, sheet in _rows(database, event_id):
        rounds[game, table, number] = [one["name"] for one in _document(sides)], _document(sheet)
    sums = Counter[str]()
    for place, (names, sheet) in rounds.items():
        typed = [side.get("typed") for side in sheet["sides"]]
        points = by_hand[place] if place in by_hand else [one["total"] for one in typed]
        assert place not in by_hand or typed == [None, None], f"{place} was typed"
        for name, of in zip(names, points, strict=True):
            sums[name] += of
    return dict(sums.most_common())


def _rows(database: Path | str, event_id: int) -> list[Any]:
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute(_SHEETS.replace("%s", "?"), (event_id,)).fetchall()
    import psycopg

    with psycopg.connect(database) as server:
        return server.execute(_SHEETS.encode(), (event_id,)).fetchall()


def _document(stored: Any) -> Any:
    return json.loads(stored) if isinstance(stored, str) else stored


if __name__ == "__main__":
    for team, points in count(Path(sys.argv[1]), int(sys.argv[2]), {}).items():
        print(f"{points:>8}  {team}")
