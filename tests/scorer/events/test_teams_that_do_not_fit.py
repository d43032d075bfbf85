"""Teams that do not fit tables of two: odd numbers, teams that go home, ties that a person decides, other cuts."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from scorer.events.standings import Cut, Place, Ties, average
from scorer.events.teams import (
    cut_for,
    draw,
    drawn_tables,
    entrants,
    medals,
    record,
    resting,
    scores,
    standings,
    totals,
)
from scorer.events.teams_facts import Ranked, RoundScore, SitsOut, TeamsEvent, Withdrawn
from tests.scorer.events.playing import drawn, four, play


def play_seated(event: TeamsEvent, game: int, points: int = 100) -> TeamsEvent:
    """Every team at a table scores ``points`` times its table's number in each round."""
    for team, table in drawn_tables(event, game).items():
        for round in range(1, 5):
            event = record(event, RoundScore(game, round, team, points * table))
    return event


def test_of_an_odd_number_one_sits_out_and_gets_the_average_of_each_round() -> None:
    event = drawn("ABCDE", 3)
    (rests,) = resting(event, 1)
    assert len(drawn_tables(event, 1)) == 4 and rests not in drawn_tables(event, 1)
    event = play_seated(event, 1)
    assert scores(event)[1, 2, rests] == 150 and totals(event)[rests] == 600


def test_who_sat_out_once_does_not_sit_out_again() -> None:
    for seed in range(30):
        event = drawn("ABCDE", seed, cut=5)
        event = draw(play_seated(event, 1), 2, Random(seed + 1))
        assert len(entrants(event, 2)) == 5, "all play on"
        assert resting(event, 1) != resting(event, 2)


@pytest.mark.parametrize(("points", "expected"), [([1, 2], 2), ([-1, -2], -1), ([10], 10), ([3, 3, 5], 4)])
def test_an_average_is_the_nearest_whole_number(points: list[int], expected: int) -> None:
    assert average(points) == expected


def test_a_team_that_goes_home_after_a_game_leaves_its_place_to_the_next_best() -> None:
    event = four(4, 3, 2, 1)
    assert entrants(event, 2) == ("A", "B")
    event = record(event, Withdrawn(2, "A"))
    assert entrants(event, 2) == ("B", "C")
    event = play(draw(event, 2, Random(1)), 2, lambda team: 9)
    assert [prize.names for prize in medals(event)] == [("B",), ("C",), ("D",)], "and it gets no medal"
    assert standings(event)[-1] == Place(0, ("A",), 4), "nor a place"
    out = record(event, Withdrawn(2, "D", done=True))
    assert standings(out) == standings(event), "who was out by then keeps its place"


def test_a_team_that_goes_home_during_a_game_leaves_the_average_to_its_opponents() -> None:
    event = drawn("ABCD")
    tables = drawn_tables(event, 1)
    leaves = "A"
    (alone,) = (team for team in "BCD" if tables[team] == tables[leaves])
    for team in "ABCD":
        event = record(event, RoundScore(1, 1, team, 80))
    event = record(event, Withdrawn(1, leaves))
    for team in set("BCD") - {alone}:
        for round in (2, 3, 4):
            event = record(event, RoundScore(1, round, team, 10 * round))
    assert scores(event)[1, 1, alone] == 80, "what was played counts"
    assert totals(event)[alone] == 80 + 20 + 30 + 40
    cut = cut_for(event, 2)
    assert cut is not None and leaves not in (*cut.through, *cut.tied) and len(cut.through) + cut.open == 2


def test_ties_that_a_person_decides_count_for_places_and_medals() -> None:
    event = play(draw(four(4, 3, 2, 1), 2, Random(1)), 2, {"A": 1, "B": 2}.__getitem__)
    assert standings(event)[0] == Place(1, ("A", "B"), 5)
    event = record(event, Ranked(("B", "A")))
    assert standings(event)[:2] == (Place(1, ("B",), 5), Place(2, ("A",), 5))
    assert [(prize.name, prize.names) for prize in medals(event)] == [
        ("gold", ("B",)),
        ("silver", ("A",)),
        ("bronze", ("C",)),
    ]
    corrected = record(event, RoundScore(2, 1, "A", 0))
    assert standings(corrected)[1].total == 4, "a decision about a tie that is none any more changes nothing"


def test_the_cut_may_be_a_number() -> None:
    event = replace(four(4, 3, 2, 1), cut=4)
    cut = cut_for(event, 2)
    assert cut is not None and cut.through == ("A", "B", "C", "D") and entrants(event, 2) == ("A", "B", "C", "D")


def test_a_team_that_sat_out_may_be_seated_after_all() -> None:
    event = drawn("ABC", 3)
    (rests,) = resting(event, 1)
    late = replace(event, teams=(*event.teams, "D"))
    late = draw(late, 1, Random(1))
    assert resting(late, 1) == frozenset() or SitsOut(1, rests) in late.facts
    assert drawn_tables(late, 1).keys() == set("ABCD")


@pytest.mark.parametrize(
    ("ties", "order"), [("decide", [("A", "B")]), ("last", [("A",), ("B",)]), ("best", [("B",), ("A",)])]
)
def test_an_event_may_say_what_decides_between_equal_totals(ties: Ties, order: list[tuple[str, ...]]) -> None:
    event = play(replace(drawn("AB"), cut=100), 1, {"A": 100, "B": 600}.__getitem__)
    for round, (one, two) in enumerate(((500, 100), (500, 200), (0, 200)), 1):
        event = record(event, RoundScore(2, round, "A", one), RoundScore(2, round, "B", two))
    ranked = standings(replace(event, ties=ties))
    assert {place.total for place in ranked} == {1100}
    assert [place.names for place in ranked] == order


def test_a_tie_at_the_cut_is_decided_by_the_best_round_where_the_event_says_so() -> None:
    event = record(four(400, 300, 300, 100), RoundScore(1, 2, "B", -50), RoundScore(1, 1, "B", 350))
    assert cut_for(event, 2) == Cut(("A",), ("B", "C"), 1)
    assert cut_for(replace(event, ties="best"), 2) == Cut(("A", "B"))


@pytest.mark.parametrize("seed", range(4))
def test_the_lowest_of_those_who_sat_out_least_sits_out_where_the_event_says_so(seed: int) -> None:
    points = dict(zip("ABCDE", (50, 40, 30, 20, 10), strict=True))
    event = replace(drawn("ABCDE", seed, cut=100), byes="lowest")
    (rested,) = resting(event, 1)
    event = draw(play(event, 1, points.__getitem__), 2, Random(seed))
    assert resting(event, 2) == {"D" if rested == "E" else "E"}
