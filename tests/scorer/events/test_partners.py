"""The tournament of moving partners; tests are named after the numbered rules they rest on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import floor
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.event import Event, Seats, standings, totals
from scorer.events.partners import draw_first, move, moved, prizes, seatings_to_review, winners
from scorer.events.standings import Place, Ties

TWO_TABLES = Seats(((("A", "E"), ("B", "F")), (("C", "G"), ("D", "H"))))
EIGHT = {name: "man" if name < "E" else "woman" for name in "ABCDEFGH"}


def an_event(names: dict[str, str | None], sets: int, first: Seats | None = None, **more: object) -> Event:
    start = Event(False, names, 2, (Seats(),) * sets, ("highest",), ("man", "woman"))
    event = replace(start, **more)  # type: ignore[arg-type]
    return seated(event, 1, first) if first else event


def people(count: int) -> dict[str, str | None]:
    return {f"P{n:02}": "woman" if n % 2 else "man" for n in range(count)}


def seated(event: Event, set: int, seats: Seats) -> Event:
    return replace(event, stages=tuple(seats if at == set else of for at, of in enumerate(event.stages, 1)))


def play(event: Event, set: int, *points: tuple[tuple[int, int], tuple[int, int]]) -> Event:
    """Each table's two pairs with the points of their two hands."""
    told = {(set, at): dict(enumerate(zip(*of, strict=True), 1)) for at, of in enumerate(points, 1)}
    return replace(event, scores={**event.scores, **told})


def first_set(sets: int = 3, **more: object) -> Event:
    """+640 and −115 are 525 for each of two partners; B and F have 200, C and G 20, D and H 30."""
    event = an_event({**EIGHT}, sets, TWO_TABLES, **more)
    return play(event, 1, ((640, -115), (100, 100)), ((10, 10), (30, 0)))


@pytest.mark.parametrize("count", [4, 8, 12, 40])
def test_rule_2_the_first_partners_are_drawn_and_everyone_sits_once(count: int) -> None:
    event = an_event(people(count), 3)
    seats = draw_first(event, Random(5))
    assert len(seats.tables) == count // 4 and sorted(seats.seated) == sorted(people(count))
    assert draw_first(event, Random(6)).tables != seats.tables


def test_rule_3_each_person_carries_the_sum_of_both_hands_to_the_next_table() -> None:
    event = first_set()
    before = {"A": 525, "E": 525, "B": 200, "F": 200, "C": 20, "G": 20, "D": 30, "H": 30}
    assert totals(event) == before
    event = seated(event, 2, move(event, 2, Random(1)))
    event = replace(event, scores={**event.scores, (2, 2): {1: (1000, 0)}})
    pair = event.seats(2).tables[1][0]
    assert totals(event) == {name: own + 1000 * (name in pair) for name, own in before.items()}


def test_rules_2_and_11_winners_move_to_the_next_higher_table_and_partners_change() -> None:
    event = first_set()
    assert [winners(event, 1, table) for table in (1, 2)] == [0, 1]
    # the winners of the highest table take the places that the winners of table 1 left
    assert moved(event, 2) == ((("D", "H"), ("B", "F")), (("A", "E"), ("C", "G")))
    ways = set()
    for seed in range(8):
        one, two = move(event, 2, Random(seed)).tables
        ways.add(frozenset(frozenset(pair) for pair in one))
        assert {name for pair in two for name in pair} == set("AECG")
    assert ways == {frozenset(map(frozenset, way)) for way in (("DB", "HF"), ("DF", "HB"))}


def test_rule_11_a_tied_set_is_decided_by_the_coordinator() -> None:
    event = play(first_set(), 1, ((60, 40), (100, 0)), ((10, 10), (30, 0)))
    assert winners(event, 1, 1) is None and moved(event, 2) == ()
    with pytest.raises(EventError, match="expected the winners of every table of set 1"):
        move(event, 2, Random(1))
    event = replace(event, winners={(1, 1): 1})
    assert winners(replace(event, scores={(1, 1): {1: (60, 100)}}), 1, 1) is None, "a hand is missing"
    assert moved(event, 2)[1] == (("B", "F"), ("C", "G"))
    assert winners(play(event, 1, ((61, 40), (100, 0))), 1, 1) == 0, "a tie that is none any more"


def test_rule_12_the_highest_man_and_woman_win_and_ties_are_shown() -> None:
    event = first_set(1)
    assert [(prize.name, prize.names, prize.total) for prize in prizes(event)] == [
        ("highest man", ("A",), 525),
        ("highest woman", ("E",), 525),
    ]
    assert standings(event, "woman")[1] == Place(2, ("F",), 200) and standings(event)[0].names == ("A", "E")
    tied = play(event, 1, ((50, 50), (100, 0)), ((10, 10), (30, 0)))
    assert [(prize.names, prize.tied) for prize in prizes(tied)] == [(("A", "B"), True), (("E", "F"), True)]
    decided = replace(tied, orders=(("B", "A"), ("F", "E")))
    assert [prize.names for prize in prizes(decided)] == [("B",), ("F",)]
    assert [prize.names for prize in prizes(replace(event, groups=()))] == [("A", "E")]


def test_a_correction_counts_at_once_and_is_reported_if_others_should_have_moved() -> None:
    event = first_set()
    event = seated(event, 2, move(event, 2, Random(1)))
    assert not list(seatings_to_review(event))
    event = play(event, 1, ((640, -115), (900, 100)))
    assert totals(event)["B"] == 1000
    assert [(set, table) for set, table, _names in seatings_to_review(event)] == [(2, 1), (2, 2)]


