"""An event with moving partners: sets of hands at numbered tables; each person keeps an individual total.

Source: Hand & Foot Rules Tournament Play, rules 2, 3, 11 and 12. Where they are silent: the winners of the highest
table move to table 1, the only table with two free places; an arriving pair is split between the pair that stayed,
by draw, so that partners change; the coordinator decides a tied set.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from scorer.errors import EventError
from scorer.events.standings import Place, Prize, award, rank
from scorer.game import personal_totals
from scorer.rules.rule_set import RuleSet

AT_A_TABLE = 4
"""Players at a table."""

Pair = tuple[str, str]
Table = tuple[Pair, Pair]


@dataclass(frozen=True, slots=True)
class Person:
    """A player and the group they are ranked in (``man``, ``woman``)."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Seats:
    """The seating of a set (from 1): the two pairs of each table, table 1 first."""

    set: int
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class HandScore:
    """The points of one pair (0 or 1 at its table) in one hand of a set."""

    set: int
    table: int
    hand: int
    pair: int
    points: int


@dataclass(frozen=True, slots=True)
class Winners:
    """The coordinator's decision on a tied set: the winning pair (0 or 1)."""

    set: int
    table: int
    pair: int


Fact = Seats | HandScore | Winners


@dataclass(frozen=True, slots=True)
class PartnersEvent:
    """An event: rules, number of sets, players and all facts in the order they were recorded."""

    rules: RuleSet
    sets: int
    people: tuple[Person, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def tables(self) -> int:
        """The number of tables."""
        return len(self.people) // AT_A_TABLE


def begin(rules: RuleSet, people: tuple[Person, ...], sets: int) -> PartnersEvent:
    """Starts an event with a number of sets.

    Raises:
        EventError: the rules have no such event, the people do not fill tables of four, a name is empty or repeated, a
            group is unknown, or there is no set to play.
    """
    if rules.event is None or rules.event.format != "moving-partners":
        raise EventError(f"expected rules with an event of moving partners, got {rules.name}")
    names = [person.name for person in people]
    if len(set(names)) < len(names) or "" in names:
        raise EventError("expected a name of its own for each person, got one twice or an empty one")
    if not people or len(people) % AT_A_TABLE:
        raise EventError(f"expected people for full tables of {AT_A_TABLE}, got {len(people)}")
    if unknown := [person.group for person in people if person.group not in rules.event.groups]:
        raise EventError(f"expected a group, one of {', '.join(rules.event.groups)}, got {unknown[0]!r}")
    if sets < 1:
        raise EventError(f"expected 1 set or more, got {sets}")
    return PartnersEvent(rules, sets, people)


def record(event: PartnersEvent, *facts: Fact) -> PartnersEvent:
    """Returns the event with facts added; a fact about the same thing as an earlier one corrects it.

    Raises:
        EventError: a fact names a set, table, hand or pair that does not exist, or does not seat everybody once.
    """
    for fact in facts:
        _check(event, fact)
        event = replace(event, facts=(*event.facts, fact))
    return event


def draw_first(event: PartnersEvent, random: Random) -> PartnersEvent:
    """Draws partners and tables for the first set (rule 2)."""
    names = [person.name for person in event.people]
    random.shuffle(names)
    tables = tuple(((names[i], names[i + 1]), (names[i + 2], names[i + 3])) for i in range(0, len(names), AT_A_TABLE))
    return record(event, Seats(1, tables))


def move(event: PartnersEvent, set: int, random: Random) -> PartnersEvent:
    """Seats the second or a later set: winners move to the next higher table and partners separate (rule 11).

    Raises:
        EventError: a table of the previous set has no winners yet.
    """
    pairs_by_table = moved(event, set)
    if not pairs_by_table:
        raise EventError(f"expected the winners of every table of set {set - 1}, got some that are not known yet")
    tables: list[Table] = []
    for arrived, stayed in pairs_by_table:
        partners = list(stayed)
        random.shuffle(partners)
        tables.append(((arrived[0], partners[0]), (arrived[1], partners[1])))
    return record(event, Seats(set, tuple(tables)))


def moved(event: PartnersEvent, set: int) -> tuple[tuple[Pair, Pair], ...]:
    """Returns, for each table of the second or a later set, the pair that arrives and the pair that stays.

    Empty while a table of the previous set has no winners.
    """
    previous = seats(event, set - 1)
    won_by: list[Pair] = []
    lost_by: list[Pair] = []
    for number, pairs in enumerate(previous, 1):
        won = winners(event, set - 1, number)
        if won is None:
            return ()
        won_by.append(pairs[won])
        lost_by.append(pairs[1 - won])
    return tuple((won_by[table - 1], stayed) for table, stayed in enumerate(lost_by))  # index -1: the highest table


def seats(event: PartnersEvent, set: int) -> tuple[Table, ...]:
    """Returns the tables of a set; empty before it is seated."""
    found = [fact.tables for fact in event.facts if isinstance(fact, Seats) and fact.set == set]
    return found[-1] if found else ()


def hand_scores(event: PartnersEvent, set: int, table: int, pair: int) -> dict[int, int]:
    """Returns the points of a pair by hand, with corrections applied."""
    return {
        fact.hand: fact.points
        for fact in event.facts
        if isinstance(fact, HandScore) and (fact.set, fact.table, fact.pair) == (set, table, pair)
    }


def winners(event: PartnersEvent, set: int, table: int) -> int | None:
    """Returns the pair (0 or 1) that won a set at a table; None while a hand is missing or a tie is undecided."""
    one, two = (hand_scores(event, set, table, pair) for pair in (0, 1))
    if min(len(one), len(two)) < event.rules.hands_in_set:
        return None
    if sum(one.values()) != sum(two.values()):
        return 0 if sum(one.values()) > sum(two.values()) else 1
    decisions = [f.pair for f in event.facts if isinstance(f, Winners) and (f.set, f.table) == (set, table)]
    return decisions[-1] if decisions else None


def totals(event: PartnersEvent) -> dict[str, int]:
    """Returns the current total of each person; both partners score the points of their hands (rule 3)."""
    scores_by_set: Iterable[Iterable[tuple[Pair, int]]] = (
        [
            (pair, sum(hand_scores(event, set, table, place).values()))
            for table, pairs in enumerate(seats(event, set), 1)
            for place, pair in enumerate(pairs)
        ]
        for set in range(1, event.sets + 1)
    )
    return {person.name: 0 for person in event.people} | personal_totals(scores_by_set)


def standings(event: PartnersEvent, group: str | None = None) -> tuple[Place, ...]:
    """Returns the current ranking of all people, or of one group."""
    current = totals(event)
    return rank({person.name: current[person.name] for person in event.people if group in (None, person.group)})


def prizes(event: PartnersEvent) -> tuple[Prize, ...]:
    """Returns the prizes by the current standings, per group: highest man, highest woman (rule 12)."""
    assert event.rules.event is not None
    return tuple(
        prize
        for group in event.rules.event.groups
        for prize in award(standings(event, group), [f"{name} {group}" for name in event.rules.event.prizes])
    )


def _check(event: PartnersEvent, fact: Fact) -> None:
    if not 1 <= fact.set <= event.sets:
        raise EventError(f"expected a set from 1 to {event.sets}, got {fact.set}")
    if isinstance(fact, Seats):
        seated = sorted(name for table in fact.tables for pair in table for name in pair)
        if seated != sorted(person.name for person in event.people) or len(fact.tables) != event.tables:
            raise EventError(f"expected everyone seated once at {event.tables} tables, got {', '.join(seated)}")
        return
    tables = len(seats(event, fact.set))
    if not tables:
        raise EventError(f"expected a set that is seated, got set {fact.set}")
    if not 1 <= fact.table <= tables:
        raise EventError(f"expected a table from 1 to {tables}, got {fact.table}")
    if fact.pair not in (0, 1):
        raise EventError(f"expected pair 0 or 1, got {fact.pair}")
    if isinstance(fact, HandScore) and not 1 <= fact.hand <= event.rules.hands_in_set:
        raise EventError(f"expected a hand from 1 to {event.rules.hands_in_set}, got {fact.hand}")
