"""An event with moving partners: sets of hands at numbered tables; each person keeps an individual total.

Source: Hand & Foot Rules Tournament Play, rules 2, 3, 11 and 12. Where they are silent: the winners of the highest
table move to table 1, the only table with two free places, or stay, and its losers move there, where the event says so;
an arriving pair is split between the pair that stayed, by draw, so that partners change; the coordinator decides a tied
set. Where people do not fill tables of four, some sit out, drawn among those who have done so least, or the lowest of
them where the event says so; they get the average of each hand and come in where the next go out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from scorer.errors import EventError
from scorer.events.partners_facts import (
    AT_A_TABLE,
    Adjusted,
    Fact,
    HandScore,
    Left,
    Ordered,
    Pair,
    PartnersEvent,
    Seats,
    Table,
    Winners,
)
from scorer.events.standings import Place, Prize, average, award, rank
from scorer.game import personal_totals


def record(event: PartnersEvent, *facts: Fact) -> PartnersEvent:
    """Returns the event with facts added; a fact about the same thing as an earlier one corrects it."""
    return replace(event, facts=(*event.facts, *facts))


def present(event: PartnersEvent, set: int) -> tuple[str, ...]:
    """Returns everybody who did not go home before the end of a set."""
    left = {fact.name for fact in event.facts if isinstance(fact, Left) and fact.set <= set}
    return tuple(person.name for person in event.people if person.name not in left)


def sits_out(event: PartnersEvent, set: int) -> tuple[str, ...]:
    """Returns who sits out a set."""
    found = [fact.out for fact in event.facts if isinstance(fact, Seats) and fact.set == set]
    return found[-1] if found else ()


def draw_first(event: PartnersEvent, random: Random) -> PartnersEvent:
    """Draws partners and tables for the first set (rule 2)."""
    names = list(present(event, 1))
    random.shuffle(names)
    seated = len(names) - len(names) % AT_A_TABLE
    tables = tuple(((names[i], names[i + 1]), (names[i + 2], names[i + 3])) for i in range(0, seated, AT_A_TABLE))
    return record(event, Seats(1, tables, tuple(names[seated:])))


def move(event: PartnersEvent, set: int, random: Random) -> PartnersEvent:
    """Seats the second or a later set: winners move to the next higher table and partners separate (rule 11).

    Raises:
        EventError: a table of the previous set has no winners yet.
    """
    pairs_by_table = moved(event, set)
    if not pairs_by_table:
        raise EventError(f"expected the winners of every table of set {set - 1}, got some that are not known yet")
    here = present(event, set)
    count = len(here) // AT_A_TABLE
    places = [[*arrived, *stayed] for arrived, stayed in pairs_by_table][:count]
    places += [[""] * AT_A_TABLE for _ in range(count - len(places))]
    out = _rest(event, set, here, len(here) - count * AT_A_TABLE, random)
    seated = [name for table in places for name in table]
    waiting = [name for name in here if name not in seated and name not in out]
    random.shuffle(waiting)
    tables: list[Table] = []
    for table in places:
        arrived = [name if name in here and name not in out else waiting.pop() for name in table[:2]]
        stayed = [name if name in here and name not in out else waiting.pop() for name in table[2:]]
        random.shuffle(stayed)
        tables.append(((arrived[0], stayed[0]), (arrived[1], stayed[1])))
    return record(event, Seats(set, tuple(tables), out))


def _rest(event: PartnersEvent, set: int, here: Sequence[str], count: int, random: Random) -> tuple[str, ...]:
    """Says who sits out a set among those who have done so least: by lot, or the lowest."""
    reached = totals(event) if event.byes == "lowest" else {}
    often = {name: sum(name in sits_out(event, before) for before in range(1, set)) for name in here}
    drawn = random.sample(list(here), len(here)) if count else []
    return tuple(sorted(drawn, key=lambda name: (often[name], reached.get(name, 0)))[:count])


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
    if event.top_stays and len(previous) > 1:
        won_by[-1], lost_by[-1] = lost_by[-1], won_by[-1]
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
    """Returns the pair (0 or 1) that won a set at a table; None while a hand is missing or a tie is undecided.

    Where somebody went home during the set, what was decided counts though hands are missing.
    """
    one, two = (hand_scores(event, set, table, pair) for pair in (0, 1))
    decisions = [f.pair for f in event.facts if isinstance(f, Winners) and (f.set, f.table) == (set, table)]
    if min(len(one), len(two)) < event.rules.hands_in_set:
        return decisions[-1] if decisions and is_broken_off(event, set, table) else None
    if sum(one.values()) != sum(two.values()):
        return 0 if sum(one.values()) > sum(two.values()) else 1
    return decisions[-1] if decisions else None


def is_broken_off(event: PartnersEvent, set: int, table: int) -> bool:
    """Whether somebody of a table went home during a set."""
    here = present(event, set)
    return any(name not in here for pair in seats(event, set)[table - 1] for name in pair)


def seatings_to_review(event: PartnersEvent) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yields set, table and names where others would sit by scores that were corrected since."""
    for set in range(2, event.sets + 1):
        seated, expected = seats(event, set), moved(event, set)
        for number, (table, (arrived, stayed)) in enumerate(zip(seated, expected, strict=False), 1):
            elsewhere = {name for other in seated if other != table for pair in other for name in pair}
            if elsewhere & {*arrived, *stayed}:
                yield set, number, (*arrived, *stayed)


