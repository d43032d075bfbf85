"""Cards typed at a stroke, ``8 8 8 2 jk`` or ``7x8, 2 jokers``, as faces of the deck."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from scorer.deck import DeckProfile
from scorer.faces import SUITS, Face
from scorer.rules import RuleSet
from webui.translation import _

MAX_CARDS = 200
"""The most cards typed in one field."""
_MAX_LETTERS = 4000
_SIGNS = str.maketrans(
    {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s", "×": "x", "*": "x"}
)
_IGNORED = re.compile("[\ufe0e\ufe0f\u200b-\u200d]")
_BLANKS_OF_SUIT = re.compile(r"\s+(?=[♣♦♥♠♧♢♡♤])")
_OF_SUIT = re.compile(r"\s+of\s+(club|diamond|heart|spade)s?\b", re.IGNORECASE)
_TIMES = re.compile(r"\b(\d+)\s*x\s+(?=\S)|\b(\d+)\s+x(?=\d)", re.IGNORECASE)
_COLOURED = re.compile(r"(\b(\d+\s*x\s*)|\b)(red|black)\s+(?=\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;.+/&|]+|[,;.+/&|]")
_PARTS = frozenset(",;.+/&|") | {"and"}
"""What parts the words before it from those after it."""
_COUNTED = re.compile(r"(\d+)x(.+)", re.IGNORECASE)
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = {
    **{"ace": "A", "king": "K", "queen": "Q", "jack": "J", "t": "10", "deuce": "2", "jk": "JK", "joker": "JK"},
    **{word: str(number) for number, word in enumerate(_NUMBERS, 2)},
}
_PLURALS = {"sixes": "six"}
_FEWEST_LETTERS = 3
_LONGEST_SHORT = 2
"""The longest rank to which a suit is put without more: ``10h``; ``kings`` are several kings."""


class Typed(NamedTuple):
    """One typed card; of one whose suit was not said, the face has any suit."""

    face: Face
    says_suit: bool = True


class TypedCardsError(ValueError):
    """Typed cards cannot be read; the text is a sentence that names the word."""


def read_cards(
    text: str, rules: RuleSet, deck: DeckProfile | None = None, there: Counter[Face] | None = None
) -> list[Typed]:
    """Reads typed cards in the order in which they stand.

    A card is a rank, with its suit (``8h``, ``10♠``, ``ace of hearts``) or without it where the rules count the suits
    of that rank alike; such cards get the suits of which the fewest are there, and say so.
    ``7x8`` are seven 8s, ``3 jokers`` three jokers, and ``red 3`` is a 3 of either red suit.

    Args:
        text: what was typed.
        rules: tell where a suit matters.
        deck: the cards in play; without it those of the rules' first deck.
        there: how many there are of each face already; what is read comes to them.

    Raises:
        TypedCardsError: a word is no card or can be read in two ways, a suit is missing, or there are more than
            ``MAX_CARDS`` cards.

    >>> from scorer.rules import load_rules
    >>> [card.face.shown for card in read_cards("queen of hearts, 2 jokers, 10s", load_rules("canasta"))]
    ['Q♥', 'joker', 'joker', '10♠']
    """
    return _Reader(rules, deck, there).cards(text)


def read_melds(
    text: str, rules: RuleSet, deck: DeckProfile | None = None, there: Counter[Face] | None = None
) -> list[list[Typed]]:
    """Reads melds as ``read_cards`` does, one from each line that is not empty.

    Raises:
        TypedCardsError: as ``read_cards``.
    """
    reader = _Reader(rules, deck, there)
    return [cards for line in text.splitlines() if (cards := reader.cards(line))]


class _Reader:
    """Reads several texts; ``there`` are the faces so far."""

    def __init__(self, rules: RuleSet, deck: DeckProfile | None, there: Counter[Face] | None) -> None:
        self._rules = rules
        self._deck = rules.all_decks[0] if deck is None else deck
        self._spoken = _spoken_names(self._deck)
        self._names = _names(self._deck)
        self._there = Counter() if there is None else there

    def cards(self, text: str) -> list[Typed]:
        if len(text) > _MAX_LETTERS:
            raise TypedCardsError(_("That is too much at once. Type the cards of one side, one line for each meld."))
        words = _WORD.findall(_prepared(text))
        faces: list[Typed] = []
        at = 0
        while at < len(words):
            if words[at].lower() in _PARTS:
                at += 1
                continue
            count, used = self._count(words, at)
            faces += self._faces(words[at + used - 1], count)
            if len(faces) > MAX_CARDS:
                raise TypedCardsError(
                    _("That is more than %(most)s cards at once. Type them a few at a time.", most=MAX_CARDS)
                )
            at += used
        return faces

    def _count(self, words: list[str], at: int) -> tuple[int, int]:
        """How many cards the word at a place means, and how many words say so: ``3 jokers`` are two."""
        word, name = words[at], words[at].lower()
        following = words[at + 1] if at + 1 < len(words) else ""
        if following and self._is_plural(following):
            number = word if word.isdecimal() else _WORDS.get(name, "")
            if number.isdecimal():
                return min(int(number[:4]), MAX_CARDS + 1), 2
        if name in _NUMBERS and self._of_spades(following):
            words[at + 1] = following[:-1]
            return int(_WORDS[name]), 2
        if name in ("1", "one") and name not in self._names and self._is_spelled_out(following):
            return 1, 2
        self._ask_if_unclear(words, at)
        if self._is_plural(word):
            shown = word.replace(":", " ")
            raise TypedCardsError(_("How many are “%(shown)s”? Put the number first, like 3 %(shown)s.", shown=shown))
        return 1, 1

    def _ask_if_unclear(self, words: list[str], at: int) -> None:
        """Refuses what may be a number of cards as well as a card and another: ``2 4s`` and ``a king``."""
        word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
        both = f"“{word} {following.replace(':', ' ')}”"
        if word.lower() == "a" and self._rank("a") and self._is_spelled_out(following):
            one = following.replace(":", " ")
            raise TypedCardsError(
                _(
                    "%(both)s can be one %(one)s, or an ace and one %(one)s. Type %(one)s, or a, %(one)s.",
                    both=both,
                    one=one,
                )
            )
        spades = self._of_spades(following)
        if spades is None or not word.isdecimal() or word not in self._names:
            return
        before = _plain(words[at - 1]) if at else ""
        listed_alike = before in (word, *(f"{word}{suit.lower()}" for suit in SUITS))
        if listed_alike and spades.rank == self._names[word]:
            return  # 8 8 8s
        plural = self._deck.plural(spades.rank)
        many = (
            _("%(word)s red %(plural)s or %(word)s black %(plural)s", word=word, plural=plural)
            if self._suit_matters(spades.rank)
            else f"{word} x {following[:-1]}"
        )
        raise TypedCardsError(
            _(
                "%(both)s can be %(numbers)s %(plural)s, or a %(word)s and the %(rank)s of spades. Type "
                "%(many)s, or %(word)s, %(following)s.",
                both=both,
                numbers=_NUMBERS[int(word) - 2],
                plural=plural,
                word=word,
                rank=spades.rank,
                many=many,
                following=following,
            )
        )

    def _of_spades(self, word: str) -> Face | None:
        """The card of spades that a word such as ``4s`` may mean, which may be several 4s as well."""
        face = self._suited(_plain(word)) if word and ":" not in word and "~" not in word and word[-1] in "sS" else None
        return face if face is not None and self._names.get(_plain(word)) is None else None

    def _is_spelled_out(self, word: str) -> bool:
        """Whether a word is the name of one card in full, or has a color: ``king``, ``red:3``."""
        name = _plain(word)
        return self._rank(name) is not None and (":" in word or (len(name) >= _FEWEST_LETTERS and name not in _NUMBERS))

    def _suit_matters(self, rank: str) -> bool:
        return len({self._role(face) for face in self._deck.faces if face.rank == rank}) > 1

    def _is_plural(self, word: str) -> bool:
        """Whether a word names several cards; ``8s`` is the 8 of spades where the deck has suits."""
        spoken = word.replace(":", " ").lower()
        if spoken in self._spoken:
            return spoken.endswith("s")
        name = _plain(word)
        if name.isdecimal() or self._rank(name) or self._suited(name):
            return ":" in word and name.endswith("s") and self._rank(name[:-1]) is not None
        return (
            name.endswith("s") and self._rank(_PLURALS.get(name, name[:-1])) is not None
        ) or name in self._plural_names

    @property
    def _plural_names(self) -> dict[str, str]:
        return {name.lower(): rank for rank, name in self._deck.plurals.items()}

    def _rank(self, name: str) -> str | None:
        """The rank of a name in small letters: ``8``, ``t``, ``queen``, ``lad`` for a lady; None if it is none."""
        if name in self._names:
            return self._names[name]
        if len(name) < _FEWEST_LETTERS:
            return None
        begun = {rank for known, rank in self._names.items() if len(rank) > 1 and known.startswith(name)}
        return begun.pop() if len(begun) == 1 else None

    def _suited(self, name: str) -> Face | None:
        """The face of a name that ends with a suit."""
        spelled, suit = name[:-1], name[-1:].upper()
        is_short = len(spelled) <= _LONGEST_SHORT
        rank = self._rank(spelled.removesuffix("~")) if is_short or spelled.endswith("~") else None
        face = Face(rank, suit) if rank and suit in SUITS else None
        return face if face in self._deck.copies else None

    def _faces(self, word: str, count: int) -> list[Typed]:
        """The cards that a word means, ``count`` times what it says."""
        if counted := _COUNTED.fullmatch(word):
            word, count = counted[2], min(count * int(counted[1][:4]), MAX_CARDS + 1)
        if count < 1:
            raise TypedCardsError(_("“%(word)s” is there 0 times. Leave it out or type how many.", word=word))
        if rank := self._spoken.get(word.replace(":", " ").lower()):
            return self._in_turn(word, rank, "", count)
        name, colour = _plain(word), word.partition(":")[0].lower() if ":" in word else ""
        face = None if colour else self._suited(name)
        if counted and face is not None and self._of_spades(word) and not self._suit_matters(face.rank):
            return self._in_turn(word, face.rank, colour, count)  # 7x9s, which nobody means as seven 9s of spades
        if face is not None and self._names.get(name) is None:
            self._there[face] += count
            return [Typed(face)] * count
        rank = self._rank(name) or self._plural_names.get(name) or self._rank(_PLURALS.get(name, name[:-1]))
        if rank is None or (self._rank(name) is None and not self._is_plural(word)):
            raise TypedCardsError(self._unknown(word))
        return self._in_turn(word, rank, colour, count)

    def _in_turn(self, word: str, rank: str, colour: str, count: int) -> list[Typed]:
        faces = [face for face in self._deck.faces if face.rank == rank]
        if colour:
            faces = [face for face in faces if face.suit and face.is_red == (colour == "red")]
            if not faces:
                raise TypedCardsError(
                    _(
                        "“%(word)s” is not a card here: its %(rank)s has no colors.",
                        word=word.replace(":", " "),
                        rank=rank,
                    )
                )
        if len({self._role(face) for face in faces}) > 1:  # a colour may have settled it
            raise TypedCardsError(
                _(
                    "Which suit is “%(word)s”? Type it like %(rank)sh or %(rank)ss, because its suits score "
                    "differently.",
                    word=word,
                    rank=rank,
                )
            )
        chosen: list[Typed] = []
        while len(chosen) < count:
            face = min(faces, key=self._there.__getitem__)
            self._there[face] += 1
            chosen.append(Typed(face, len(faces) == 1 or bool(colour)))
        return chosen

    def _role(self, face: Face) -> tuple[object, ...]:
        """What the rules know of a card; suits matter where it differs."""
        rules = self._rules
        return (
            rules.played(face),
            rules.left(face),
            rules.is_laid(face),
            rules.is_cap(face),
            rules.is_never_melded(face),
            rules.is_melded_going_out(face),
        )

    def _unknown(self, word: str) -> str:
        shown = word.replace(":", " ").replace("~", " of ")
        shown = shown if len(shown) <= 30 else f"{shown[:30]}…"
        return _(
            "“%(shown)s” is not a card in this deck. Type cards with spaces between them, like %(example)s.",
            shown=shown,
            example=_example(self._deck),
        )


def _prepared(text: str) -> str:
    """The text with one word for each card: a suit belongs to the card before it, ``7 x 8`` is ``7x8``."""
    text = _BLANKS_OF_SUIT.sub("", _IGNORED.sub("", text)).translate(_SIGNS)
    text = _OF_SUIT.sub(lambda found: f"~{found[1][0].lower()}", text)
    text = _COLOURED.sub(lambda found: f"{found[2] or ''}{found[3].lower()}:", text)
    return _TIMES.sub(lambda found: f"{found[1] or found[2]}x", text)


def _plain(word: str) -> str:
    """A word in small letters without its colour and its number: ``3s`` for ``red:3s``."""
    return word.rpartition(":")[2].lower()


def _names(deck: DeckProfile) -> dict[str, str]:
    """The rank of each name of a card, in small letters."""
    names = {rank.lower(): rank for rank in deck.ranks}
    jokers = [rank for rank in deck.ranks if rank in ("JK", "JOKER")]
    for word, rank in _WORDS.items():
        known = jokers[0] if rank == "JK" and jokers else rank
        if known in deck.ranks:
            names.setdefault(word, known)
    return names


def _spoken_names(deck: DeckProfile) -> dict[str, str]:
    """The rank of each name of several words, such as ``red 3``, and of its plural, in small letters."""
    names = {name.lower(): rank for rank, name in deck.names.items() if " " in name}
    return names | {deck.plural(rank).lower(): rank for rank in names.values()}


def _example(deck: DeckProfile) -> str:
    """Cards of the deck as they may be typed."""
    return " ".join([*["8" if "8" in deck.ranks else deck.ranks[0].lower()] * 3, *map(str.lower, deck.wild_ranks)])
