"""Cards, groups and doubts in the words of people at a table."""

from __future__ import annotations

import unicodedata
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


MAX_NAME = 40
_UNSEEN = ("Cc", "Cf", "Cs")
_JOINERS = "\u200c\u200d"  # without which some scripts, and some faces, fall apart


def tidy(name: str) -> str:
    """A name as it was typed, without needless spaces, without signs that nobody sees, and not too long."""
    seen = (sign for sign in " ".join(name.split()) if unicodedata.category(sign) not in _UNSEEN or sign in _JOINERS)
    return "".join(seen).strip()[:MAX_NAME]


def left_out(photos: int) -> str:
    """What is said of photos that did not come in with their games."""
    were = "1 photo was" if photos == 1 else f"{photos} photos were"
    return f"{were} left out, being damaged or no photo; the cards and the points are there all the same"


def day(stamp: str) -> str:
    """The day of a kept time as this machine's people know it: ``Sat 21 Nov 2026``; what is no time stays as it is."""
    return _local(stamp, "%a %d %b %Y")


def moment(stamp: str) -> str:
    """A kept time with its day: ``21 Nov 2026, 15:04``."""
    return _local(stamp, "%d %b %Y, %H:%M")


def _local(stamp: str, form: str) -> str:
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime(form)
    except ValueError:
        return stamp
