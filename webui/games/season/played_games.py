"""What one game adds to each person's own totals; computed once for each game.

Points come from the results of rounds (``webui/games/results/``), so whatever these know, totals know as well.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from scorer.rules import RuleSet
from webui.games.agreed_rules import rules_of_round
from webui.games.names import is_placeholder
from webui.games.progress import GameProgress, game_progress
from webui.storage.records import GameRecord, SideRecord

_MAX_KEPT = 20_000
"""The most games that are held in memory, about 2 kB each beside their records."""


@dataclass(slots=True)
class PersonGame:
    """One person's game: the rounds and points of the sides that they played on.

    ``partners`` holds for each partner the rounds together and their points; ``against`` who sat on another side in at
    least one round. A person may be both: with a floater, partners of one round are opponents in the next. ``best`` and
    ``best_round`` are the points and the number of the best round.
    """

    name: str
    won: bool = False
    rounds: int = 0
    points: int = 0
    best: int = 0
    best_round: int = 0
    partners: dict[str, tuple[int, int]] = field(default_factory=dict)
    against: set[str] = field(default_factory=set)

    def add_round(self, number: int, points: int, partners: Iterable[str], against: Iterable[str]) -> None:
        """Counts one round."""
        if not self.rounds or points > self.best:
            self.best, self.best_round = points, number
        self.rounds += 1
        self.points += points
        for name in partners:
            rounds, sum_points = self.partners.get(name, (0, 0))
            self.partners[name] = (rounds + 1, sum_points + points)
        self.against.update(against)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with agreed rounds: the rule sets that these were agreed under, and what it is for each named person."""

    game: GameRecord
    rules: tuple[RuleSet, ...]
    over: bool
    people: tuple[PersonGame, ...]

    @property
    def rules_ids(self) -> tuple[str, ...]:
        """The ids of its rule sets, in the order in which they were used; nearly always one."""
        return tuple(dict.fromkeys(rules.id for rules in self.rules))

    @property
    def in_hands(self) -> bool:
        """Whether its rounds are hands of a set."""
        return all(rules.in_sets for rules in self.rules)


_kept: dict[int, tuple[GameRecord, RuleSet, PlayedGame]] = {}
_lock = threading.Lock()


def played_game(game: GameRecord, rules: RuleSet) -> PlayedGame | None:
    """What a game is for each person; None where no round of it is agreed.

    It is computed again only where the game or its rule set has changed.

    Args:
        game: the game.
        rules: the rule set of its further rounds.

    Raises:
        RulesError: the kept rules of a round cannot be read by this version.
        SheetError: an agreed sheet is invalid.
    """
    kept = _kept.get(game.id)
    if kept is not None and kept[1] is rules and (kept[0] is game or kept[0] == game):
        played = kept[2]
    else:
        progress = game_progress(game, rules)
        if not progress.points:
            return None
        played = PlayedGame(game, _rules(progress), progress.over, tuple(_people(progress)))
    if kept is None or kept[0] is not game or kept[2] is not played:
        with _lock:
            if len(_kept) >= _MAX_KEPT:
                _kept.clear()
            _kept[game.id] = (game, rules, played)
    return played


def _rules(progress: GameProgress) -> tuple[RuleSet, ...]:
    found: dict[str, RuleSet] = {}
    for record in progress.game.rounds:
        if record.agreed_text is not None:
            rules = rules_of_round(record, progress.rules)
            found.setdefault(rules.content_hash, rules)
    return tuple(found.values())


def _people(progress: GameProgress) -> Iterator[PersonGame]:
    people: dict[str, PersonGame] = {}
    floats = progress.floater is not None
    seated = _named(progress.game.sides)
    for number, results in progress.results.items():
        if floats:
            seated = _named(progress.sides_in(number))
        for side, players in enumerate(seated):
            others = [name for at, names in enumerate(seated) if at != side for name in names]
            for name in players:
                person = people.setdefault(name, PersonGame(name))
                partners = (partner for partner in players if partner != name)
                person.add_round(number, results[side].points, partners, others)
    for person in people.values():
        person.won = _won(progress, person.name)
        yield person


def _named(sides: Iterable[SideRecord]) -> list[list[str]]:
    return [[player for player in side.players if not is_placeholder(player)] for side in sides]


def _won(progress: GameProgress, name: str) -> bool:
    """Whether a person won: a floater with as many points as the best side, others with their side."""
    if not progress.over:
        return False
    if name == progress.floater:
        return progress.floater_won
    return any(name in progress.game.sides[side].players for side in progress.winners)