def totals(event: PartnersEvent) -> dict[str, int]:
    """Returns the current total of each person; both partners score the points of their hands (rule 3).

    Adjustments are added.
    """
    sums = {person.name: 0 for person in event.people}
    for set in range(1, event.sets + 1):
        for name, points in set_totals(event, set).items():
            sums[name] += points
    for fact in event.facts:
        if isinstance(fact, Adjusted):
            sums[fact.name] += fact.points
    return sums


def set_totals(event: PartnersEvent, set: int) -> dict[str, int]:
    """Returns the points of each person in a set so far; those who sit it out get the average of each hand."""
    scored: dict[tuple[int, int], dict[int, int]] = {}
    for fact in event.facts:
        if isinstance(fact, HandScore) and fact.set == set:
            scored.setdefault((fact.table, fact.pair), {})[fact.hand] = fact.points
    here, whole = frozenset(present(event, set)), list[dict[int, int]]()
    pairs: list[tuple[Pair, int]] = []
    for table, two in enumerate(seats(event, set), 1):
        for place, pair in enumerate(two):
            hands = scored.get((table, place), {})
            pairs.append((pair, sum(hands.values())))
            if here.issuperset((*two[0], *two[1])):
                whole.append(hands)
    sums = personal_totals([pairs])
    for hand in range(1, event.rules.hands_in_set + 1):
        known = [hands[hand] for hands in whole if hand in hands]
        if known and len(known) == len(whole):
            for name in sits_out(event, set):
                sums[name] = sums.get(name, 0) + average(known)
    return sums


def standings(event: PartnersEvent, group: str | None = None) -> tuple[Place, ...]:
    """Returns the current ranking of all people, or of one group; those who went home early are last."""
    current, here = totals(event), present(event, event.sets)
    ranked = {person.name: current[person.name] for person in event.people if group in (None, person.group)}
    ordered = [fact.names for fact in event.facts if isinstance(fact, Ordered)]
    return rank(ranked, ordered, ranked.keys() - here, _breaks(event))


def _breaks(event: PartnersEvent) -> dict[str, tuple[int, ...]]:
    """What counts between people with equal totals, one after the other: their last sets, or their best ones."""
    if event.ties == "decide":
        return {}
    by_set = [set_totals(event, set) for set in range(event.sets, 0, -1)]
    found = {person.name: [of.get(person.name, 0) for of in by_set] for person in event.people}
    return {name: tuple(sorted(of, reverse=True) if event.ties == "best" else of) for name, of in found.items()}


def prizes(event: PartnersEvent) -> tuple[Prize, ...]:
    """Returns the prizes by the current standings, per group: highest man, highest woman (rule 12)."""
    assert event.rules.event is not None
    groups, names = event.rules.event.groups, event.rules.event.prizes
    if not groups:
        return award(standings(event), names)
    return tuple(
        prize for group in groups for prize in award(standings(event, group), [f"{name} {group}" for name in names])
    )
