"""What one game is for each of its people, or for each side: rounds, points, partners and opponents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scorer.rules import RuleSet
from webui.games.names import is_placeholder
from webui.games.results.round_results import SideResult

if TYPE_CHECKING:
    from webui.games.progress import GameProgress  # which keeps its people

Outcome = Literal["won", "tied", "lost", "part", "open"]
Seats = Mapping[int, Sequence[Sequence[str]]]
"""The people of each side, by the number of the round."""


@dataclass(frozen=True, slots=True)
class PersonGame:
    """One person's game, or one side's: what the rounds come to that they played.

    ``outcome``: a game is won by those alone who played it to its end with more points than anybody else; of several
    with most it is ``tied``. ``part``: others played its other rounds, so that it counts for them as no game.
    ``partners`` holds for each partner the rounds together and their points; ``against`` who sat on another side in at
    least one round. A person may be both: with a floater, partners of one round are opponents in the next.
    """

    name: str
    outcome: Outcome
    results: Mapping[int, SideResult]
    partners: dict[str, tuple[int, int]] = field(default_factory=dict)
    against: frozenset[str] = frozenset()

    @property
    def points(self) -> int:
        """The points of all of its rounds."""
        return sum(result.points for result in self.results.values())


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with agreed rounds, and what it is for each named person."""

    progress: GameProgress
    people: tuple[PersonGame, ...]

    @property
    def rules(self) -> tuple[RuleSet, ...]:
        """The rule sets that its rounds were agreed under."""
        return self.progress.rule_texts

    @property
    def rules_ids(self) -> tuple[str, ...]:
        """The ids of its rule sets, in the order in which they were used; nearly always one."""
        return tuple(dict.fromkeys(rules.id for rules in self.rules))

    @property
    def in_hands(self) -> bool:
        """Whether its rounds are hands of a set."""
        return all(rules.in_sets for rules in self.rules)


def sides_of(progress: GameProgress) -> Iterator[PersonGame]:
    """A game for each of its sides."""
    for at, side in enumerate(progress.game.sides):
        results = {number: sides[at] for number, sides in progress.results.items()}
        yield PersonGame(side.name, _outcome(progress, results), results)


def people_in(progress: GameProgress, counted: Mapping[int, Seats]) -> tuple[PersonGame, ...]:
    """A game for each of its people.

    Args:
        progress: the game.
        counted: of games in which a substitute played, by their ids, the people for whom each round counts.
    """
    seats = counted.get(progress.game.id)
    return progress.people if seats is None else tuple(people_of(progress, seats))


def people_of(progress: GameProgress, seats: Seats | None = None) -> Iterator[PersonGame]:
    """A game for each of its people; a seat that nobody was named for is no person.

    ``seats`` are those for whom each round counts; None for the players of the game.
    """
    played: dict[str, dict[int, int]] = {}  # each one's side in the rounds that they played
    for number in progress.results:
        sides = seats[number] if seats else [side.players for side in progress.sides_in(number)]
        for at, names in enumerate(sides):
            for name in names:
                if not is_placeholder(name):
                    played.setdefault(name, {})[number] = at
    for name, own in played.items():
        partners, against = dict[str, tuple[int, int]](), set[str]()
        for other, theirs in played.items():
            shared = [number for number in own if number in theirs and other != name]
            points = [progress.points[one][own[one]] for one in shared if own[one] == theirs[one]]
            if points:
                partners[other] = len(points), sum(points)
            if len(points) < len(shared):
                against.add(other)
        results = {number: progress.results[number][at] for number, at in own.items()}
        yield PersonGame(name, _outcome(progress, results), results, partners, frozenset(against))


def _outcome(progress: GameProgress, results: Mapping[int, SideResult]) -> Outcome:
    if len(results) < len(progress.results):
        return "part"
    if not progress.over:
        return "open"
    if sum(result.points for result in results.values()) < max(progress.totals):  # a floater has points of both sides
        return "lost"
    return "tied" if progress.winner is None else "won"
