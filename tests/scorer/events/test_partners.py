"""The tournament of moving partners; tests are named after the numbered rules they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.partners import (
    begin,
    draw_first,
    hand_scores,
    move,
    moved,
    prizes,
    record,
    seats,
    standings,
    totals,
    winners,
)
from scorer.events.partners_due import Due, due
from scorer.events.partners_facts import HandScore, PartnersEvent, Person, Seats, Winners
from scorer.events.standings import Place
from scorer.rules import load_rules

RULES = load_rules("tournament-play")
EIGHT = tuple(Person(name, "man" if name < "E" else "woman") for name in "ABCDEFGH")
TWO_TABLES = Seats(1, ((("A", "E"), ("B", "F")), (("C", "G"), ("D", "H"))))


def people(count: int) -> tuple[Person, ...]:
    return tuple(Person(f"P{n:03}", "woman" if n % 2 else "man") for n in range(count))


def seated(sets: int = 3) -> PartnersEvent:
    return record(begin(RULES, EIGHT, sets), TWO_TABLES)


def play(event: PartnersEvent, set: int, *points: tuple[Sequence[int], Sequence[int]]) -> PartnersEvent:
    """Each table's two pairs with the points of their two hands."""
    for table, pairs in enumerate(points, 1):
        for pair, hands in enumerate(pairs):
            event = record(event, *(HandScore(set, table, hand, pair, got) for hand, got in enumerate(hands, 1)))
    return event


@pytest.mark.parametrize("count", [4, 8, 12, 40])
def test_rule_2_the_first_partners_are_drawn_and_everyone_sits_once(count: int) -> None:
    event = draw_first(begin(RULES, people(count), 3), Random(5))
    tables = seats(event, 1)
    assert len(tables) == count // 4
    names = [name for table in tables for pair in table for name in pair]
    assert sorted(names) == [person.name for person in people(count)]
    assert seats(draw_first(begin(RULES, people(count), 3), Random(6)), 1) != tables


def test_rule_3_a_set_is_two_hands_and_both_partners_write_their_sum() -> None:
    # +640 and -115 are 525 for each of the two partners
    event = play(seated(), 1, ((640, -115), (100, 100)))
    assert hand_scores(event, 1, 1, 0) == {1: 640, 2: -115}
    assert totals(event) == {"A": 525, "E": 525, "B": 200, "F": 200, "C": 0, "D": 0, "G": 0, "H": 0}
    with pytest.raises(EventError, match="expected a hand from 1 to 2, got 3"):
        record(event, HandScore(1, 1, 3, 0, 10))


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
    event = draw_first(begin(RULES, people(12), 2), Random(1))
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
    assert [(item.code, item.table, item.names) for item in due(event)] == [("decide-winners", 1, ("A", "E", "B", "F"))]
    with pytest.raises(EventError, match="expected the winners of every table of set 1"):
        move(event, 2, Random(1))
    event = record(event, Winners(1, 1, 1))
    assert moved(event, 2)[1] == (("B", "F"), ("C", "G"))
    assert [(item.code, item.set) for item in due(event)] == [("seat", 2)]
    assert winners(record(event, HandScore(1, 1, 1, 0, 61)), 1, 1) == 0


def test_rule_12_the_highest_man_and_woman_win() -> None:
    event = play(seated(1), 1, ((640, -115), (100, 100)), ((10, 10), (30, 0)))
    assert [(prize.name, prize.names, prize.total) for prize in prizes(event)] == [
        ("highest man", ("A",), 525),
        ("highest woman", ("E",), 525),
    ]
    assert standings(event, "woman")[1] == Place(2, ("F",), 200)
    assert standings(event)[0] == Place(1, ("A", "E"), 525)
    assert due(event) == ()


def test_rule_12_a_tie_is_shown_for_the_coordinator() -> None:
    event = play(seated(1), 1, ((50, 50), (100, 0)), ((10, 10), (30, 0)))
    assert [(prize.names, prize.tied) for prize in prizes(event)] == [(("A", "B"), True), (("E", "F"), True)]
    assert [(item.code, item.names) for item in due(event)] == [("settle-tie", ("A", "B")), ("settle-tie", ("E", "F"))]


def test_next_steps_go_hand_by_hand_at_each_table() -> None:
    event = begin(RULES, EIGHT, 2)
    assert [(item.code, item.set) for item in due(event)] == [("seat", 1)]
    event = record(event, TWO_TABLES)
    assert [(item.code, item.table, item.hand) for item in due(event)] == [("score", 1, 1), ("score", 2, 1)]
    event = record(event, HandScore(1, 1, 1, 0, 5))
    assert next((item.table, item.hand, item.names) for item in due(event)) == (1, 1, ("B", "F"))
    event = record(event, HandScore(1, 1, 1, 1, 5))
    assert [(item.table, item.hand) for item in due(event)] == [(1, 2), (2, 1)]


