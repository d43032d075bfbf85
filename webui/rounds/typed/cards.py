"""Cards typed at a stroke, ``8 8 8 2 jk`` or ``7x8, 2 jokers``, as faces of the deck."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from webui.rounds.typed.words import NUMBERS, WORDS, CardWord, CardWords, as_typed
from webui.translation import _

MAX_CARDS = 200
"""The most cards typed in one field."""
_MAX_LETTERS = 4000
_SUITS_BY_NAME = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠"}
_SIGNS = str.maketrans({"♧": "♣", "♢": "♦", "♡": "♥", "♤": "♠", "×": "x", "*": "x"})
_IGNORED = re.compile("[\ufe0e\ufe0f\u200b-\u200d]")
_BLANKS_OF_SUIT = re.compile(r"\s+(?=[♣♦♥♠])")
_OF_SUIT = re.compile(r"\s+of\s+(club|diamond|heart|spade)s?\b", re.IGNORECASE)
_TIMES = re.compile(r"\b(\d+)\s*x\s+(?=\S)|\b(\d+)\s+x(?=\d)", re.IGNORECASE)
_COLORED = re.compile(r"(\b(\d+\s*x\s*)|\b)(red|black)\s+(?=\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;.+/&|]+|[,;.+/&|]")
_PARTS = frozenset(",;.+/&|") | {"and"}
"""What parts the words before it from those after it."""
_COUNTED = re.compile(r"(\d+)x(.+)", re.IGNORECASE)


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
        self._words = CardWords(self._deck)
        self._there = Counter() if there is None else there

    def cards(self, text: str) -> list[Typed]:
        if len(text) > _MAX_LETTERS:
            raise TypedCardsError(_("That is too much at once. Type the cards of one side, one line for each meld."))
        words = _WORD.findall(_prepared(text))
        cards: list[Typed] = []
        at = 0
        while at < len(words):
            word, count, used = self._next(words, at)
            if word is not None:
                cards += self._faces(word, count)
            if len(cards) > MAX_CARDS:
                raise TypedCardsError(
                    _("That is more than %(most)s cards at once. Type them a few at a time.", most=MAX_CARDS)
                )
            at += used
        return cards

    def _next(self, words: list[str], at: int) -> tuple[CardWord | None, int, int]:
        """The word at a place, how many cards it means, and how many words say so: ``3 jokers`` are two.

        None for what parts other words.
        """
        text = words[at].lower()
        if text in _PARTS:
            return None, 0, 1
        following = self._words.meaning(words[at + 1]) if at + 1 < len(words) else None
        if following is not None:
            number = text if text.isdecimal() else WORDS.get(text, "")
            if following.several and number.isdecimal():
                return following, min(int(number[:4]), MAX_CARDS + 1), 2
            if following.may_be_several and text in NUMBERS:
                return following._replace(text=following.text[:-1], suit=""), int(number), 2
            if following.in_full and text in ("1", "one") and text not in self._words.names:
                return following, 1, 2
            self._ask_if_unclear(words[at], following, self._words.meaning(words[at - 1]) if at else None)
        if counted := _COUNTED.fullmatch(words[at]):
            return self._counted(counted[2]), min(int(counted[1][:4]), MAX_CARDS + 1), 1
        word = self._known(words[at])
        if word.several:
            raise TypedCardsError(
                _("How many are “%(shown)s”? Put the number first, like 3 %(shown)s.", shown=as_typed(word.text))
            )
        return word, 1, 1

    def _ask_if_unclear(self, text: str, following: CardWord, before: CardWord | None) -> None:
        """Refuses what may be a number of cards as well as a card and another: ``2 4s`` and ``a king``."""
        shown = as_typed(following.text)
        both, text = f"“{text} {shown}”", text.lower()
        if text == "a" and following.in_full and text in self._words.names:
            raise TypedCardsError(
                _(
                    "%(both)s can be one %(one)s, or an ace and one %(one)s. Type %(one)s, or a, %(one)s.",
                    both=both,
                    one=shown,
                )
            )
        rank = self._words.names.get(text)
        if not following.may_be_several or not text.isdecimal() or rank is None:
            return
        if before is not None and before.rank == rank == following.rank:
            return  # 8 8 8s
        plural = self._deck.plural(following.rank)
        many = (
            _("%(word)s red %(plural)s or %(word)s black %(plural)s", word=text, plural=plural)
            if self._suit_matters(following.rank)
            else f"{text} x {shown[:-1]}"
        )
        raise TypedCardsError(
            _(
                "%(both)s can be %(numbers)s %(plural)s, or a %(word)s and the %(rank)s of spades. Type "
                "%(many)s, or %(word)s, %(following)s.",
                both=both,
                numbers=NUMBERS[int(text) - 2],
                plural=plural,
                word=text,
                rank=following.rank,
                many=many,
                following=shown,
            )
        )

    def _counted(self, text: str) -> CardWord:
        """The word after ``7x``. ``7x9s`` are 9s of all suits: nobody means seven 9s of spades."""
        word = self._known(text)
        return word._replace(suit="") if word.may_be_several and not self._suit_matters(word.rank) else word

    def _suit_matters(self, rank: str) -> bool:
        return len({self._role(face) for face in self._deck.faces if face.rank == rank}) > 1

    def _faces(self, word: CardWord, count: int) -> list[Typed]:
        """So many of the cards that a word means; those without a suit in turn, of which the fewest are there."""
        if count < 1:
            raise TypedCardsError(
                _("“%(word)s” is there 0 times. Leave it out or type how many.", word=as_typed(word.text))
            )
        faces = [face for face in self._deck.faces if face.rank == word.rank and word.suit in ("", face.suit)]
        if word.color:
            faces = [face for face in faces if face.suit and face.is_red == (word.color == "red")]
            if not faces:
                raise TypedCardsError(
                    _(
                        "“%(word)s” is not a card here: its %(rank)s has no colors.",
                        word=as_typed(word.text),
                        rank=word.rank,
                    )
                )
        if len({self._role(face) for face in faces}) > 1:  # a color may have settled it
            raise TypedCardsError(
                _(
                    "Which suit is “%(word)s”? Type it like %(rank)sh or %(rank)ss, because its suits score "
                    "differently.",
                    word=as_typed(word.text),
                    rank=word.rank,
                )
            )
        chosen: list[Typed] = []
        for _each in range(count):
            face = min(faces, key=self._there.__getitem__)
            self._there[face] += 1
            chosen.append(Typed(face, len(faces) == 1 or bool(word.color)))
        return chosen

    def _known(self, text: str) -> CardWord:
        if (word := self._words.meaning(text)) is not None:
            return word
        shown = as_typed(text)
        shown = shown if len(shown) <= 30 else f"{shown[:30]}…"
        raise TypedCardsError(
            _(
                "“%(shown)s” is not a card in this deck. Type cards with spaces between them, like %(example)s.",
                shown=shown,
                example=_example(self._deck),
            )
        )

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


def _prepared(text: str) -> str:
    """The text with one word for each card: a suit belongs to the card before it, ``7 x 8`` is ``7x8``."""
    text = _BLANKS_OF_SUIT.sub("", _IGNORED.sub("", text).translate(_SIGNS))
    text = _OF_SUIT.sub(lambda found: _SUITS_BY_NAME[found[1].lower()], text)
    text = _COLORED.sub(lambda found: f"{found[2] or ''}{found[3].lower()}:", text)
    return _TIMES.sub(lambda found: f"{found[1] or found[2]}x", text)


def _example(deck: DeckProfile) -> str:
    """Cards of the deck as they may be typed."""
    return " ".join([*["8" if "8" in deck.ranks else deck.ranks[0].lower()] * 3, *map(str.lower, deck.wild_ranks)])
