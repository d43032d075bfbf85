"""Cards, groups and doubts in the words of people at a table."""

from __future__ import annotations

from scorer.faces import Face

_RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NAMED = {"JK": "joker"}

_CARD_DOUBTS = {
    "low-confidence": "The reader is not sure of this card.",
    "odd-one-out": "This card does not fit the others beside it.",
    "half-hidden": "Most of this card is hidden.",
    "too-many-copies": "There are more of this card than the deck has.",
    "decided-by-rules": "The reader was not sure of this card; the cards beside it decided.",
    "looks-differ": "This card was read differently in different pictures.",
}
_GROUP_DOUBTS = {
    "count-the-pile": "Only the top card can be seen. Please say how many cards lie here and how many are wild.",
    "in-no-meld": "These cards lie in no meld and do not count yet. Say where each one belongs.",
    "odd-one-out": "One of these cards does not fit the others.",
    "low-confidence": "The reader is not sure that these belong together.",
    "half-hidden": "Some of these cards are mostly hidden.",
    "too-many-copies": "There are more of one card here than the deck has.",
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
    """The suit's sign, a star for a card without one."""
    return _SIGNS.get(face.suit, "★")


def card_doubt(code: str) -> str:
    """The doubt about a card in one sentence; a code not known here still says something."""
    return _CARD_DOUBTS.get(code, f"Please look at this card ({code.replace('-', ' ')}).")


def group_doubt(code: str) -> str:
    """The doubt about a group in one sentence; a code not known here still says something."""
    return _GROUP_DOUBTS.get(code, f"Please look at this group ({code.replace('-', ' ')}).")


def unbroken(reason: str) -> str:
    """A tally line's reason as it is printed: ``7 × 10`` stays on one line, and minus is a minus."""
    return reason.replace("× -", "× −").replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 card``, ``3 cards``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
