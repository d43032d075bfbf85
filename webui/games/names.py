"""Names of sides and players: which are only placeholders, what is wrong with them, and how a game is renamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from webui.storage.db.row_mapping import side_documents
from webui.storage.records import GameRecord, SideRecord

PAIR_NAMES = ("North–South", "East–West")
_MAX_PEOPLE = 24


def is_placeholder(name: str) -> bool:
    """Whether a player's name is one that the page gives when nobody types any."""
    return name.startswith(("Player ", "Team ")) or any(name in pair.split("–") for pair in PAIR_NAMES)


def name_error(sides: Iterable[SideRecord]) -> str | None:
    """What is wrong with the names of sides and players, in one sentence; None if nothing is."""
    sides = tuple(sides)
    if len({side.name.casefold() for side in sides}) < len(sides):
        return "Two sides have the same name; give each its own so that nobody's points get mixed up."
    names = [player for side in sides for player in side.players if not is_placeholder(player)]
    uses = Counter(name.casefold() for name in names)
    if twice := [name for name in names if uses[name.casefold()] > 1]:
        return f"{twice[0]} is named twice; give each player an own name, such as with a letter of the family name."
    return None


def known_people(games: Iterable[GameRecord]) -> list[str]:
    """Names of people who played before, most frequent first; placeholders are left out."""
    uses: Counter[str] = Counter()
    for game in games:
        uses.update(player for side in game.sides for player in side.players if not is_placeholder(player))
    return [name for name, _ in uses.most_common(_MAX_PEOPLE)]


def rename_changes(game: GameRecord, sides: Sequence[SideRecord]) -> dict[str, Any]:
    """The columns of a game that change with new names; the starting player keeps the seat and gets its new name."""
    changes: dict[str, Any] = {"sides": side_documents(sides)}
    for before, after in zip(game.sides, sides, strict=True):
        if game.first in before.players:
            changes["first"] = after.players[before.players.index(game.first)]
    return changes
