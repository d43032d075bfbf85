"""The next steps of the Golden Games event; decisions of the coordinator."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.teams import begin, cut_for, draw, entrants, medals, record, total
from scorer.events.teams_due import due
from scorer.events.teams_facts import Agreed, Draw, Due, PlaysOn, RoundScore, TeamsEvent
from tests.scorer.events.playing import RULES, four, play


def test_next_steps_are_described() -> None:
    event = begin(RULES, ("A", "B", "C", "D"))
    assert due(event) == (Due("draw", 1, ("A", "B", "C", "D"), "A, B, C, D: draw a table for game 1."),)
    event = record(event, *(Draw(1, t, n) for t, n in zip("ABCD", (1, 1, 2, 2), strict=True)))
    hand_in = "Table 1: A and B play round 1 and hand in their scores."
    assert due(event)[0] == Due("score", 1, ("A", "B"), hand_in, 1, 1)
    event = record(event, RoundScore(1, 1, "A", 5), RoundScore(1, 1, "B", 6))
    agree = "Table 1, round 1: the other team agrees with the score of A and B."
    assert due(event)[0] == Due("agree", 1, ("A", "B"), agree, 1, 1)


def test_decisions_for_the_coordinator_are_described() -> None:
    three_tied = four(50, 50, 50, 90)
    sentence = "A and B and C are tied for the last place of game 2; decide who plays."
    assert due(three_tied) == (Due("decide-cut", 2, ("A", "B", "C"), sentence),)
    all_tied = due(four(50, 50, 50, 50))[0]
    assert all_tied.message == "A and B and C and D are tied for the last 2 places of game 2; decide who plays."
    corrected = record(draw(four(40, 30, 20, 10), 2, Random(1)), RoundScore(1, 1, "C", 35), Agreed(1, 1, "C"))
    sentence = "By the corrected scores C would play game 2; the coordinator decides."
    assert due(corrected)[0] == Due("review-cut", 2, ("C",), sentence)
    tied = play(draw(four(40, 30, 20, 10), 2, Random(1)), 2, lambda team: {"A": 0, "B": 10}[team])
    sentence = "A and B are tied for gold; the coordinator decides."
    assert due(tied) == (Due("settle-tie", 2, ("A", "B"), sentence),)


def test_the_cut_waits_for_all_rounds_of_the_previous_game() -> None:
    whole = four(40, 30, 20, 10)
    for missing in (1, 2, 4):
        facts = tuple(
            fact
            for fact in whole.facts
            if isinstance(fact, Draw) or not (getattr(fact, "team", "") == "D" and getattr(fact, "round", 0) == missing)
        )
        event = TeamsEvent(RULES, whole.teams, facts)
        assert cut_for(event, 2) is None and entrants(event, 2) == ()
    assert cut_for(whole, 1) is None and cut_for(whole, 3) is None


def test_scores_of_the_second_game_do_not_change_who_plays_it() -> None:
    event = play(draw(four(40, 30, 20, 10), 2, Random(1)), 2, lambda team: {"A": -500, "B": -900}[team])
    assert due(event) == ()
    assert [prize.names for prize in medals(event)] == [("C",), ("D",), ("A",)], "the highest of all games together"
    finalists = replace(event, finalists_only=True)
    assert [prize.names for prize in medals(finalists)] == [("A",), ("B",)]
    assert total(event, "B") == 30 - 900


def test_once_teams_are_seated_the_coordinator_may_decide_otherwise() -> None:
    event = four(40, 30, 20, 10)
    with pytest.raises(EventError, match="expected the 2 best teams for game 2, got A, D"):
        record(event, PlaysOn(2, ("A", "D")))
    assert entrants(record(draw(event, 2, Random(1)), PlaysOn(2, ("A", "D"))), 2) == ("A", "D")


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        (("X", "Y"), "expected teams of game 1, got X, Y"),
        ((), "expected an even number of teams, each once, got none"),
        (("A", "A"), "expected an even number of teams, each once, got A, A"),
    ],
)
def test_impossible_teams_of_a_game_are_refused(teams: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(EventError) as refused:
        record(four(40, 30, 20, 10), PlaysOn(2, teams))
    assert str(refused.value) == sentence


def test_rounds_are_due_in_order() -> None:
    event = draw(begin(RULES, ("A", "B")), 1, Random(1))
    for round in (1, 2, 3, 4):
        assert [(item.code, item.round) for item in due(event)] == [("score", round)]
        for team in ("A", "B"):
            event = record(event, RoundScore(1, round, team, 10), Agreed(1, round, team))
    assert [item.code for item in due(event)] == ["decide-cut"]


def test_both_teams_that_should_have_advanced_are_named() -> None:
    event = draw(four(40, 30, 20, 10), 2, Random(1))
    event = record(event, RoundScore(1, 1, "C", 90), RoundScore(1, 1, "D", 80))
    assert due(event)[0].message == "By the corrected scores C and D would play game 2; the coordinator decides."


def test_a_tie_in_an_odd_half_is_described_by_its_size() -> None:
    event = draw(begin(RULES, tuple("ABCDEF")), 1, Random(1))
    event = play(event, 1, lambda team: {"A": 60, "B": 50, "C": 40, "D": 40, "E": 2, "F": 1}[team])
    (item,) = due(event)
    assert item.teams == ("C", "D")
    assert item.message == "The better half would be 3 teams, one without an opponent; decide who plays game 2."
