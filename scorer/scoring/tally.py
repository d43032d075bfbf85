"""The tally of a round: every point with its reason, every broken rule with its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

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
    "meld-too-large",
    "same-rank-twice",
    "not-in-deck",
    "wrong-players",
    "too-many-sides",
    "too-many-hands",
]
"""What a sheet can break. A code is never renamed, since other programs go by it."""


@dataclass(frozen=True, slots=True)
class Line:
    """Points of one reason; ``where`` is the place on the side's sheet they come from, such as ``melds[2]``.

    ``cards`` are the faces as text; a card known by its rank alone (of a squared pile) is that rank.
    """

    reason: str
    points: int
    cards: tuple[str, ...] = ()
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that the sheet breaks, where on the side's sheet, and one sentence for a person."""

    code: Code
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class SideTally:
    """One side's round; its total is the sum of its lines and is stored nowhere."""

    name: str
    lines: tuple[Line, ...]
    violations: tuple[Violation, ...]

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a round sheet scores under a rule set, side by side in the sheet's order."""

    rules: str
    round: int
    sides: tuple[SideTally, ...]

    def as_json(self) -> dict[str, Any]:
        """The tally as one JSON document."""
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
