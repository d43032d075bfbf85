"""Golden Games as one would keep them on paper: each team's points, who plays on, the medals.

Written from the printed rule sheet (St. Charles County Golden Games, PLAY 8 to 13 and Determining a Winner) and from
what the page tells people about numbers that do not fit; it shares no code with the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

ROUNDS = 4


@dataclass
class PaperGame:
    """One game: its tables with two teams each, who sits out, who went home during it, the points that were agreed."""

    tables: list[tuple[str, str]]
    out: list[str]
    gone: set[str] = field(default_factory=set)
    points: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """By table and round, from 1."""

    @property
    def teams(self) -> list[str]:
        return [*(team for table in self.tables for team in table), *self.out]

    def average(self, round: int) -> int:
        """What a team has of a round on average, a half counted up, of tables from which nobody went home."""
        whole = [at for at, table in enumerate(self.tables, 1) if not self.gone & set(table)]
        known = [of for at in whole for of in self.points[at, round]]
        return floor(Fraction(sum(known), len(known)) + Fraction(1, 2))

    def score(self, team: str) -> int | None:
        """A team's points of the game; None where it does not play it, or went home before its first round."""
        if team in self.out:
            return sum(self.average(round) for round in range(1, ROUNDS + 1))
        seat = next(((at, pair.index(team)) for at, pair in enumerate(self.tables, 1) if team in pair), None)
        if seat is None:
            return None
        alone = team not in self.gone and bool(self.gone & set(self.tables[seat[0] - 1]))
        if team in self.gone and (seat[0], 1) not in self.points:
            return None
        total = 0
        for round in range(1, ROUNDS + 1):
            if (seat[0], round) in self.points:
                total += self.points[seat[0], round][seat[1]]
            elif alone:
                total += self.average(round)
        return total


@dataclass
class Paper:
    """An evening: its games so far, and what was taken off or given beside them."""

    games: list[PaperGame] = field(default_factory=list)
    adjusted: dict[str, int] = field(default_factory=dict)

    @property
    def teams(self) -> list[str]:
        return self.games[0].teams

    @property
    def gone(self) -> set[str]:
        return {team for game in self.games for team in game.gone}

    def totals(self) -> dict[str, int]:
        """Scoring for both games is cumulative (PLAY 12)."""
        played = {team: sum(game.score(team) or 0 for game in self.games) for team in self.teams}
        return {team: points + self.adjusted.get(team, 0) for team, points in played.items()}

    def places(self) -> dict[str, int]:
        """The place of each team that is still there; teams with the same score share it."""
        totals = {team: of for team, of in self.totals().items() if team not in self.gone}
        return {team: 1 + sum(other > own for other in totals.values()) for team, own in totals.items()}

    def play_on(self) -> tuple[list[str], list[str], int]:
        """Of all teams in half (PLAY 10): who is through, who is tied for the last places, how many these are."""
        places, size = self.places(), len(self.teams) // 2
        size = min(size, len(places))
        through = [team for team in places if sum(of <= places[team] for of in places.values()) <= size]
        tied = [team for team in places if team not in through and places[team] <= size]
        return through, tied, size - len(through)

    def medals(self) -> list[set[str]]:
        """Who has the highest, the second and the third highest score (PLAY 13), with those who are tied for it."""
        places = self.places()
        in_order = sorted(places.values())[:3]
        return [{team for team, place in places.items() if place == of} for of in in_order]
