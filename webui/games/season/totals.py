"""The season: each person's own totals over the games of a span of days, for all rules by itself.

Points of different rule sets are never added up. A game whose rounds were agreed under several rule sets counts by
itself too. The same person is whose name is the same for ``wording.name_key``, written as in their newest game, or
was said to be another spelling (``same_people.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from scorer.events.standings import rank
from scorer.rules import RulesError, load_rules
from scorer.sheets import SheetError
from webui.games.season.played_games import PersonGame, PlayedGame, played_game
from webui.games.season.same_people import SamePeople
from webui.games.season.span import Span
from webui.games.statistics import BestResult, hand_name
from webui.storage.records import GameRecord
from webui.wording import listed, name_key

MIXED = "+"
"""Joins the ids of the rule sets of one game into the name of its group."""


@dataclass(slots=True)
class Together:
    """What a person did on one side with a partner. ``won`` counts games in which both won."""

    name: str
    games: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0

    @property
    def average(self) -> int:
        """Points of a round."""
        return round(self.points / self.rounds)


@dataclass(slots=True)
class PersonTotal:
    """One person's games under one set of rules.

    ``games`` have an agreed round at least, ``finished`` are those of them that are over; ``points`` are of all agreed
    rounds, ``finished_points`` of the finished games. ``partners`` and ``against`` (games against each) are by the
    name's key.
    """

    name: str
    games: int = 0
    finished: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0
    finished_points: int = 0
    best_round: BestResult | None = None
    partners: dict[str, Together] = field(default_factory=dict)
    against: dict[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def open(self) -> int:
        """The number of unfinished games."""
        return self.games - self.finished

    @property
    def round_average(self) -> int:
        """The points of a round on average."""
        return round(self.points / self.rounds)

    @property
    def game_average(self) -> int | None:
        """The points of a finished game on average; None before the first one."""
        return round(self.finished_points / self.finished) if self.finished else None

    @property
    def most_together(self) -> list[Together]:
        """The partners, most games together first."""
        return sorted(self.partners.values(), key=lambda one: (-one.games, -one.rounds, name_key(one.name)))

    @property
    def most_against(self) -> list[tuple[str, int]]:
        """Names of opponents and the number of games against them, most games first."""
        return sorted(self.against.values(), key=lambda one: (-one[1], name_key(one[0])))

    def add(self, played: PersonGame, game: PlayedGame) -> None:
        """Counts one game; newer games come later."""
        self.name = played.name
        self.games += 1
        self.rounds += played.rounds
        self.points += played.points
        if game.over:
            self.finished += 1
            self.won += played.won
            self.finished_points += played.points
        if self.best_round is None or played.best > self.best_round.value:
            hand = hand_name(game.rules[-1], game.game, played.best_round) if game.in_hands else None
            self.best_round = BestResult(played.best, played.name, game.game.id, played.best_round, hand)
        winners = {person.name for person in game.people if person.won} if played.won else set()
        for name, (rounds, points) in played.partners.items():
            together = self.partners.setdefault(name_key(name), Together(name))
            together.name = name
            together.games += 1
            together.won += name in winners
            together.rounds += rounds
            together.points += points
        for name in played.against:
            key = name_key(name)
            self.against[key] = name, self.against.get(key, (name, 0))[1] + 1


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ranking; ``place`` counts from 1, equal values share it, and it is None where there is no value."""

    place: int | None
    person: PersonTotal


ORDERS: dict[str, Callable[[PersonTotal], int | None]] = {
    "points": lambda person: person.points,
    "won": lambda person: person.won,
    "game": lambda person: person.game_average,
    "round": lambda person: person.round_average,
}
"""By what people can be ranked."""


@dataclass(frozen=True, slots=True)
class RulesTotals:
    """Everybody's totals under one set of rules.

    ``id`` is the rule set's, or several joined by ``MIXED`` for games that changed them on the way. ``versions`` is 1
    where all rounds were agreed under the same text of the rules; ``open`` the number of unfinished games;
    ``in_hands`` tells that all have sets of hands, so that their rounds are called hands.
    """

    id: str
    name: str
    games: int
    open: int
    versions: int
    in_hands: bool
    people: dict[str, PersonTotal]

    def ranking(self, order: str = "points") -> list[Standing]:
        """The people, highest first; those without a value come last.

        Args:
            order: one of ``ORDERS``.
        """
        values = {key: ORDERS[order](person) for key, person in self.people.items()}
        places = rank({key: value for key, value in values.items() if value is not None})
        ranked = [Standing(place.place, self.people[key]) for place in places for key in place.names]
        return ranked + [Standing(None, self.people[key]) for key in sorted(values) if values[key] is None]


@dataclass(frozen=True, slots=True)
class Season:
    """The games of a span, oldest first; their totals by rule set, most games first; games that cannot be scored."""

    span: Span
    games: tuple[PlayedGame, ...]
    rule_sets: tuple[RulesTotals, ...]
    failed: tuple[GameRecord, ...] = ()

    def of(self, name: str) -> tuple[tuple[RulesTotals, PersonTotal], ...]:
        """A person's totals under all rules."""
        key = name_key(name)
        return tuple((rules, rules.people[key]) for rules in self.rule_sets if key in rules.people)

    def games_of(self, name: str) -> list[tuple[PlayedGame, PersonGame]]:
        """A person's games, newest first."""
        key = name_key(name)
        found = ((game, person) for game in reversed(self.games) for person in game.people)
        return [(game, person) for game, person in found if name_key(person.name) == key]

    def only(self, rules_id: str) -> Season:
        """The same season of the games of one set of rules."""
        games = tuple(game for game in self.games if MIXED.join(game.rules_ids) == rules_id)
        return Season(self.span, games, tuple(one for one in self.rule_sets if one.id == rules_id), self.failed)


def season(games: Iterable[GameRecord], span: Span | None = None, same: SamePeople | None = None) -> Season:
    """Everybody's totals.

    Args:
        games: games in any order; removed ones do not count, nor do those without an agreed round.
        span: the days on which the games that count were begun; all by default.
        same: names that are one person's.
    """
    span, same = span or Span(), same or SamePeople()
    load = cache(load_rules)  # whose file is looked at for each call
    played, failed = [], []
    for game in sorted(games, key=lambda game: game.id):
        if game.state == "removed" or not span.holds(game.created_at):
            continue
        try:
            found = played_game(game, load(game.rules))
        except (RulesError, SheetError):
            failed.append(game)
        else:
            played += [same.renamed(found)] if found else []
    groups: dict[str, list[PlayedGame]] = {}
    for one in played:
        groups.setdefault(MIXED.join(one.rules_ids), []).append(one)
    totals = [_totals(id, group) for id, group in groups.items()]
    totals.sort(key=lambda one: (-one.games, one.name))
    return Season(span, tuple(played), tuple(totals), tuple(failed))


def _totals(id: str, games: list[PlayedGame]) -> RulesTotals:
    people: dict[str, PersonTotal] = {}
    for game in games:
        for person in game.people:
            people.setdefault(name_key(person.name), PersonTotal(person.name)).add(person, game)
    names = dict.fromkeys(rules.id for rules in games[-1].rules)
    names |= {rules.id: rules.name for rules in games[-1].rules}
    versions = {rules.content_hash for game in games for rules in game.rules}
    finished = sum(game.over for game in games)
    name = listed(str(name) for name in names.values())
    in_hands = all(game.in_hands for game in games)
    return RulesTotals(id, name, len(games), len(games) - finished, len(versions) - len(names) + 1, in_hands, people)
