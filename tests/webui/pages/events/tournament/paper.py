"""Tournament Play as one would keep it on paper: who may sit where, each person's card, the highest man and woman.

Written from the printed rule sheet (Hand & Foot Rules Tournament Play, rules 2, 3, 11 and 12) and from what the page
tells people about numbers that do not fit; it shares no code with the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

HANDS = 2
Pair = tuple[str, str]
Table = tuple[Pair, Pair]


@dataclass
class PaperSet:
    """One set: its tables, who sits out, and the two pairs' points at each table and hand."""

    tables: list[Table]
    out: list[str]
    points: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    decided: dict[int, int] = field(default_factory=dict)
    """Who won at a table whose pairs have the same points, 0 or 1, as the person who runs it says."""

    def total(self, table: int, pair: int) -> int:
        """A pair's points of the set: its two hands together (rule 3)."""
        return sum(self.points[table, hand][pair] for hand in range(1, HANDS + 1))

    def tied(self) -> list[int]:
        """The tables at which both pairs have the same."""
        return [table for table in range(1, len(self.tables) + 1) if self.total(table, 0) == self.total(table, 1)]

    def winner(self, table: int) -> int:
        """The pair that won at a table."""
        one, two = self.total(table, 0), self.total(table, 1)
        return self.decided[table] if one == two else int(two > one)

    def average(self, hand: int) -> int:
        """What a pair has of a hand on average, a half counted up, also from −7½ to −7: what those get who sit out."""
        all_pairs = [of for (_, one), points in self.points.items() if one == hand for of in points]
        return floor(Fraction(sum(all_pairs), len(all_pairs)) + Fraction(1, 2))


@dataclass
class Paper:
    """An evening: everybody with their group, and the sets so far."""

    groups: dict[str, str]
    sets: list[PaperSet] = field(default_factory=list)
    adjusted: dict[str, int] = field(default_factory=dict)
    """Penalties (below 0) and extra points of each person together; they change no hand and no winner of a table."""

    def take_seats(self, tables: list[Table], out: list[str]) -> PaperSet:
        """Writes down the seats of a set, and fails where the rules do not allow them."""
        seated = [name for table in tables for pair in table for name in pair]
        assert sorted(seated + out) == sorted(self.groups), "everybody has one place"
        assert len(tables) == len(self.groups) // 4
        if self.sets:
            self._check_moves(self.sets[-1], tables, out)
        self._check_fair(out)
        made = PaperSet(tables, out)
        self.sets.append(made)
        return made

    def _check_moves(self, before: PaperSet, tables: list[Table], out: list[str]) -> None:
        """Rule 11: winners are at the next higher table, those of the highest at the first; the others stay."""
        at = {name: number for number, table in enumerate(tables, 1) for pair in table for name in pair}
        partner = {name: other for table in tables for pair in table for name, other in (pair, pair[::-1])}
        for number, pairs in enumerate(before.tables, 1):
            won = before.winner(number)
            for which, pair in enumerate(pairs):
                due = number if which != won else number + 1 if number < len(before.tables) else 1
                here = [name for name in pair if name not in out]
                assert [at[name] for name in here] == [due] * len(here), f"{here} of table {number} are not at {due}"
                if len(here) == len(pair):
                    assert partner[pair[0]] != pair[1], f"{pair} stay partners"

    def _check_fair(self, out: list[str]) -> None:
        rested = {name: sum(name in one.out for one in self.sets) for name in self.groups}
        for name in out:
            assert all(rested[name] <= rested[other] for other in self.groups if other not in out), (
                f"{name} rests twice"
            )

    def card(self, name: str) -> list[list[int]]:
        """The points of each hand of each set on a person's own card (rule 3)."""
        return [self._hands(one, name) for one in self.sets]

    def _hands(self, one: PaperSet, name: str) -> list[int]:
        if name in one.out:
            return [one.average(hand) for hand in range(1, HANDS + 1)]
        place = ((table, pair) for table, pairs in enumerate(one.tables, 1) for pair in (0, 1) if name in pairs[pair])
        table, pair = next(place)
        return [one.points[table, hand][pair] for hand in range(1, HANDS + 1)]

    def totals(self) -> dict[str, int]:
        """Everybody's final score: all rounds added together (rule 3), with penalties and extra points."""
        played = {name: sum(sum(hands) for hands in self.card(name)) for name in self.groups}
        return {name: points + self.adjusted.get(name, 0) for name, points in played.items()}

    def places(self) -> dict[str, int]:
        """Everybody's place; those with the same score share it."""
        totals = self.totals()
        return {name: 1 + sum(other > own for other in totals.values()) for name, own in totals.items()}

    def highest(self, group: str) -> set[str]:
        """Rule 12: who of a group has the most."""
        totals = {name: total for name, total in self.totals().items() if self.groups[name] == group}
        return {name for name, total in totals.items() if total == max(totals.values())}
