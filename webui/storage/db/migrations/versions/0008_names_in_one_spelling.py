"""Names of sides and players as they are kept now: one spelling of what looks the same (``webui.wording.tidy``)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from webui.wording import MAX_NAME, cut, name_key, tidy

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_Sides = list[dict[str, Any]]
_NAMED = ("begun", "sides", "first")
"""The kinds of log entries that hold names; an undo puts them back."""


def upgrade() -> None:
    connection = op.get_bind()
    games = sa.table("games", sa.column("id"), sa.column("sides", sa.JSON), sa.column("first"))
    for id, sides, first in connection.execute(sa.select(games.c.id, games.c.sides, games.c.first)).all():
        after, starts = _renamed(sides), _follow(first, sides)
        if (after, starts) != (sides, first):
            connection.execute(games.update().where(games.c.id == id).values(sides=after, first=starts))
    documents = (sa.column("before", sa.JSON(none_as_null=True)), sa.column("after", sa.JSON(none_as_null=True)))
    log = sa.table("log", sa.column("id"), sa.column("game_id"), sa.column("what"), *documents)
    sides_by_game: dict[int, _Sides] = {}
    entries = sa.select(log).where(log.c.what.in_(_NAMED)).order_by(log.c.id)
    for id, game_id, what, before, after in connection.execute(entries).all():
        known = sides_by_game.get(game_id, [])
        new = {"before": _tidied(before, known), "after": _tidied(after, known)}
        if new != {"before": before, "after": after}:
            connection.execute(log.update().where(log.c.id == id).values(**new))
        if what != "first" and after:
            sides_by_game[game_id] = after["sides"]


def downgrade() -> None:
    """The spellings of before are gone; those of now are names as any."""


def _tidied(document: dict[str, Any] | None, sides: _Sides) -> dict[str, Any] | None:
    """A log entry's document with its names tidied; ``sides`` are those of the game at that time."""
    if not document:
        return document
    here = document.get("sides", sides)
    changed = dict(document)
    if "sides" in document:
        changed["sides"] = _renamed(here)
    if "first" in document:
        changed["first"] = _follow(document["first"], here)
    return changed


def _renamed(sides: _Sides) -> _Sides:
    """Sides with tidy names. Two of one game that only now are the same stay two: the second gets a number."""
    side_names = _all_different([side["name"] for side in sides], "Team")
    seats = [player for side in sides for player in side["players"]]
    players = iter(_all_different(seats, "Player"))
    after = [{**side, "players": [next(players) for _ in side["players"]]} for side in sides]
    for side, name in zip(after, side_names, strict=True):
        side["name"] = name
    return after


def _follow(first: str | None, sides: _Sides) -> str | None:
    """The new name of who plays first, who keeps the seat."""
    before = [player for side in sides for player in side["players"]]
    if first not in before:
        return first
    return str([player for side in _renamed(sides) for player in side["players"]][before.index(first)])


def _all_different(names: list[str], kind: str) -> list[str]:
    """Tidy names. Those that were different stay so."""
    after: list[str] = []
    for place, name in enumerate(names):
        earlier = {name_key(new): old for old, new in zip(names, after, strict=False)}
        wanted = tidy(name) or f"{kind} {place + 1}"
        new, number = wanted, 2
        while earlier.get(name_key(new), name) != name:
            new = f"{cut(wanted, MAX_NAME - 3)} {number}"
            number += 1
        after.append(new)
    return after
