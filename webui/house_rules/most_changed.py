"""Which fields of a rule set people change most: eight of them, picked by what the rule set says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_RED_THREES = frozenset({"red 3", "3", "3D", "3H"})


@dataclass(frozen=True, slots=True)
class MostChanged:
    """One of the eight: what it is called, and the form fields it is made of with what each is called there."""

    label: str
    fields: dict[str, str]


def most_changed(data: Mapping[str, Any]) -> tuple[MostChanged, ...]:
    """The eight that come first in the form.

    Args:
        data: the data of a rule set, possibly invalid.
    """
    return tuple(MostChanged(label, fields) for label, fields in _eight(data))


def _eight(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    first_meld, going_out, rounds = (_part(data, key) for key in ("first_meld", "going_out", "rounds"))
    if first_meld.get("by_score"):
        yield "Points for the first meld", {"first_meld.by_score": "Points for the first meld, by your side's total"}
    else:
        yield "Points for the first meld", {"first_meld.by_round": "Points for the first meld, round by round"}
    yield "Books you need to go out", _books_needed(going_out)
    yield "What a book is worth", {"books.clean": "A clean book", "books.dirty": "A dirty book"}
    ending = "by_round" if going_out.get("by_round") else "points"
    yield "Going out", {f"going_out.{ending}": "Points for going out" + ", round by round" * (ending == "by_round")}
    yield _special_cards(data)
    yield "Cards for each player", {"hand_cards": "In the hand, round by round", "foot_cards": "In the foot"}
    if data.get("target"):
        yield "How long a game is", {"target": "Points that end the game"}
    else:
        yield "How long a game is", _rounds(rounds)
    yield "Wild cards", {"melds.most_wilds": "Most wild cards in a meld or dirty book"}


def _part(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = data.get(key)
    return part if isinstance(part, Mapping) else {}


def _books_needed(going_out: Mapping[str, Any]) -> dict[str, str]:
    """Clean and dirty ones, or those of any kind where these rules count them so."""
    entries = going_out.get("books")
    first = entries[0] if isinstance(entries, list) and entries and isinstance(entries[0], Mapping) else {}
    if first.get("all") and not (first.get("clean") or first.get("dirty")):
        return {"going_out.books[0].all": "Books of any kind"}
    return {"going_out.books[0].clean": "Clean books", "going_out.books[0].dirty": "Dirty books"}


def _special_cards(data: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Red threes; where the deck has none, the cards that cost most if left over."""
    listed = data.get("points")
    entries = [entry if isinstance(entry, Mapping) else {} for entry in listed] if isinstance(listed, list) else []
    cards = [list(entry.get("cards") or ()) for entry in entries]
    threes = [at for at, names in enumerate(cards) if _RED_THREES.intersection(map(str, names))]
    red = threes[0] if threes and data.get("deck") == "standard" else None
    left = [value if isinstance(value := entry.get("left"), int) else 0 for entry in entries]
    at = red if red is not None else left.index(min(left)) if left else 0
    names = ["red 3s"] if red is not None else [str(name).lower() for name in cards[at]] if cards else []
    which = ", ".join(names) or "special cards"
    return f"{which[:1].upper()}{which[1:]}", {
        f"points[{at}].played": "Points for each on the table",
        f"points[{at}].left": "Points for each left over, with a minus sign",
    }


def _rounds(rounds: Mapping[str, Any]) -> dict[str, str]:
    """What the number of rounds is made of."""
    words = {
        "fixed": "Rounds in a game",
        "per_player": "Rounds for each player",
        "by_players": "Rounds by number of players",
    }
    used = [key for key in words if rounds.get(key)] or ["fixed"]
    return {f"rounds.{key}": words[key] for key in used}
