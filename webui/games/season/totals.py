"""The season: each person's own totals over the games of a span of days, for all rules by itself.

Points of different rule sets are never added up. A game whose rounds were agreed under several rule sets counts by
itself too. The same person is whose name is the same for ``wording.name_key``, written as in their newest game, or
was said to be another spelling (``same_people.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from scorer.events.standings import rank
from webui.games.progress import listed_game
from webui.games.season.person_total import PersonTotal
from webui.games.season.played_games import PersonGame, PlayedGame, Seats, people_in
from webui.games.season.same_people import SamePeople
from webui.games.season.span import Span
from webui.storage.records import GameRecord
from webui.wording import listed, name_key

MIXED = "+"
"""Joins the ids of the rule sets of one game into the name of its group."""


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


def season(
    games: Iterable[GameRecord],
    span: Span | None = None,
    same: SamePeople | None = None,
    counted: Mapping[int, Seats] | None = None,
) -> Season:
    """Everybody's totals.

    Args:
        games: games in any order; removed ones do not count, nor do those without an agreed round.
        span: the days on which the games that count were begun; all by default.
        same: names that are one person's.
        counted: as ``people_in`` takes it.
    """
    span, same = span or Span(), same or SamePeople()
    played, failed = [], []
    for game in sorted(games, key=lambda game: game.id):
        if game.state == "removed" or not span.holds(game.created_at):
            continue
        progress = listed_game(game).progress
        if progress is None:
            failed.append(game)
        elif progress.points:
            played.append(same.renamed(PlayedGame(progress, people_in(progress, counted or {}))))
    groups: dict[str, list[PlayedGame]] = {}
    for one in played:
        groups.setdefault(MIXED.join(one.rules_ids), []).append(one)
    totals = [_totals(id, group) for id, group in groups.items()]
    totals.sort(key=lambda one: (-one.games, one.name))
    return Season(span, tuple(played), tuple(totals), tuple(failed))


def _totals(id: str, games: list[PlayedGame]) -> RulesTotals:
    people: dict[str, PersonTotal] = {}
    for game in games:
        winners = frozenset(person.name for person in game.people if person.outcome == "won")
        for person in game.people:
            people.setdefault(name_key(person.name), PersonTotal(person.name)).add(person, game.progress, winners)
    names = dict.fromkeys(rules.id for rules in games[-1].rules)
    names |= {rules.id: rules.name for rules in games[-1].rules}
    versions = {rules.content_hash for game in games for rules in game.rules}
    finished = sum(game.progress.over for game in games)
    name = listed(str(name) for name in names.values())
    in_hands = all(game.in_hands for game in games)
    return RulesTotals(id, name, len(games), len(games) - finished, len(versions) - len(names) + 1, in_hands, people)
