"""Names of sides and players: which are only placeholders, what is wrong with them, and how a game is renamed.

A side is called by its players unless it was given a name of its own. Whose name it is decides ``wording.name_key``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from webui.storage.db.row_mapping import side_documents
from webui.storage.records import GameRecord, SideRecord
from webui.translation import _
from webui.wording import MAX_NAME, cut, name_key, tidy

PAIR_NAMES = ("North–South", "East–West")
_MAX_PEOPLE = 24
_MAX_TEXT = 4000
_BETWEEN_NAMES = re.compile(r"[\n,;&+/]+|\s+and\s+", re.IGNORECASE)
_BETWEEN_SIDES = re.compile(r"(?<!\S)(?:vs\.?|versus|against)(?!\S)", re.IGNORECASE)
_NUMBERED = re.compile(r"(Player|Team) \d+")


def is_placeholder(name: str) -> bool:
    """Whether the name of a player or side is one that the page gives when nobody types any."""
    return bool(_NUMBERED.fullmatch(name)) or any(name in (pair, *pair.split("–")) for pair in PAIR_NAMES)


def sides_in(text: str) -> list[list[str]]:
    """The names in a text, side by side, larger sides first; one list of all of them where it says no sides.

    Names stand one a line, or with commas, ``&``, ``+``, ``/`` or "and" between them; sides with "vs" between them, or
    each on a line that holds several. A text too long for any game is cut.
    """
    parts = _BETWEEN_SIDES.split(text[:_MAX_TEXT])
    sides = _names_of_each(parts)
    if len(sides) == 1:
        lines = _names_of_each(line for part in parts for line in part.splitlines())
        sizes = sorted(map(len, lines))
        if sizes[-1] > 1 and sizes[-1] - sizes[0] <= (len(lines) == 2):
            sides = lines
    return sorted(sides, key=len, reverse=True)


def _names_of_each(parts: Iterable[str]) -> list[list[str]]:
    """The names in each part of a text that holds any."""
    found = ([name for one in _BETWEEN_NAMES.split(part) if (name := tidy(one))] for part in parts)
    return [names for names in found if names]


def called_by(players: Sequence[str]) -> str | None:
    """What a side is called by its players, None where one of them has no name."""
    named = all(player and not is_placeholder(player) for player in players)
    return cut(" & ".join(players), MAX_NAME) if named else None


def has_own_name(side: SideRecord, floats: bool = False) -> bool:
    """Whether a side was given a name, instead of being called by its players or its seats.

    ``floats``: whether its last player is a floater, after whom it is not called.
    """
    called = {called_by(side.players), called_by(_partners(side.players, floats))}
    return not is_placeholder(side.name) and side.name not in called


def _partners(players: Sequence[str], floats: bool) -> Sequence[str]:
    return players[:-1] if floats else players


def renamed_side(side: SideRecord, name: str, players: Sequence[str], floats: bool = False) -> SideRecord:
    """A side under new names.

    Args:
        side: the side under its old names.
        name: its new name; empty, or unchanged where it is no name of its own: it is called by its players.
        players: its players' new names; an empty one stays as it was.
        floats: whether its last player is a floater, after whom it is not called.
    """
    if len(side.players) == 1:
        alone = name or side.name
        return SideRecord(alone, (alone,))
    now = tuple(new or old for new, old in zip(players, side.players, strict=True))
    own = bool(name) and (name != side.name or has_own_name(side, floats))
    return SideRecord(name if own else called_by(_partners(now, floats)) or side.name, now)


def name_error(sides: Iterable[SideRecord]) -> str | None:
    """What is wrong with the names of sides and players, in one sentence; None if nothing is."""
    sides = tuple(sides)
    if len({name_key(side.name) for side in sides}) < len(sides):
        return _("Two sides have the same name. Give each its own so the points don’t get mixed up.")
    names = [player for side in sides for player in side.players if not is_placeholder(player)]
    uses = Counter(map(name_key, names))
    if twice := [name for name in names if uses[name_key(name)] > 1]:
        return _(
            "%(twice)s is in there twice. Give each player a different name, such as with a last initial.",
            twice=twice[0],
        )
    return None


def known_people(games: Iterable[GameRecord], most: int | None = _MAX_PEOPLE) -> list[str]:
    """Names of people who played before, most frequent first; placeholders are left out.

    Args:
        games: the games, newest first; a name is written as in the newest one.
        most: so many names at most; None for all.
    """
    uses: Counter[str] = Counter()
    names: dict[str, str] = {}
    for game in games:
        for player in (player for side in game.sides for player in side.players if not is_placeholder(player)):
            uses[name_key(player)] += 1
            names.setdefault(name_key(player), player)
    return [names[key] for key, _ in uses.most_common(most)]


def rename_changes(game: GameRecord, sides: Sequence[SideRecord]) -> dict[str, Any]:
    """The columns of a game that change with new names; the starting player keeps the seat and gets its new name."""
    changes: dict[str, Any] = {"sides": side_documents(sides)}
    for before, after in zip(game.sides, sides, strict=True):
        if game.first in before.players:
            changes["first"] = after.players[before.players.index(game.first)]
    return changes
