"""Squared piles of a side: what is in them, seen or counted; a pile may hold whatever a spread meld may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from vision.doubts import Doubt
from webui.corrections.side_table import GroupKind


@dataclass(frozen=True, slots=True)
class Group:
    """A group while corrections are applied.

    ``counted`` are the cards that a pile's ``count`` includes already; ``wilds``, ``caps`` and ``hidden``, strange
    cards out of sight, are among those too.
    """

    id: str
    kind: GroupKind
    cards: tuple[str, ...] = ()
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

    def without(self, card: str, face: Face) -> Group:
        """Without one of its cards, which has this face."""
        rest = replace(self, cards=tuple(other for other in self.cards if other != card))
        if card not in self.counted:
            return rest
        return replace(rest, counted=self.counted - {card}, count=max(0, self.count - 1)).without_face(face)

    def without_face(self, face: Face) -> Group:
        """With one card of a face, or else of its rank, less among the wilds or caps that a pile is said to have."""
        at = _place_of(face, self.wilds)
        if at is not None:
            return replace(self, wilds=self.wilds[:at] + self.wilds[at + 1 :])
        at = _place_of(face, self.caps)
        return self if at is None else replace(self, caps=self.caps[:at] + self.caps[at + 1 :])


def _place_of(face: Face, faces: Sequence[Face]) -> int | None:
    """Where a face stands among others, or else one of its rank; None where neither does."""
    same = [at for at, other in enumerate(faces) if other == face]
    return next(iter(same or [at for at, other in enumerate(faces) if other.rank == face.rank]), None)


@dataclass(frozen=True, slots=True)
class Contents:
    """What a group holds, visible or not: the number of its cards, and wilds, caps and strange cards among them."""

    count: int
    wilds: tuple[Face, ...]
    caps: tuple[Face, ...]
    others: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Piles:
    """Which cards do what in a pile, by the rules."""

    rules: RuleSet
    deck: DeckProfile

    def wilds(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        return tuple(face for face in faces if self.rules.is_wild(face))

    def caps(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        return tuple(face for face in faces if self.rules.is_cap(face))

    def is_natural(self, face: Face) -> bool:
        """Whether a card may be a natural of some meld, so that it tells the rank of a pile."""
        return not (self.rules.is_wild(face) or self.rules.is_cap(face) or self.rules.is_never_melded(face))

    def is_strange(self, face: Face, rank: str | None) -> bool:
        """Whether a card is no part of a meld of a rank: neither of that rank, nor wild, nor a cap."""
        return face.rank != rank and not self.rules.is_wild(face) and not self.rules.is_cap(face)

    def rank_of(self, faces: Iterable[Face]) -> str | None:
        """The rank of spread cards, if their naturals have one; caps tell no rank."""
        ranks = {face.rank for face in faces if not self.rules.is_wild(face) and not self.rules.is_cap(face)}
        return ranks.pop() if len(ranks) == 1 else None

    def guess(self, group: Group, faces: Sequence[Face]) -> Group:
        """A squared pile as a book of the smallest size, as which it is assumed until a person has counted it.

        Players put a red card on top of a clean book and a black one on a dirty book, so the top card's colour says
        which of them it probably is. A wild, a cap or a three on top tells no rank.

        Args:
            group: the pile.
            faces: its visible cards, the top one first.
        """
        top, wilds, caps = faces[0], self.wilds(faces), self.caps(faces)
        rank = top.rank if self.is_natural(top) else None
        looks_dirty = group.book == "dirty" if group.book else top.suit != "" and not top.is_red
        if looks_dirty and not wilds and rank is not None and (possible := self.wilds(self.deck.faces)):
            usual = Face("2", "S")
            wilds = (usual if usual in possible else min(possible),)
        return replace(
            group,
            rank=rank,
            wilds=wilds,
            caps=caps,
            count=max(self.rules.book_size, len(faces) - len(caps)) + len(caps),
            counted=frozenset(group.cards),
            doubt=Doubt.COUNT_THE_PILE,
        )

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
        natural = rank is not None and rank not in self.rules.wilds
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
        if pile.kind != "pile" or own is None or own == rank or own in self.rules.wilds:
            return []
        seen = sum(face.rank == own for face in faces)
        number = held.count - len(held.wilds) - len(held.caps) - len(held.others) - seen
        all_suits = [face for face in self.deck.faces if face.rank == own] or [Face(own)]
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