def test_a_correction_counts_at_once_and_is_reported_if_others_should_have_moved() -> None:
    event = move(play(seated(), 1, ((640, -115), (100, 100)), ((10, 10), (30, 0))), 2, Random(1))
    assert "review-move" not in [item.code for item in due(event)]
    sat = seats(event, 2)
    event = record(event, HandScore(1, 1, 1, 1, 900))
    assert (totals(event)["B"], seats(event, 2)) == (1000, sat)
    assert [item.table for item in due(event) if item.code == "review-move"] == [1, 2]


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (HandScore(4, 1, 1, 0, 5), "expected a set from 1 to 3, got 4"),
        (HandScore(0, 1, 1, 0, 5), "expected a set from 1 to 3, got 0"),
        (HandScore(2, 1, 1, 0, 5), "expected a set that is seated, got set 2"),
        (HandScore(1, 3, 1, 0, 5), "expected a table from 1 to 2, got 3"),
        (HandScore(1, 0, 1, 0, 5), "expected a table from 1 to 2, got 0"),
        (HandScore(1, 1, 0, 0, 5), "expected a hand from 1 to 2, got 0"),
        (Winners(1, 1, 2), "expected pair 0 or 1, got 2"),
        (Seats(2, (TWO_TABLES.tables[0],)), "expected everyone seated once at 2 tables, got A, B, E, F"),
    ],
)
def test_an_impossible_fact_is_refused_in_one_sentence(fact: HandScore | Winners | Seats, sentence: str) -> None:
    with pytest.raises(EventError) as refused:
        record(seated(), fact)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("who", "sets", "sentence"),
    [
        (EIGHT[:3], 3, "expected 4 people or more, got 3"),
        ((), 3, "expected 4 people or more, got 0"),
        ((*EIGHT[:7], EIGHT[0]), 3, "expected a name of its own for each person, got one twice or an empty one"),
        (
            (*EIGHT[:7], Person("", "man")),
            3,
            "expected a name of its own for each person, got one twice or an empty one",
        ),
        ((*EIGHT[:7], Person("X", "owl")), 3, "expected a group, one of man, woman, got 'owl'"),
        (EIGHT, 0, "expected 1 set or more, got 0"),
    ],
)
def test_an_event_with_invalid_people_is_refused(who: tuple[Person, ...], sets: int, sentence: str) -> None:
    with pytest.raises(EventError) as refused:
        begin(RULES, who, sets)
    assert str(refused.value) == sentence


def test_rules_without_such_an_event_are_refused() -> None:
    with pytest.raises(EventError, match="expected rules with an event of moving partners, got Golden Games doubles"):
        begin(load_rules("golden-games"), EIGHT, 3)


def test_before_the_first_set_everyone_has_nothing() -> None:
    assert totals(begin(RULES, EIGHT, 2)) == dict.fromkeys("ABCDEFGH", 0)


def test_next_steps_are_described() -> None:
    everyone = tuple("ABCDEFGH")
    event = begin(RULES, EIGHT, 2)
    assert due(event) == (Due("seat", 1, everyone, "Set 1: draw partners and tables."),)
    event = record(event, TWO_TABLES)
    first = "Table 1: A and E and B and F play hand 1 of set 1 and write their scores."
    assert due(event)[0] == Due("score", 1, ("A", "E", "B", "F"), first, 1, 1)
    event = play(event, 1, ((60, 40), (100, 0)), ((10, 10), (30, 0)))
    tied = "Table 1: set 1 is tied; decide who moves."
    assert due(event) == (Due("decide-winners", 1, ("A", "E", "B", "F"), tied, 1),)
    event = record(event, Winners(1, 1, 0))
    assert due(event) == (Due("seat", 2, everyone, "Set 2: the winners of set 1 move up a table."),)
    event = record(move(event, 2, Random(1)), HandScore(1, 1, 1, 1, 900))
    moved_else = "By the corrected scores others would sit at table 1 in set 2; it stays as played."
    assert due(event)[0] == Due("review-move", 2, ("D", "H", "A", "E"), moved_else, 1)


def test_a_tie_for_a_prize_is_described() -> None:
    event = play(seated(1), 1, ((50, 50), (100, 0)), ((10, 10), (30, 0)))
    sentence = "A and B are tied for highest man; the coordinator decides."
    assert due(event)[0] == Due("settle-tie", 1, ("A", "B"), sentence)


def test_nobody_is_seated_twice() -> None:
    twice = Seats(1, ((("A", "E"), ("B", "F")), (("A", "G"), ("D", "H"))))
    with pytest.raises(EventError, match="expected everyone seated once at 2 tables, got A, A, B, D, E, F, G, H"):
        record(begin(RULES, EIGHT, 2), twice)


@pytest.mark.parametrize("tables", [1, 2, 3])
def test_the_winners_of_the_highest_table_may_stay_and_its_losers_go_to_table_1(tables: int) -> None:
    event = replace(draw_first(begin(RULES, people(4 * tables), 3), Random(1)), top_stays=True)
    before = seats(event, 1)
    event = play(event, 1, *[((10, 10), (5, 5))] * tables)
    after = seats(move(event, 2, Random(2)), 2)
    at = {name: number for number, pairs in enumerate(after, 1) for pair in pairs for name in pair}
    for number, (won, lost) in enumerate(before, 1):
        assert {at[name] for name in won} == {min(number + 1, tables)}
        assert {at[name] for name in lost} == {1 if number == tables else number}
    assert all(set(pair) not in map(set, (p for t in before for p in t)) for t in after for pair in t), "all separate"
    assert due(event)[0].code == "seat" and not [one for one in due(move(event, 2, Random(2))) if "review" in one.code]
