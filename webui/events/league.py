"""The league: each person's own totals over the evenings of a club, for all rules by itself.

Points, averages and tables that were won come from agreed rounds alone, as in a season; a prize counts once its evening
was ended and the prize is nobody else's. Points that somebody got as an average for sitting out are not among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from scorer.events.standings import rank
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.games.season.person_total import PersonTotal
from webui.games.season.played_games import people_of
from webui.games.season.same_people import SamePeople
from webui.games.season.span import Span
from webui.wording import name_key


@dataclass(frozen=True, slots=True)
class PersonEvening:
    """One evening of a person: ``place`` in the standings, None where they went home early or it was not ended."""

    event_id: int
    name: str
    begun: str
    place: int | None
    points: int
    rounds: int
    prizes: tuple[str, ...]


@dataclass(slots=True)
class LeaguePerson(PersonTotal):
    """One person's evenings under one set of rules; its games are those of tables."""

    evenings: list[PersonEvening] = field(default_factory=list)
    prizes: Counter[str] = field(default_factory=Counter)

    @property
    def evening_average(self) -> int:
        """The points of an evening on average."""
        return round(self.points / len(self.evenings)) if self.evenings else 0


ORDERS: dict[str, Callable[[LeaguePerson], int]] = {
    "points": lambda person: person.points,
    "prizes": lambda person: person.prizes.total(),
    "won": lambda person: person.won,
    "evening": lambda person: person.evening_average,
    "round": lambda person: person.round_average,
}
"""By what people can be ranked."""


@dataclass(frozen=True, slots=True)
class League:
    """Everybody's evenings under one set of rules.

    ``evenings`` is how many count, ``open`` how many are not over; ``in_hands``: they were all of partners who move, at
    whose tables a round is called a hand. ``prizes`` are the names of all prizes, highest first.
    """

    id: str
    name: str
    evenings: int
    open: int
    in_hands: bool
    prizes: tuple[str, ...]
    people: dict[str, LeaguePerson]

    def ranking(self, order: str = "points") -> list[tuple[int, LeaguePerson]]:
        """Place and person, highest first; equal values share a place.

        Args:
            order: one of ``ORDERS``.
        """
        places = rank({key: ORDERS[order](person) for key, person in self.people.items()})
        return [(place.place, self.people[key]) for place in places for key in place.names]


def leagues(evenings: Iterable[Evening], span: Span, same: SamePeople) -> list[League]:
    """Everybody's evenings by rule set, most evenings first.

    Args:
        evenings: evenings in any order. Removed ones, rehearsals, and those without an agreed round do not count.
        span: the days on which the evenings that count were begun.
        same: names that are one person's.
    """
    by_rules: dict[str, list[Evening]] = {}
    for evening in sorted(evenings, key=lambda one: one.record.id):
        counts = evening.state != "removed" and not evening.record.setup.rehearsal and any(evening.results.values())
        if counts and span.holds(evening.record.created_at):
            by_rules.setdefault(evening.record.rules, []).append(evening)
    found = [_league(rules, group, same) for rules, group in by_rules.items()]
    return sorted(found, key=lambda one: (-one.evenings, one.name))


def _league(rules: str, evenings: list[Evening], same: SamePeople) -> League:
    people: dict[str, LeaguePerson] = {}
    for evening in evenings:
        _add(people, evening, same)
    unfinished = sum(evening.state != "finished" for evening in evenings)
    in_hands = not any(evening.is_teams for evening in evenings)
    prizes = tuple(dict.fromkeys(one.name for evening in reversed(evenings) for one in format_of(evening).prizes()))
    return League(rules, evenings[-1].rules.name, len(evenings), unfinished, in_hands, prizes, people)


def _add(people: dict[str, LeaguePerson], evening: Evening, same: SamePeople) -> None:
    """Counts one evening for all of its people; newer evenings come later."""
    called = same.among(name for one in evening.entrants.values() for name in one.everybody)
    tonight: dict[str, tuple[int, int]] = {}
    for (stage, table), progress in sorted(evening.progress.items()):
        if table > len(evening.stage(stage).released):
            continue
        seats = {
            number: [[called[name] for name in side] for side in evening.counted_for(stage, table, number)]
            for number in progress.results
        }
        played = list(people_of(progress, seats))
        winners = frozenset(one.name for one in played if one.outcome == "won")
        for one in played:
            key = name_key(one.name)
            people.setdefault(key, LeaguePerson(one.name)).add(one, progress, winners)
            points, rounds = tonight.get(key, (0, 0))
            tonight[key] = points + one.points, rounds + len(one.results)
    _add_evening(people, evening, tonight, called)


def _add_evening(
    people: dict[str, LeaguePerson], evening: Evening, tonight: dict[str, tuple[int, int]], called: dict[str, str]
) -> None:
    """Adds the evening with its prizes; ``tonight`` has everybody's points and rounds, by the name's key."""
    told, over, record = format_of(evening), evening.state == "finished", evening.record
    prizes = [prize for prize in told.prizes() if over and not prize.tied]
    last = (len(evening.stages), evening.rounds)
    finished = {name: one.seated(*last, counted=True) for name, one in evening.entrants.items()}
    for row in told.standings():
        for name in map(called.__getitem__, evening.entrants[row.name].everybody):
            if (own := tonight.pop(name_key(name), None)) is None:  # counted by the better of two teams
                continue
            theirs = {entrant for entrant, names in finished.items() if name in map(called.get, names)}
            won = tuple(prize.name for prize in prizes if theirs & set(prize.names))
            place = row.place if over and not row.gone else None
            person = people[name_key(name)]
            person.evenings.append(PersonEvening(record.id, record.name, record.created_at, place, *own, won))
            person.prizes.update(won)
