"""What is recorded of an event with moving partners: seatings, points of hands, decisions of the coordinator."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.events.standings import Byes, Ties
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
    """The seating of a set (from 1): the two pairs of each table, table 1 first, and who sits out."""

    set: int
    tables: tuple[Table, ...]
    out: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody went home: ``set`` is the first one that they do not finish."""

    set: int
    name: str


@dataclass(frozen=True, slots=True)
class Ordered:
    """The order of people with equal totals, as the coordinator decided it."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Points that the coordinator gives a person, or takes from them (below 0); who won at a table stays the same."""

    set: int
    name: str
    points: int


Fact = Seats | HandScore | Winners | Left | Ordered | Adjusted


@dataclass(frozen=True, slots=True)
class PartnersEvent:
    """An event: rules, number of sets, players and all facts in the order they were recorded.

    ``top_stays``: the winners of the highest table stay there, and its losers move to table 1 in their place.
    ``ties``: what decides between equal totals. ``byes``: who sits out where people do not fill the tables.
    """

    rules: RuleSet
    sets: int
    people: tuple[Person, ...]
    facts: tuple[Fact, ...] = ()
    top_stays: bool = False
    ties: Ties = "decide"
    byes: Byes = "lot"
