"""Who stands where, who plays on and who wins what. Equal totals share a place: a person settles the tie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """All who have the same total; ``place`` is from 1, and after two in first place comes the third."""

    place: int
    names: tuple[str, ...]
    total: int

    @property
    def tied(self) -> bool:
        return len(self.names) > 1


@dataclass(frozen=True, slots=True)
class Cut:
    """Who plays on: ``through`` for certain, and ``tied`` for the ``open`` places that their equal totals leave."""

    through: tuple[str, ...]
    tied: tuple[str, ...] = ()
    open: int = 0

    def allows(self, names: Sequence[str]) -> bool:
        """Whether these are all who are through and as many of the tied as there are places."""
        chosen, through = set(names), set(self.through)
        others = chosen - through
        return through <= chosen and others <= set(self.tied) and len(others) == self.open and len(names) == len(chosen)


@dataclass(frozen=True, slots=True)
class Prize:
    """One prize with whoever has the total for it; several are tied for it, or share it with the prize beside it."""

    name: str
    names: tuple[str, ...]
    total: int

    @property
    def tied(self) -> bool:
        return len(self.names) > 1


def rank(totals: Mapping[str, int]) -> tuple[Place, ...]:
    """The places from the highest total down; names of one place in alphabetical order."""
    places: list[Place] = []
    before = 0
    for total in sorted(set(totals.values()), reverse=True):
        names = tuple(sorted(name for name, own in totals.items() if own == total))
        places.append(Place(before + 1, names, total))
        before += len(names)
    return tuple(places)


def cut(places: Sequence[Place], size: int) -> Cut:
    """The ``size`` highest; whom a tie at the edge leaves open is told apart."""
    through: tuple[str, ...] = ()
    for place in places:
        free = size - len(through)
        if len(place.names) > free:
            return Cut(through, place.names, free) if free else Cut(through)
        through += place.names
    return Cut(through)


def award(places: Sequence[Place], prizes: Sequence[str]) -> tuple[Prize, ...]:
    """Each prize in turn with who stands at its position; two tied in front stand for the first and the second."""
    positions = [place for place in places for _ in place.names]
    return tuple(Prize(prize, place.names, place.total) for prize, place in zip(prizes, positions, strict=False))