@pytest.mark.parametrize("tables", [1, 2, 3])
def test_the_winners_of_the_highest_table_may_stay_and_its_losers_go_to_table_1(tables: int) -> None:
    event = an_event(people(4 * tables), 3, top_stays=True)
    event = seated(event, 1, draw_first(event, Random(1)))
    event = play(event, 1, *[((10, 10), (5, 5))] * tables)
    before, after = event.seats(1).tables, move(event, 2, Random(2)).tables
    at = {name: number for number, pairs in enumerate(after, 1) for pair in pairs for name in pair}
    for number, (won, lost) in enumerate(before, 1):
        assert {at[name] for name in won} == {min(number + 1, tables)}
        assert {at[name] for name in lost} == {1 if number == tables else number}


def counted_again(event: Event) -> dict[str, int]:
    """Everybody's total, from the seatings and the points of their hands alone."""
    sums = Counter[str](dict.fromkeys(event.names, 0))
    for set, seats in enumerate(event.stages, 1):
        of_set = [hands for (of, _table), hands in event.scores.items() if of == set]
        for pairs, hands in zip(seats.tables, of_set, strict=True):
            for at, pair in enumerate(pairs):
                sums.update(dict.fromkeys(pair, sum(points[at] for points in hands.values())))
        for hand in (1, 2) if of_set else ():
            points = [of for hands in of_set for of in hands[hand]]
            sums.update(dict.fromkeys(seats.out, floor(Fraction(sum(points), len(points)) + Fraction(1, 2))))
    return dict(sums)


def random_set(event: Event, set: int, rng: Random) -> Event:
    event = seated(event, set, draw_first(event, rng) if set == 1 else move(event, set, rng))

    def hands() -> tuple[int, int]:
        return rng.randrange(-900, 4000), rng.randrange(-900, 4000)

    event = play(event, set, *[(hands(), hands()) for _ in event.seats(set).tables])
    return replace(event, winners=dict.fromkeys(event.scores, 0))


def test_eighteen_people_over_four_sets_many_times() -> None:
    for seed in range(50):
        rng, event = Random(seed), an_event(people(18), 4)
        for set in (1, 2, 3, 4):
            event = random_set(event, set, rng)
        for set in (2, 3, 4):
            before, after = event.seats(set - 1).tables, event.seats(set)
            for table, pairs in enumerate(before):
                pair = pairs[winners(event, set - 1, table + 1) or 0]
                now = after.tables[(table + 1) % 4]
                assert all(name in (*now[0], *now[1]) for name in pair if name not in after.out)
                assert not [two for two in now if {*two} == {*pair}], "partners change"
        assert totals(event) == counted_again(event)
        sat_out = Counter(name for seats in event.stages for name in seats.out)
        assert sum(sat_out.values()) == 8 == len(sat_out), "nobody twice while others have not"


def test_who_comes_late_and_who_goes_home_change_the_next_set() -> None:
    rng = Random(3)
    event = random_set(an_event(people(9), 3), 1, rng)
    event = replace(event, names={**event.names, "Late": "man", "Later": "woman", "Latest": "man"})
    event = random_set(event, 2, rng)
    assert len(event.seats(2).tables) == 3 and event.seats(2).out == ()
    leaving = event.seats(2).seated[0]
    event = random_set(replace(event, gone={leaving: 3}), 3, rng)
    assert len(event.seats(3).tables) == 2 and len(event.seats(3).out) == 3
    assert leaving not in (*event.seats(3).seated, *event.seats(3).out)
    assert totals(event) == counted_again(event)
    assert standings(event)[-1].names == (leaving,) and all(leaving not in prize.names for prize in prizes(event))


def test_a_set_that_was_broken_off_is_decided_and_the_others_give_the_average() -> None:
    event = an_event({**EIGHT, "I": "man"}, 2, replace(TWO_TABLES, out=("I",)), gone={"B": 1})
    event = replace(event, scores={(1, 1): {1: (100, 101)}, (1, 2): {1: (200, 201), 2: (50, 70)}})
    assert winners(event, 1, 1) is None and totals(event)["I"] == 201 + 60
    event = replace(event, winners={(1, 1): 0})
    assert winners(event, 1, 1) == 0 and len(move(event, 2, Random(2)).tables) == 2


def test_the_lowest_of_those_who_sat_out_least_sit_out_where_the_event_says_so() -> None:
    rng = Random(3)
    event = random_set(an_event(people(11), 4, byes="lowest"), 1, rng)
    for set in (2, 3, 4):
        reached, often = totals(event), Counter(name for seats in event.stages for name in seats.out)
        waits = {name: (often[name], points) for name, points in reached.items()}
        event = random_set(event, set, rng)
        assert [waits[name] for name in event.seats(set).out] == sorted(waits.values())[:3]


@pytest.mark.parametrize(
    ("ties", "names"), [("decide", ("P00", "P01", "P02", "P03")), ("last", ("P02", "P03")), ("best", ("P00", "P01"))]
)
def test_an_event_may_say_what_decides_between_equal_totals(ties: Ties, names: tuple[str, ...]) -> None:
    table = Seats(((("P00", "P01"), ("P02", "P03")),))
    event = seated(an_event(people(4), 2, table, ties=ties), 2, table)
    event = play(play(event, 1, ((425, 425), (100, 0))), 2, ((50, 0), (700, 100)))
    assert standings(event)[0] == Place(1, names, 900)
