"""Texts for people: names of cards, doubts as sentences, counts, dates."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime

from scorer.faces import Face
from vision.doubts import Doubt

_RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NAMED = {"JK": "joker"}

_CARD_DOUBTS: dict[str, str] = {
    Doubt.LOW_CONFIDENCE: "The reader is not sure of this card.",
    Doubt.ODD_ONE_OUT: "This card does not fit the others beside it.",
    Doubt.TOO_MANY_COPIES: "There are more of this card than the deck has.",
    Doubt.DECIDED_BY_RULES: "The reader was not sure of this card; the cards beside it decided.",
    Doubt.LOOKS_DIFFER: "This card was read differently in different pictures.",
    Doubt.PERHAPS_ANOTHER: "Beside this card another may lie that was not read.",
}
_GROUP_DOUBTS: dict[str, str] = {
    Doubt.COUNT_THE_PILE: "Only the top card can be seen. Please say how many cards lie here and how many are wild.",
    Doubt.IN_NO_MELD: "These cards lie in no meld and do not count yet. Say where each one belongs.",
    Doubt.ODD_ONE_OUT: "One of these cards does not fit the others.",
}


def name_of(face: Face) -> str:
    """``8 of hearts``, ``joker``, ``lady``."""
    if face.suit:
        return f"{_RANKS.get(face.rank, face.rank)} of {_SUITS[face.suit]}"
    return _NAMED.get(face.rank, face.rank.lower())


def short_name(face: Face) -> str:
    """``8♥`` or the card's name, as it fits on a small picture of it."""
    return face.rank + _SIGNS[face.suit] if face.suit else name_of(face).capitalize()


def sign(face: Face) -> str:
    """The suit's symbol; a star for a card without a suit."""
    return _SIGNS.get(face.suit, "★")


def card_doubt(code: str) -> str:
    """The sentence for a doubt about a card; an unknown code gets a general one."""
    return _CARD_DOUBTS.get(code, f"Please look at this card ({code.replace('-', ' ')}).")


def group_doubt(code: str) -> str:
    """The sentence for a doubt about a group; an unknown code gets a general one."""
    return _GROUP_DOUBTS.get(code, f"Please look at this group ({code.replace('-', ' ')}).")


def nonbreaking_reason(reason: str) -> str:
    """A tally line's reason for display: ``7 × 10`` does not wrap, and a minus sign is used for minus."""
    return reason.replace("× -", "× −").replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def count_text(number: int, one: str, many: str | None = None) -> str:
    """``1 card``, ``3 cards``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(parts: Iterable[str]) -> str:
    """``1``, ``1 and 2``, ``1, 2 and 3``."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


MAX_NAME = 40
_INVISIBLE = ("Cc", "Cf", "Cs")
"""Unicode categories: control, format, surrogate."""
_JOINERS = "\u200c\u200d"
"""Format characters that some scripts and emoji need."""


def tidy(name: str) -> str:
    """A typed name without extra spaces and invisible characters, cut to ``MAX_NAME`` characters."""
    visible = (
        sign for sign in " ".join(name.split()) if unicodedata.category(sign) not in _INVISIBLE or sign in _JOINERS
    )
    return "".join(visible).strip()[:MAX_NAME]


def left_out_text(photos: int) -> str:
    """The sentence about photos that were not imported with their games."""
    were = "1 photo was" if photos == 1 else f"{photos} photos were"
    return f"{were} left out, being damaged or no photo; the cards and the points are there all the same"


def local_day(stamp: str) -> str:
    """The local day of an ISO time: ``Sat 21 Nov 2026``; a text that is no time stays as it is."""
    return _local(stamp, "%a %d %b %Y")


def local_time(stamp: str) -> str:
    """The local day and time of an ISO time: ``21 Nov 2026, 15:04``."""
    return _local(stamp, "%d %b %Y, %H:%M")


def _local(stamp: str, pattern: str) -> str:
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime(pattern)
    except ValueError:
        return stamp
