"""The tournament of moving partners; tests are named after the numbered rules they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.partners import (
    draw_first,
    hand_scores,
    move,
    moved,
    prizes,
    record,
    seatings_to_review,
    seats,
    standings,
    totals,
    winners,
)
from scorer.events.partners_facts import HandScore, PartnersEvent, Person, Seats, Winners
from scorer.events.standings import Place
from scorer.rules import load_rules

RULES = load_rules("tournament-play")
EIGHT = tuple(Person(name, "man" if name < "E" else "woman") for name in "ABCDEFGH")
TWO_TABLES = Seats(1, ((("A", "E"), ("B", "F")), (("C", "G"), ("D", "H"))))


def people(count: int) -> tuple[Person, ...]:
    return tuple(Person(f"P{n:03}", "woman" if n % 2 else "man") for n in range(count))


def seated(sets: int = 3) -> PartnersEvent:
    return record(PartnersEvent(RULES, sets, EIGHT), TWO_TABLES)


def play(event: PartnersEvent, set: int, *points: tuple[Sequence[int], Sequence[int]]) -> PartnersEvent:
    """Each table's two pairs with the points of their two hands."""
    for table, pairs in enumerate(points, 1):
        for pair, hands in enumerate(pairs):
            event = record(event, *(HandScore(set, table, hand, pair, got) for hand, got in enumerate(hands, 1)))
    return event


@pytest.mark.parametrize("count", [4, 8, 12, 40])
def test_rule_2_the_first_partners_are_drawn_and_everyone_sits_once(count: int) -> None:
    event = draw_first(PartnersEvent(RULES, 3, people(count)), Random(5))
    tables = seats(event, 1)
    assert len(tables) == count // 4
    names = [name for table in tables for pair in table for name in pair]
    assert sorted(names) == [person.name for person in people(count)]
    assert seats(draw_first(PartnersEvent(RULES, 3, people(count)), Random(6)), 1) != tables


def test_rule_3_a_set_is_two_hands_and_both_partners_write_their_sum() -> None:
    # +640 and -115 are 525 for each of the two partners
    event = play(seated(), 1, ((640, -115), (100, 100)))
    assert hand_scores(event, 1, 1, 0) == {1: 640, 2: -115}
    assert totals(event) == {"A": 525, "E": 525, "B": 200, "F": 200, "C": 0, "D": 0, "G": 0, "H": 0}


def test_rule_3_each_person_carries_their_own_score_to_the_next_table() -> None:
    event = move(play(seated(), 1, ((640, -115), (100, 100)), ((10, 10), (7, 0))), 2, Random(1))
    pair = seats(event, 2)[1][0]
    event = record(event, HandScore(2, 2, 1, 0, 1000))
    before = {"A": 525, "E": 525, "B": 200, "F": 200, "C": 20, "G": 20, "D": 7, "H": 7}
    assert totals(event) == {name: own + 1000 * (name in pair) for name, own in before.items()}


def test_rule_11_the_winners_of_each_table_move_to_the_next_higher_one() -> None:
    event = play(seated(), 1, ((640, -115), (100, 100)), ((10, 10), (30, 0)))
    assert [winners(event, 1, table) for table in (1, 2)] == [0, 1]
    # the winners of the highest table take the places that the winners of table 1 left
    assert moved(event, 2) == ((("D", "H"), ("B", "F")), (("A", "E"), ("C", "G")))


def test_rule_11_three_tables_go_round() -> None:
    event = draw_first(PartnersEvent(RULES, 2, people(12)), Random(1))
    event = play(event, 1, *[((2, 0), (1, 0))] * 3)
    first, second, third = seats(event, 1)
    assert moved(event, 2) == ((third[0], first[1]), (first[0], second[1]), (second[0], third[1]))


@pytest.mark.parametrize("seed", range(6))
def test_rules_2_and_11_partners_change_at_the_new_table(seed: int) -> None:
    event = move(play(seated(), 1, ((640, -115), (100, 100)), ((10, 10), (30, 0))), 2, Random(seed))
    one, two = seats(event, 2)
    assert {frozenset(pair) for pair in one} in (
        {frozenset("DB"), frozenset("HF")},
        {frozenset("DF"), frozenset("HB")},
    )
    assert {name for pair in two for name in pair} == set("AECG")


def test_rule_11_a_tied_set_is_decided_by_the_coordinator() -> None:
    event = play(seated(), 1, ((60, 40), (100, 0)), ((10, 10), (30, 0)))
    assert winners(event, 1, 1) is None and moved(event, 2) == ()
    with pytest.raises(EventError, match="expected the winners of every table of set 1"):
        move(event, 2, Random(1))
    event = record(event, Winners(1, 1, 1))
    assert moved(event, 2)[1] == (("B", "F"), ("C", "G"))
    assert winners(record(event, HandScore(1, 1, 1, 0, 61)), 1, 1) == 0


def test_rule_12_the_highest_man_and_woman_win() -> None:
    event = play(seated(1), 1, ((640, -115), (100, 100)), ((10, 10), (30, 0)))
    assert [(prize.name, prize.names, prize.total) for prize in prizes(event)] == [
        ("highest man", ("A",), 525),
        ("highest woman", ("E",), 525),
    ]
    assert standings(event, "woman")[1] == Place(2, ("F",), 200)
    assert standings(event)[0] == Place(1, ("A", "E"), 525)


def test_rule_12_a_tie_is_shown_for_the_coordinator() -> None:
    event = play(seated(1), 1, ((50, 50), (100, 0)), ((10, 10), (30, 0)))
    assert [(prize.names, prize.tied) for prize in prizes(event)] == [(("A", "B"), True), (("E", "F"), True)]


def test_a_correction_counts_at_once_and_is_reported_if_others_should_have_moved() -> None:
    event = move(play(seated(), 1, ((640, -115), (100, 100)), ((10, 10), (30, 0))), 2, Random(1))
    assert not list(seatings_to_review(event))
    sat = seats(event, 2)
    event = record(event, HandScore(1, 1, 1, 1, 900))
    assert (totals(event)["B"], seats(event, 2)) == (1000, sat)
    assert [(set, table) for set, table, _names in seatings_to_review(event)] == [(2, 1), (2, 2)]


def test_before_the_first_set_everyone_has_nothing() -> None:
    assert totals(PartnersEvent(RULES, 2, EIGHT)) == dict.fromkeys("ABCDEFGH", 0)


@pytest.mark.parametrize("tables", [1, 2, 3])
def test_the_winners_of_the_highest_table_may_stay_and_its_losers_go_to_table_1(tables: int) -> None:
    event = replace(draw_first(PartnersEvent(RULES, 3, people(4 * tables)), Random(1)), top_stays=True)
    before = seats(event, 1)
    event = play(event, 1, *[((10, 10), (5, 5))] * tables)
    after = seats(move(event, 2, Random(2)), 2)
    at = {name: number for number, pairs in enumerate(after, 1) for pair in pairs for name in pair}
    for number, (won, lost) in enumerate(before, 1):
        assert {at[name] for name in won} == {min(number + 1, tables)}
        assert {at[name] for name in lost} == {1 if number == tables else number}
    assert all(set(pair) not in map(set, (p for t in before for p in t)) for t in after for pair in t), "all separate"
    assert not list(seatings_to_review(move(event, 2, Random(2))))
