"""What one word means in a deck: ``8``, ``10h``, ``kings``, ``red 3``."""

from __future__ import annotations

from typing import NamedTuple

from scorer.deck import DeckProfile
from scorer.faces import SUITS, Face

_SUIT_SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WORDS = {
    **{"ace": "A", "king": "K", "queen": "Q", "jack": "J", "t": "10", "deuce": "2", "jk": "JK", "joker": "JK"},
    **{word: str(number) for number, word in enumerate(NUMBERS, 2)},
}
_PLURALS = {"sixes": "six"}
_FEWEST_LETTERS = 3
_LONGEST_SHORT = 2
"""The longest rank to which a suit is put without more: ``10h``; ``kings`` are several kings."""


class CardWord(NamedTuple):
    """What a word of one deck means.

    ``suit`` and ``color`` are empty where it says none. ``several``: it is a plural. ``in_full``: it is the name of one
    card, such as ``king`` or ``red 3``.
    """

    text: str
    rank: str
    suit: str = ""
    color: str = ""
    several: bool = False
    in_full: bool = False

    @property
    def may_be_several(self) -> bool:
        """Whether it is a card of spades that may be meant as a plural: ``4s``."""
        return self.suit == "S" and self.text[-1] in "sS"


class CardWords:
    """The words for the cards of a deck."""

    def __init__(self, deck: DeckProfile) -> None:
        self._deck = deck
        self._spoken = _spoken_names(deck)
        self.names = _names(deck)
        self._plurals = {name.lower(): rank for rank, name in deck.plurals.items()}

    def meaning(self, text: str) -> CardWord | None:
        """What a word means by itself; None if it is no card of this deck."""
        if rank := self._spoken.get(spoken := as_typed(text).lower()):
            return CardWord(text, rank, several=spoken.endswith("s"))
        color, name = text.lower().split(":", 1) if ":" in text else ("", text.lower())
        if not color and name not in self.names and (face := self._suited(name)):
            return CardWord(text, face.rank, suit=face.suit)
        if rank := self._rank(name):
            in_full = bool(color) or (len(name) >= _FEWEST_LETTERS and name not in NUMBERS)
            return CardWord(text, rank, color=color, in_full=in_full)
        singular = _PLURALS.get(name, name[:-1]) if name.endswith("s") else ""
        rank = self._plurals.get(name) or self._rank(singular)
        return CardWord(text, rank, color=color, several=True) if rank else None

    def _rank(self, name: str) -> str | None:
        """The rank of a name in small letters: ``8``, ``t``, ``queen``, ``lad`` for a lady; None if it is none."""
        if name in self.names:
            return self.names[name]
        if len(name) < _FEWEST_LETTERS:
            return None
        begun = {rank for known, rank in self.names.items() if len(rank) > 1 and known.startswith(name)}
        return begun.pop() if len(begun) == 1 else None

    def _suited(self, name: str) -> Face | None:
        """The face of a name that ends with a suit: ``10h``, ``10♥``, ``queen♥``."""
        spelled, suit = name[:-1], name[-1:]
        short = suit.upper() in SUITS and len(spelled) <= _LONGEST_SHORT
        rank = self._rank(spelled) if short or suit in _SUIT_SIGNS else None
        face = Face(rank, _SUIT_SIGNS.get(suit, suit.upper())) if rank else None
        return face if face in self._deck.copies else None


def as_typed(word: str) -> str:
    """A word as it was typed: ``red 3``."""
    return word.replace(":", " ")


def _names(deck: DeckProfile) -> dict[str, str]:
    """The rank of each name of a card, in small letters."""
    names = {rank.lower(): rank for rank in deck.ranks}
    jokers = [rank for rank in deck.ranks if rank in ("JK", "JOKER")]
    for word, rank in WORDS.items():
        known = jokers[0] if rank == "JK" and jokers else rank
        if known in deck.ranks:
            names.setdefault(word, known)
    return names


def _spoken_names(deck: DeckProfile) -> dict[str, str]:
    """The rank of each name of several words, such as ``red 3``, and of its plural, in small letters."""
    names = {name.lower(): rank for rank, name in deck.names.items() if " " in name}
    return names | {deck.plural(rank).lower(): rank for rank in names.values()}
