"""People who do not fill tables of four, come late or go home; random evenings counted again on their own."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import floor

from scorer.events.partners import (
    draw_first,
    move,
    prizes,
    record,
    seats,
    sits_out,
    standings,
    totals,
    winners,
)
from scorer.events.partners_facts import HandScore, Left, Ordered, PartnersEvent, Person, Seats, Winners
from scorer.events.standings import Ties
from scorer.rules import load_rules

TIES: tuple[Ties, ...] = ("decide", "last", "best")
RULES = load_rules("tournament-play")


Told = dict[tuple[int, int, int, int], int]
"""Points by set, table, pair and hand."""


def people(count: int) -> tuple[Person, ...]:
    return tuple(Person(f"P{n:02}", "woman" if n % 2 else "man") for n in range(count))


def play(event: PartnersEvent, set: int, rng: random.Random, told: Told) -> PartnersEvent:
    for table in range(1, len(seats(event, set)) + 1):
        for pair in (0, 1):
            for hand in (1, 2):
                told[set, table, pair, hand] = points = rng.randrange(-900, 4000)
                event = record(event, HandScore(set, table, hand, pair, points))
        if winners(event, set, table) is None:
            event = record(event, Winners(set, table, 0))
    return event


def counted_again(event: PartnersEvent, told: Told) -> dict[str, int]:
    """Everybody's total, from the seatings and the points that were told alone."""
    sums: Counter[str] = Counter({person.name: 0 for person in event.people})
    for fact in event.facts:
        if not isinstance(fact, Seats):
            continue
        of_set = {key[1:]: points for key, points in told.items() if key[0] == fact.set}
        for (table, pair, _), points in of_set.items():
            for name in fact.tables[table - 1][pair]:
                sums[name] += points
        for hand in (1, 2):
            of_hand = [points for (_, _, played), points in of_set.items() if played == hand]
            for name in fact.out:
                sums[name] += floor(Fraction(sum(of_hand), len(of_hand)) + Fraction(1, 2))
    return dict(sums)


def test_eighteen_people_over_four_sets_two_hundred_times() -> None:
    for seed in range(200):
        rng, told = random.Random(seed), Told()
        event = draw_first(PartnersEvent(RULES, 4, people(18)), rng)
        for set in (1, 2, 3, 4):
            if set > 1:
                before = seats(event, set - 1)
                won = [before[table][winners(event, set - 1, table + 1) or 0] for table in range(4)]
                event = move(event, set, rng)
                out = sits_out(event, set)
                for table, pair in enumerate(won):
                    now = {name for two in seats(event, set)[(table + 1) % 4] for name in two}
                    assert all(name in now for name in pair if name not in out), "winners move up a table"
                    together = [two for two in seats(event, set)[(table + 1) % 4] if frozenset(two) == frozenset(pair)]
                    assert not together, "and partners change"
            event = play(event, set, rng, told)
        expected = counted_again(event, told)
        assert totals(event) == expected
        sat_out = Counter(name for set in (1, 2, 3, 4) for name in sits_out(event, set))
        assert sum(sat_out.values()) == 8 and max(sat_out.values()) == 1, "nobody twice while others have not"
        assert all(len(sits_out(event, set)) == 2 for set in (1, 2, 3, 4))
        for prize, group in zip(prizes(event), ("man", "woman"), strict=True):
            best = max(points for name, points in expected.items() if (int(name[1:]) % 2 == 1) == (group == "woman"))
            assert (prize.name, prize.total) == (f"highest {group}", best)


def test_who_comes_late_and_who_goes_home_change_the_next_set() -> None:
    rng, told = random.Random(3), Told()
    event = play(draw_first(PartnersEvent(RULES, 3, people(9)), rng), 1, rng, told)
    late = (Person("Late", "man"), Person("Later", "woman"), Person("Latest", "man"))
    event = replace(event, people=(*event.people, *late))
    event = move(event, 2, rng)
    assert len(seats(event, 2)) == 3 and sits_out(event, 2) == ()
    event = play(event, 2, rng, told)
    leaving = seats(event, 2)[0][0][0]
    event = move(record(event, Left(3, leaving)), 3, rng)
    assert len(seats(event, 3)) == 2 and len(sits_out(event, 3)) == 3
    assert leaving not in {name for table in seats(event, 3) for pair in table for name in pair}
    event = play(event, 3, rng, told)
    assert totals(event) == counted_again(event, told)
    assert all(leaving not in prize.names for prize in prizes(event))


def test_a_set_that_was_broken_off_is_decided_and_the_others_give_the_average() -> None:
    event = draw_first(PartnersEvent(RULES, 2, people(9)), random.Random(1))
    for table in (1, 2):
        for pair in (0, 1):
            event = record(event, HandScore(1, table, 1, pair, 100 * table + pair))
    leaving = seats(event, 1)[0][1][0]
    event = record(event, Left(1, leaving), HandScore(1, 2, 2, 0, 50), HandScore(1, 2, 2, 1, 70))
    assert winners(event, 1, 1) is None
    event = record(event, Winners(1, 1, 0))
    (rests,) = sits_out(event, 1)
    assert winners(event, 1, 1) == 0 and totals(event)[rests] == 201 + 60
    assert len(seats(move(event, 2, random.Random(2)), 2)) == 2


def test_a_tie_that_a_person_decided_counts() -> None:
    event = draw_first(PartnersEvent(RULES, 1, people(4)), random.Random(1))
    for pair in (0, 1):
        for hand in (1, 2):
            event = record(event, HandScore(1, 1, hand, pair, 100))
    assert all(len(prize.names) == 2 for prize in prizes(event))
    event = record(event, Ordered(("P02", "P00")), Ordered(("P03", "P01")))
    assert standings(event, "man")[0].names == ("P02",)
    assert [prize.names for prize in prizes(event)] == [("P02",), ("P03",)]


def test_the_lowest_of_those_who_sat_out_least_sit_out_where_the_event_says_so() -> None:
    rng, event = random.Random(3), PartnersEvent(RULES, 4, people(11), byes="lowest")
    event = play(draw_first(event, rng), 1, rng, {})
    for set in (2, 3, 4):
        reached, often = totals(event), Counter(name for before in range(1, set) for name in sits_out(event, before))
        waits = {name: (often[name], points) for name, points in reached.items()}
        event = play(move(event, set, rng), set, rng, {})
        assert [waits[name] for name in sits_out(event, set)] == sorted(waits.values())[:3]


def test_an_event_may_say_what_decides_between_equal_totals() -> None:
    event = PartnersEvent(RULES, 2, people(4))
    table = ((("P00", "P01"), ("P02", "P03")),)
    event = record(event, Seats(1, table), Seats(2, table))
    for set, points in ((1, (700, 100)), (2, (200, 800))):
        event = record(event, *(HandScore(set, 1, 1, pair, of) for pair, of in enumerate(points)))
    order = {ties: [place.names for place in standings(replace(event, ties=ties), "man")] for ties in TIES}
    assert order == {"decide": [("P00", "P02")], "last": [("P02",), ("P00",)], "best": [("P02",), ("P00",)]}
    event = record(event, HandScore(1, 1, 1, 0, 850), HandScore(2, 1, 1, 0, 50))
    order = {ties: [place.names for place in standings(replace(event, ties=ties), "man")] for ties in TIES}
    assert order == {"decide": [("P00", "P02")], "last": [("P02",), ("P00",)], "best": [("P00",), ("P02",)]}
