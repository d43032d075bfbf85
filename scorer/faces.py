"""Card faces: rank and suit, as text and as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class FaceError(ValueError):
    """A text is not a card; the message says what was expected and what came."""


@dataclass(frozen=True, order=True, slots=True)
class Face:
    """The printed face of one card: a rank and a suit, or a named card without a suit (``JK``, ``LADY``, ``7``)."""

    rank: str
    suit: str = ""

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def shown(self) -> str:
        """How sentences for people name the card: ``5♦``, ``joker``, ``lady``."""
        return self.rank + _SIGNS[self.suit] if self.suit else "joker" if self.rank == "JK" else self.rank.lower()

    @property
    def is_red(self) -> bool:
        return self.suit in ("D", "H")

    @classmethod
    def parse(cls, text: str) -> Face:
        """Parses ``8H``, ``10C``, ``JK``, or a named card such as ``LADY`` or ``7`` of a deck without suits.

        Does not check that any deck has the face.

        >>> Face.parse("10h"), Face.parse("JK").shown
        (Face(rank='10', suit='H'), 'joker')

        Raises:
            FaceError: the text is empty or contains anything but letters and digits.
        """
        name = text.strip().upper()
        if not name or not name.isalnum():
            raise FaceError(f"expected a card such as 8H, 10C or JK, got {text!r}")
        if name[-1] in SUITS and name[:-1] in RANKS:
            return cls(name[:-1], name[-1])
        return cls(name)


JOKER = Face("JK")
STANDARD_FACES = (*(Face(rank, suit) for suit in SUITS for rank in RANKS), JOKER)


def is_picture_card(face: Face) -> bool:
    """Whether a face is a joker or a picture card, and not a number or a court card with a suit or without."""
    plain = face.rank.removeprefix(face.rank[:1]) if face.rank[:1] in ("R", "B") else face.rank
    return not face.suit and face.rank not in RANKS and plain not in RANKS and not face.rank.isdigit()


def wilds_in_run(cards: Sequence[Face], order: Sequence[str], is_wild: Callable[[Face], bool]) -> int | None:
    """The fewest cards that stand for others where cards are a run of one suit; None where they are none.

    Args:
        cards: the cards, in any order.
        order: the ranks that follow each other; an ace may stand at both ends.
        is_wild: whether a card may stand for another; where its own rank and suit are called for, it stands for itself.

    >>> cards = [Face.parse(text) for text in ("5H", "JK", "7H")]
    >>> wilds_in_run(cards, RANKS, lambda card: card == JOKER)
    1
    """
    naturals = [card for card in cards if not is_wild(card)]
    suits = {card.suit for card in naturals}
    if len(suits) != 1 or "" in suits:
        return None
    wild_ranks = Counter(card.rank for card in cards if is_wild(card) and card.suit in suits)
    found = []
    for start in range(len(order) - len(cards) + 1):
        gaps = Counter(order[start : start + len(cards)])
        gaps.subtract(card.rank for card in naturals)
        if min(gaps.values()) >= 0:
            found.append(sum(gaps.values()) - sum(min(gaps[rank], number) for rank, number in wild_ranks.items()))
    return min(found, default=None)
