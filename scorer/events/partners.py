"""An event whose partners change: sets of hands at numbered tables, each person with a score card of their own.

Source: Hand & Foot Rules Tournament Play, rules 2, 3, 11 and 12. Where they are silent: the winners of the highest
table go to table 1, since its winners have left two places there and no others are free; each newcomer to a table plays
with one of the pair that stayed, by draw, so that partners change; a tied set is decided by the coordinator.
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

Pair = tuple[str, str]
Table = tuple[Pair, Pair]


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who plays, and the group they are ranked in (``man``, ``woman``)."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits where in a set (from 1): for each table, from table 1 up, its two pairs."""

    set: int
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class HandScore:
    """The points of one pair (0 or 1 of its table) in one hand of a set."""

    set: int
    table: int
    hand: int
    pair: int
    points: int


@dataclass(frozen=True, slots=True)
class Winners:
    """The pair (0 or 1) that the coordinator names the winners of a tied set."""

    set: int
    table: int
    pair: int


Fact = Seats | HandScore | Winners


@dataclass(frozen=True, slots=True)
class PartnersEvent:
    """The event: its rules, how many sets are played, its people and all that was told, in order."""

    rules: RuleSet
    sets: int
    people: tuple[Person, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def tables(self) -> int:
        return len(self.people) // AT_A_TABLE


def begin(rules: RuleSet, people: tuple[Person, ...], sets: int) -> PartnersEvent:
    """A new event of so many sets.

    Raises:
        EventError: the rules have no such event, the people do not fill tables of four, a name is there twice or a
            group is unknown, or there is no set to play.
    """
    if rules.event is None or rules.event.format != "moving-partners":
        raise EventError(f"expected rules with an event of moving partners, got {rules.name}")
    names = [person.name for person in people]
    if len(set(names)) < len(names) or "" in names:
        raise EventError("expected a name of its own for each person, got one twice or an empty one")
    if not people or len(people) % AT_A_TABLE:
        raise EventError(f"expected people for full tables of {AT_A_TABLE}, got {len(people)}")
    if strangers := [person.group for person in people if person.group not in rules.event.groups]:
        raise EventError(f"expected a group, one of {', '.join(rules.event.groups)}, got {strangers[0]!r}")
    if sets < 1:
        raise EventError(f"expected 1 set or more, got {sets}")
    return PartnersEvent(rules, sets, people)


def record(event: PartnersEvent, *facts: Fact) -> PartnersEvent:
    """The event with facts added; one about the same thing as an earlier one corrects it.

    Raises:
        EventError: a fact cannot be: a set, table, hand or pair that there is not, people who are not seated once each.
    """
    for fact in facts:
        _check(event, fact)
        event = replace(event, facts=(*event.facts, fact))
    return event


def draw_first(event: PartnersEvent, random: Random) -> PartnersEvent:
    """Draws the partners and tables of the first set (rule 2)."""
    names = [person.name for person in event.people]
    random.shuffle(names)
    tables = tuple(((names[i], names[i + 1]), (names[i + 2], names[i + 3])) for i in range(0, len(names), AT_A_TABLE))
    return record(event, Seats(1, tables))


def move(event: PartnersEvent, set: int, random: Random) -> PartnersEvent:
    """Seats a set from the second on: winners have moved to the next higher table, and partners part (rule 11).

    Raises:
        EventError: the set before has a table without winners yet.
    """
    arriving = moved(event, set)
    if not arriving:
        raise EventError(f"expected the winners of every table of set {set - 1}, got some that are not known yet")
    tables: list[Table] = []
    for new, stayed in arriving:
        partners = list(stayed)
        random.shuffle(partners)
        tables.append(((new[0], partners[0]), (new[1], partners[1])))
    return record(event, Seats(set, tuple(tables)))


def moved(event: PartnersEvent, set: int) -> tuple[tuple[Pair, Pair], ...]:
    """For each table of a set from the second on: the pair that comes to it and the pair that stayed.

    Empty while a table of the set before has no winners.
    """
    before = seats(event, set - 1)
    first: list[Pair] = []
    second: list[Pair] = []
    for number, pairs in enumerate(before, 1):
        won = winners(event, set - 1, number)
        if won is None:
            return ()
        first.append(pairs[won])
        second.append(pairs[1 - won])
    return tuple((first[table - 1], stayed) for table, stayed in enumerate(second))


def seats(event: PartnersEvent, set: int) -> tuple[Table, ...]:
    """The tables of a set, empty before it is seated."""
    found = [fact.tables for fact in event.facts if isinstance(fact, Seats) and fact.set == set]
    return found[-1] if found else ()


def hand_scores(event: PartnersEvent, set: int, table: int, pair: int) -> dict[int, int]:
    """The points of a pair by hand, as corrected last."""
    return {
        fact.hand: fact.points
        for fact in event.facts
        if isinstance(fact, HandScore) and (fact.set, fact.table, fact.pair) == (set, table, pair)
    }


def winners(event: PartnersEvent, set: int, table: int) -> int | None:
    """The pair (0 or 1) that won a set at a table; None while a hand is missing or a tie is not decided."""
    one, two = (hand_scores(event, set, table, pair) for pair in (0, 1))
    if min(len(one), len(two)) < event.rules.hands_in_set:
        return None
    if sum(one.values()) != sum(two.values()):
        return 0 if sum(one.values()) > sum(two.values()) else 1
    named = [f.pair for f in event.facts if isinstance(f, Winners) and (f.set, f.table) == (set, table)]
    return named[-1] if named else None


def totals(event: PartnersEvent) -> dict[str, int]:
    """What stands on each person's card at this moment: both partners write the points of their hands (rule 3)."""
    written: Iterable[Iterable[tuple[Pair, int]]] = (
        [
            (pair, sum(hand_scores(event, set, table, place).values()))
            for table, pairs in enumerate(seats(event, set), 1)
            for place, pair in enumerate(pairs)
        ]
        for set in range(1, event.sets + 1)
    )
    return {person.name: 0 for person in event.people} | personal_totals(written)


def standings(event: PartnersEvent, group: str | None = None) -> tuple[Place, ...]:
    """The people as they stand at this moment, all or one group of them."""
    found = totals(event)
    return rank({person.name: found[person.name] for person in event.people if group in (None, person.group)})


def prizes(event: PartnersEvent) -> tuple[Prize, ...]:
    """The prizes as things stand, in each group: highest man, highest woman (rule 12)."""
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
