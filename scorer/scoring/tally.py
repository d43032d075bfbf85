"""The tally of a round: points with their reasons, and rule violations with stable codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from scorer.rules.book_parts import Book

Code = Literal[
    "meld-too-small",
    "mixed-ranks",
    "too-few-naturals",
    "too-many-wilds",
    "rank-not-meldable",
    "wild-book-not-allowed",
    "cap-not-allowed",
    "not-laid-here",
    "out-without-books",
    "out-with-cards",
    "two-went-out",
    "too-many-copies",
    "too-many-exact-deals",
    "no-such-event",
    "too-many-bonuses",
    "meld-too-large",
    "same-rank-twice",
    "not-in-deck",
    "wrong-players",
    "too-many-sides",
    "too-many-hands",
    "out-without-laid",
    "too-many-of-rank",
]
"""Violation codes. Other programs rely on them: codes may be added, never renamed."""


@dataclass(frozen=True, slots=True)
class Line:
    """Points with one reason.

    Attributes:
        reason: what the points are for, as text.
        points: the points, negative for penalties.
        cards: the faces they come from, as text; a card of a squared pile is known by its rank alone.
        where: the location on the side's sheet, such as ``melds[2]``.
    """

    reason: str
    points: int
    cards: tuple[str, ...] = ()
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its code, its location on the side's sheet, and one sentence for the players."""

    code: Code
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class SideTally:
    """One side's lines and violations, and the kind of each of its books.

    The total is always the sum of the lines.
    """

    name: str
    lines: tuple[Line, ...]
    violations: tuple[Violation, ...]
    books: tuple[Book, ...] = ()

    @property
    def total(self) -> int:
        """Sum of all lines."""
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Tally:
    """The scored round: rule set id, round number, and the sides in the order of the sheet."""

    rules: str
    round: int
    sides: tuple[SideTally, ...]

    def as_json(self) -> dict[str, Any]:
        """Returns the tally as JSON data (the output of ``handfoot score --json``)."""
        return {
            "rules": self.rules,
            "round": self.round,
            "sides": [
                {
                    "name": side.name,
                    "total": side.total,
                    "lines": [
                        {"reason": line.reason, "points": line.points, "cards": list(line.cards), "where": line.where}
                        for line in side.lines
                    ],
                    "violations": [
                        {"code": found.code, "where": found.where, "message": found.message}
                        for found in side.violations
                    ],
                }
                for side in self.sides
            ],
        }
