"""The Golden Games event; tests are named after the paragraphs of its sheet that they rest on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.standings import Place
from scorer.events.teams import (
    cut_for,
    draw,
    drawn_tables,
    entrants,
    medals,
    needs_decision,
    record,
    scores,
    standings,
    totals,
)
from scorer.events.teams_facts import Draw, PlaysOn, RoundScore, TeamsEvent
from tests.scorer.events.playing import RULES, SIXTEEN, drawn, four, number, play


@pytest.mark.parametrize("teams", [2, 4, 16, 32, 100])
def test_play_3_and_4_teams_draw_the_numbers_of_tables_two_to_a_table(teams: int) -> None:
    names = tuple(f"T {n}" for n in range(teams))
    tables = drawn_tables(drawn(names), 1)
    assert set(tables) == set(names)
    assert Counter(tables.values()) == dict.fromkeys(range(1, teams // 2 + 1), 2)


def test_play_4_the_draw_is_by_chance_and_the_numbers_may_be_drawn_from_a_hat() -> None:
    assert drawn_tables(drawn(SIXTEEN, 1), 1) != drawn_tables(drawn(SIXTEEN, 2), 1)
    by_hand = record(TeamsEvent(RULES, SIXTEEN), Draw(1, "Team 01", 8), Draw(1, "Team 02", 8))
    rest = drawn_tables(draw(by_hand, 1, Random(3)), 1)
    assert (rest["Team 01"], rest["Team 02"]) == (8, 8)
    assert Counter(rest.values()) == dict.fromkeys(range(1, 9), 2)
    assert len(by_hand.facts) == 2, "the original event stays as it was"


def test_play_7_each_game_is_four_rounds_and_there_are_two_games() -> None:
    event = TeamsEvent(RULES, SIXTEEN)
    assert (event.games, event.rounds) == (2, 4)


def test_play_8_a_score_that_is_agreed_anew_counts_in_place_of_the_one_before() -> None:
    event = record(drawn("AB"), RoundScore(1, 1, "A", 500), RoundScore(1, 1, "B", 300), RoundScore(1, 1, "A", 550))
    assert scores(event) == {(1, 1, "A"): 550, (1, 1, "B"): 300}


def test_play_10_and_11_the_top_eight_of_sixteen_play_a_second_game() -> None:
    event = drawn(SIXTEEN)
    assert entrants(event, 2) == () and cut_for(event, 2) is None
    with pytest.raises(EventError, match="expected a settled field for game 2"):
        draw(event, 2, Random(1))
    event = play(event, 1)
    assert set(entrants(event, 2)) == set(SIXTEEN[8:])
    assert Counter(drawn_tables(draw(event, 2, Random(2)), 2).values()) == {1: 2, 2: 2, 3: 2, 4: 2}


def test_play_12_scoring_for_both_games_is_cumulative() -> None:
    event = play(draw(play(drawn(SIXTEEN), 1), 2, Random(2)), 2, lambda team: 1000 - 100 * number(team))
    # 9 in game 1 and 1000 - 900 in game 2
    assert totals(event)["Team 09"] == 9 + 100
    assert totals(event, until=1)["Team 09"] == 9
    assert totals(event)["Team 08"] == 8
    places = standings(event)
    assert places[0] == Place(1, ("Team 09",), 109)
    assert sum(len(place.names) for place in places) == 16


def test_play_13_and_medal_winners_gold_silver_bronze() -> None:
    event = play(draw(play(drawn(SIXTEEN), 1), 2, Random(2)), 2, lambda team: number(team) * 10)
    assert [(prize.name, prize.names) for prize in medals(event)] == [
        ("gold", ("Team 16",)),
        ("silver", ("Team 15",)),
        ("bronze", ("Team 14",)),
    ]


def test_medal_winners_a_tie_is_shown_for_the_coordinator() -> None:
    # 16 and 15 meet at 1000, 14 and 13 at 500
    sums = {"Team 16": 1000, "Team 15": 1000, "Team 14": 500, "Team 13": 500}
    event = draw(play(drawn(SIXTEEN), 1), 2, Random(2))
    event = play(event, 2, lambda team: sums.get(team, number(team)) - number(team))
    assert [(prize.name, prize.names, prize.tied) for prize in medals(event)] == [
        ("gold", ("Team 15", "Team 16"), True),
        ("silver", ("Team 15", "Team 16"), True),
        ("bronze", ("Team 13", "Team 14"), True),
    ]


def test_determining_a_winner_a_tie_at_the_cut_is_decided_by_the_coordinator() -> None:
    event = four(100, 50, 50, 10)
    cut = cut_for(event, 2)
    assert cut is not None and (cut.through, cut.tied, cut.open) == (("A",), ("B", "C"), 1)
    assert needs_decision(event, cut) and entrants(event, 2) == ()
    event = record(event, PlaysOn(2, ("A", "C")))
    assert entrants(draw(event, 2, Random(1)), 2) == ("A", "C")


def test_determining_a_winner_the_number_of_teams_is_divided_in_half_whatever_it_is() -> None:
    assert set(entrants(four(1, 2, 3, 4), 2)) == {"C", "D"}
    six = play(drawn("ABCDEF"), 1, "ABCDEF".index)
    cut = cut_for(six, 2)
    assert cut is not None and len(cut.through) == 3 and needs_decision(six, cut), "one would have no opponent"
    assert entrants(six, 2) == ()
    assert entrants(record(six, PlaysOn(2, ("F", "E", "D", "C"))), 2) == ("F", "E", "D", "C")


def test_the_cut_waits_for_all_rounds_of_the_previous_game() -> None:
    whole = four(40, 30, 20, 10)
    for missing in (1, 2, 4):
        facts = (
            one for one in whole.facts if not (isinstance(one, RoundScore) and (one.team, one.round) == ("D", missing))
        )
        event = replace(whole, facts=tuple(facts))
        assert cut_for(event, 2) is None and entrants(event, 2) == ()
    assert cut_for(whole, 1) is None and cut_for(whole, 3) is None


def test_scores_of_the_second_game_do_not_change_who_plays_it() -> None:
    event = play(draw(four(40, 30, 20, 10), 2, Random(1)), 2, lambda team: {"A": -500, "B": -900}[team])
    assert [prize.names for prize in medals(event)] == [("C",), ("D",), ("A",)], "the highest of all games together"
    finalists = replace(event, finalists_only=True)
    assert [prize.names for prize in medals(finalists)] == [("A",), ("B",)]
    assert totals(event)["B"] == 30 - 900


def test_after_a_correction_that_changes_the_cut_the_game_stays_as_it_was_drawn_unless_decided_otherwise() -> None:
    event = record(draw(four(40, 30, 20, 10), 2, Random(1)), RoundScore(1, 1, "C", 35))
    cut = cut_for(event, 2)
    assert set(entrants(event, 2)) == {"A", "B"} and cut is not None and cut.through == ("A", "C")
    assert entrants(record(event, PlaysOn(2, ("A", "C"))), 2) == ("A", "C")


def test_standings_at_any_moment_count_what_is_there() -> None:
    event = drawn("ABCD")
    assert standings(event) == (Place(1, ("A", "B", "C", "D"), 0),)
    event = record(event, RoundScore(1, 1, "B", -20))
    assert [place.names for place in standings(event)] == [("A", "C", "D"), ("B",)]
    assert medals(event)[0].names == ("A", "C", "D")


def test_two_teams_can_change_tables() -> None:
    event = record(
        TeamsEvent(RULES, tuple("ABCD")), *(Draw(1, t, n) for t, n in zip("ABCD", (1, 1, 2, 2), strict=True))
    )
    event = record(event, Draw(1, "A", 2), Draw(1, "C", 1))
    assert drawn_tables(event, 1) == {"A": 2, "B": 1, "C": 1, "D": 2}
