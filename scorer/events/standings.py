"""Rankings, cuts and prizes. Equal totals share a place; ties are left for the coordinator to decide."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Ties = Literal["decide", "last", "best"]
"""What decides between equal totals: the coordinator, or the points of the last game or set, or the best score."""
Byes = Literal["lot", "lowest"]
"""Who sits out, of those who have done so least: one drawn by lot, or the one with the lowest total."""


@dataclass(frozen=True, slots=True)
class Place:
    """All names with the same total. ``place`` counts from 1; after two in first place comes third place.

    It is 0 for those who have none, as they went home before they were done.
    """

    place: int
    names: tuple[str, ...]
    total: int

    @property
    def tied(self) -> bool:
        """Whether several names share it."""
        return len(self.names) > 1


@dataclass(frozen=True, slots=True)
class Cut:
    """Who advances: ``through`` for certain; the ``tied`` compete for the remaining ``open`` places."""

    through: tuple[str, ...]
    tied: tuple[str, ...] = ()
    open: int = 0

    def allows(self, names: Sequence[str]) -> bool:
        """Whether a selection is everybody who is through plus as many of the tied as there are open places."""
        chosen, through = set(names), set(self.through)
        others = chosen - through
        return through <= chosen and others <= set(self.tied) and len(others) == self.open and len(names) == len(chosen)


@dataclass(frozen=True, slots=True)
class Prize:
    """One prize and its winners; several names are tied, for this prize alone or together with the next."""

    name: str
    names: tuple[str, ...]
    total: int

    @property
    def tied(self) -> bool:
        """Whether several names share it."""
        return len(self.names) > 1


def rank(
    totals: Mapping[str, int],
    decided: Sequence[Sequence[str]] = (),
    away: Collection[str] = (),
    breaks: Mapping[str, tuple[int, ...]] | None = None,
) -> tuple[Place, ...]:
    """Ranks names by total, highest first; names that share a place are in alphabetical order.

    Args:
        totals: the total of each name.
        decided: orders of tied names as the coordinator decided them; a later one counts, as long as all are tied.
        away: who has no place; they come last, each alone, highest total first.
        breaks: points of each name that count one after the other, highest first, where totals are equal.
    """
    if away:
        last = sorted(((-total, name) for name, total in totals.items() if name in away))
        ranked = rank({name: total for name, total in totals.items() if name not in away}, decided, (), breaks)
        return (*ranked, *(Place(0, (name,), -total) for total, name in last))
    places: list[Place] = []
    before = 0
    by_value: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for name in sorted(totals):
        by_value.setdefault((totals[name], (breaks or {}).get(name, ())), []).append(name)
    for (total, _further), alike in sorted(by_value.items(), reverse=True):
        names = tuple(alike)
        order = next((order for order in reversed(decided) if len(names) > 1 and set(order) == set(names)), ())
        parts: list[tuple[str, ...]] = [(name,) for name in order] or [names]
        for part in parts:
            places.append(Place(before + 1, part, total))
            before += len(part)
    return tuple(places)


def average(points: Sequence[int]) -> int:
    """The average of some points, to the nearest whole number, halves upwards."""
    return (2 * sum(points) + len(points)) // (2 * len(points))


def make_cut(places: Sequence[Place], size: int) -> Cut:
    """Selects the ``size`` highest; a tie for the last places stays open."""
    through: tuple[str, ...] = ()
    for place in places:
        free = size - len(through)
        if len(place.names) > free:
            return Cut(through, place.names, free) if free else Cut(through)
        through += place.names
    return Cut(through)


def award(places: Sequence[Place], prizes: Sequence[str]) -> tuple[Prize, ...]:
    """Assigns prizes by position, highest first; two tied in first place appear for the first and the second prize.

    Who has no place gets none.
    """
    positions = [place for place in places if place.place for _ in place.names]
    return tuple(Prize(prize, place.names, place.total) for prize, place in zip(prizes, positions, strict=False))
