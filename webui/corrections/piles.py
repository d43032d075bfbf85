"""Squared piles of a side: what is in them, seen or counted; a pile may hold whatever a spread meld may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from vision.doubts import Doubt
from webui.corrections.side_table import GroupKind


@dataclass(slots=True)
class Group:
    """A group under construction.

    ``counted`` are the cards that a pile's ``count`` includes already; ``wilds``, ``caps`` and ``hidden``, strange
    cards out of sight, are among those too.
    """

    id: str
    kind: GroupKind
    cards: list[str] = field(default_factory=list)
    player: int | None = None
    rank: str | None = None
    book: str | None = None
    doubt: str | None = None
    reason: str = ""
    count: int = 0
    wilds: tuple[Face, ...] = ()
    caps: tuple[Face, ...] = ()
    hidden: tuple[Face, ...] = ()
    counted: frozenset[str] = frozenset()

    def forget(self, face: Face) -> None:
        """Takes one card of a face, or else of its rank, from the wilds or caps that a pile is said to have."""
        for kind in ("wilds", "caps"):
            faces = list(getattr(self, kind))
            listed = face if face in faces else next((other for other in faces if other.rank == face.rank), None)
            if listed is not None:
                faces.remove(listed)
                setattr(self, kind, tuple(faces))
                return


@dataclass(frozen=True, slots=True)
class Contents:
    """What a group holds, visible or not: the number of its cards, and wilds, caps and strange cards among them."""

    count: int
    wilds: tuple[Face, ...]
    caps: tuple[Face, ...]
    others: tuple[Face, ...]


class Piles:
    """Which cards do what in a pile, by the rules."""

    def __init__(self, rules: RuleSet, deck: DeckProfile) -> None:
        self._rules, self._deck = rules, deck
        self._wilds = tuple(face for face in deck.faces if rules.is_wild(face))

    def wilds(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        return tuple(face for face in faces if self._rules.is_wild(face))

    def caps(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        return tuple(face for face in faces if self._rules.is_cap(face))

    def is_natural(self, face: Face) -> bool:
        """Whether a card may be a natural of some meld, so that it tells the rank of a pile."""
        return not (self._rules.is_wild(face) or self._rules.is_cap(face) or self._rules.is_never_melded(face))

    def is_strange(self, face: Face, rank: str | None) -> bool:
        """Whether a card is no part of a meld of a rank: neither of that rank, nor wild, nor a cap."""
        return face.rank != rank and not self._rules.is_wild(face) and not self._rules.is_cap(face)

    def rank_of(self, faces: Iterable[Face]) -> str | None:
        """The rank of spread cards, if their naturals have one; caps tell no rank."""
        ranks = {face.rank for face in faces if not self._rules.is_wild(face) and not self._rules.is_cap(face)}
        return ranks.pop() if len(ranks) == 1 else None

    def guess(self, group: Group, faces: Sequence[Face]) -> None:
        """Assumes a squared pile to be a book of the smallest size until a person has counted it.

        Players put a red card on top of a clean book and a black one on a dirty book, so the top card's colour says
        which of them it probably is. A wild, a cap or a three on top tells no rank.

        Args:
            group: the pile.
            faces: its visible cards, the top one first.
        """
        top = faces[0]
        group.rank = top.rank if self.is_natural(top) else None
        group.wilds, group.caps = self.wilds(faces), self.caps(faces)
        group.count = max(self._rules.book_size, len(faces) - len(group.caps)) + len(group.caps)
        looks_dirty = group.book == "dirty" if group.book else top.suit != "" and not top.is_red
        if looks_dirty and not group.wilds and group.rank is not None and self._wilds:
            usual = Face("2", "S")
            group.wilds = (usual if usual in self._wilds else min(self._wilds),)
        group.counted = frozenset(group.cards)
        group.doubt = Doubt.COUNT_THE_PILE

    def contents(self, group: Group, rank: str | None, counted: Sequence[Face], added: Sequence[Face]) -> Contents:
        """What a group holds: at least what is seen, and what a person said of a pile.

        Args:
            group: the group.
            rank: its rank.
            counted: its visible cards that its ``count`` includes.
            added: its other visible cards.
        """
        wilds = (*_at_least(group.wilds, self.wilds(counted)), *self.wilds(added))
        caps = (*_at_least(group.caps, self.caps(counted)), *self.caps(added))
        others = (*group.hidden, *(face for face in (*counted, *added) if self.is_strange(face, rank)))
        natural = rank is not None and rank not in self._rules.wilds
        fewest = max(len(group.cards), len(wilds) + len(caps) + len(others) + natural)
        return Contents(max(group.count + len(added), fewest), wilds, caps, others)

    def hidden(self, pile: Group, held: Contents, faces: Iterable[Face], rank: str | None) -> list[Face]:
        """The naturals of a pile that are out of sight, if they are of another rank than the given one.

        Their suits are unknown and no rule needs them; they take turns as the faces of that rank.

        Args:
            pile: the group; none of a spread meld is out of sight.
            held: what it holds.
            faces: its visible cards.
            rank: the rank of the pile that it is joined to.
        """
        own = pile.rank
        if pile.kind != "pile" or own is None or own == rank or own in self._rules.wilds:
            return []
        seen = sum(face.rank == own for face in faces)
        number = held.count - len(held.wilds) - len(held.caps) - len(held.others) - seen
        all_suits = [face for face in self._deck.faces if face.rank == own] or [Face(own)]
        return [all_suits[turn % len(all_suits)] for turn in range(number)]


def _at_least(said: tuple[Face, ...], seen: tuple[Face, ...]) -> tuple[Face, ...]:
    """The cards that a person said, and those seen beyond them, rank by rank: suits in a pile are out of sight."""
    missing = Counter(face.rank for face in said)
    more = []
    for face in seen:
        missing[face.rank] -= 1
        if missing[face.rank] < 0:
            more.append(face)
    return (*said, *more)
