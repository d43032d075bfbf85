"""Names of older games in one spelling: a person who was two is one afterwards, and two of one game stay two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from tests.webui.storage.db.test_migrations import engine_of
from webui.storage.db import connect
from webui.storage.db.engines import for_writing
from webui.storage.records import SideRecord
from webui.storage.store import Store

DECOMPOSED, JOINED = "Jose\u0301", "Ann\u200d"


def side(*players: str, name: str | None = None) -> dict[str, Any]:
    return {"name": name or " & ".join(players), "players": list(players)}


def of_version_7(folder: Path, address: str | None, *games: tuple[list[dict[str, Any]], str | None]) -> None:
    """A database as it was before, with games of these sides and who plays first, each with its log."""
    engine = engine_of(folder, address)
    config = Config()
    config.set_main_option("script_location", str(connect._MIGRATIONS))
    with for_writing(engine).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0007")
        for number, (sides, first) in enumerate(games, 1):
            held = {"id": number, "sides": json.dumps(sides), "first": first, "mark": f"m{number}"}
            connection.execute(
                text(
                    "INSERT INTO games (id, created_at, rules, players, sides, first, mark)"
                    " VALUES (:id, '2026-01-02', 'golden-games', 4, :sides, :first, :mark)"
                ),
                held,
            )
            begun = {"rules": "golden-games", "sides": sides, "first": None}
            for what, before, after in (("begun", None, begun), ("first", {"first": None}, {"first": first})):
                connection.execute(
                    text(
                        "INSERT INTO log (game_id, what, before, after, made_at)"
                        " VALUES (:game, :what, :before, :after, '2026-01-02')"
                    ),
                    {
                        "game": number,
                        "what": what,
                        "before": json.dumps(before) if before else None,
                        "after": json.dumps(after),
                    },
                )
    engine.dispose()


def test_two_spellings_of_one_person_become_one(tmp_path: Path, address: str | None) -> None:
    sides = [side(DECOMPOSED, JOINED), side("Cy", "Di", name="Them")]
    of_version_7(tmp_path, address, (sides, JOINED), ([side("José", "Ann"), side("Cy", "Di", name="Them")], None))
    store = Store(tmp_path, address)
    older, newer = store.game(1), store.game(2)
    assert older is not None and newer is not None
    assert older.sides == newer.sides == (SideRecord("José & Ann", ("José", "Ann")), SideRecord("Them", ("Cy", "Di")))
    assert older.first == "Ann", "who plays first keeps the seat"
    begun, first = store.log(1)
    assert begun.after is not None and begun.after["sides"][0]["players"] == ["José", "Ann"]
    assert begun.before is None and (first.before, first.after) == ({"first": None}, {"first": "Ann"})
    store.close()


def test_two_people_of_one_game_stay_two(tmp_path: Path) -> None:
    of_version_7(tmp_path, None, ([side(DECOMPOSED), side("José"), side("\u200d")], "José"))
    store = Store(tmp_path)
    game = store.game(1)
    assert game is not None
    assert [held.name for held in game.sides] == ["José", "José 2", "Team 3"] and game.first == "José 2"
    assert game.sides[1].players == ("José 2",)
    store.close()


def test_unnamed_seats_and_plain_names_are_left_alone(tmp_path: Path) -> None:
    sides = [side("Player 1", "Player 2", name="North–South"), side("Player 1", "Player 2", name="East–West")]
    of_version_7(tmp_path, None, (sides, None))
    store = Store(tmp_path)
    game = store.game(1)
    assert game is not None and [list(held.players) for held in game.sides] == [["Player 1", "Player 2"]] * 2
    store.close()
