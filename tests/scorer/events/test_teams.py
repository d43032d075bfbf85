"""The Golden Games event; tests are named after the paragraphs of its sheet that they rest on."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.standings import Place
from scorer.events.teams import begin, cut_for, draw, drawn_tables, entrants, medals, record, scores, standings, total
from scorer.events.teams_due import due
from scorer.events.teams_facts import Agreed, Draw, PlaysOn, RoundScore, TeamsEvent
from scorer.rules import load_rules
from tests.scorer.events.playing import RULES, SIXTEEN, four, number, play


def codes(event: TeamsEvent) -> list[str]:
    return [item.code for item in due(event)]


@pytest.mark.parametrize("teams", [2, 4, 16, 32, 100])
def test_play_3_and_4_teams_draw_the_numbers_of_tables_two_to_a_table(teams: int) -> None:
    names = tuple(f"T {n}" for n in range(teams))
    event = draw(begin(RULES, names), 1, Random(7))
    tables = drawn_tables(event, 1)
    assert set(tables) == set(names)
    assert Counter(tables.values()) == dict.fromkeys(range(1, teams // 2 + 1), 2)


def test_play_4_the_draw_is_by_chance_and_the_numbers_may_be_drawn_from_a_hat() -> None:
    event = begin(RULES, SIXTEEN)
    assert drawn_tables(draw(event, 1, Random(1)), 1) != drawn_tables(draw(event, 1, Random(2)), 1)
    by_hand = record(event, Draw(1, "Team 01", 8), Draw(1, "Team 02", 8))
    assert due(by_hand)[0].teams == SIXTEEN[2:]
    rest = drawn_tables(draw(by_hand, 1, Random(3)), 1)
    assert (rest["Team 01"], rest["Team 02"]) == (8, 8)
    assert Counter(rest.values()) == dict.fromkeys(range(1, 9), 2)


def test_play_7_each_game_is_four_rounds_and_there_are_two_games() -> None:
    event = begin(RULES, SIXTEEN)
    assert (event.games, event.rounds) == (2, 4)
    event = draw(event, 1, Random(1))
    for wrong in (RoundScore(1, 5, "Team 01", 1), RoundScore(1, 0, "Team 01", 1), RoundScore(3, 1, "Team 01", 1)):
        with pytest.raises(EventError, match=r"expected a (round from 1 to 4|game from 1 to 2), got"):
            record(event, wrong)


def test_play_8_each_team_agrees_on_the_other_s_score() -> None:
    event = draw(begin(RULES, ("A", "B")), 1, Random(1))
    assert [(item.code, item.round, item.teams) for item in due(event)] == [("score", 1, ("A", "B"))]
    event = record(event, RoundScore(1, 1, "A", 500))
    assert [(item.code, item.teams) for item in due(event)] == [("score", ("B",))]
    event = record(event, RoundScore(1, 1, "B", 300), Agreed(1, 1, "A"))
    assert [(item.code, item.teams) for item in due(event)] == [("agree", ("B",))]
    event = record(event, Agreed(1, 1, "B"))
    assert [(item.code, item.round) for item in due(event)] == [("score", 2)]


def test_play_8_a_corrected_score_is_agreed_anew() -> None:
    event = draw(begin(RULES, ("A", "B")), 1, Random(1))
    event = record(event, RoundScore(1, 1, "A", 500), RoundScore(1, 1, "B", 300), Agreed(1, 1, "A"), Agreed(1, 1, "B"))
    event = record(event, RoundScore(1, 1, "A", 550))
    assert scores(event)[1, 1, "A"] == (550, False)
    assert [(item.code, item.teams) for item in due(event)] == [("agree", ("A",))]


def test_play_10_and_11_the_top_eight_of_sixteen_play_a_second_game() -> None:
    event = draw(begin(RULES, SIXTEEN), 1, Random(1))
    assert entrants(event, 2) == () and cut_for(event, 2) is None
    event = play(event, 1)
    assert set(entrants(event, 2)) == set(SIXTEEN[8:])
    assert [(item.code, item.game) for item in due(event)] == [("draw", 2)]
    event = draw(event, 2, Random(2))
    assert Counter(drawn_tables(event, 2).values()) == {1: 2, 2: 2, 3: 2, 4: 2}


def test_play_12_scoring_for_both_games_is_cumulative() -> None:
    event = draw(play(draw(begin(RULES, SIXTEEN), 1, Random(1)), 1), 2, Random(2))
    event = play(event, 2, lambda team: 1000 - 100 * number(team))
    # 9 in game 1 and 1000 - 900 in game 2
    assert total(event, "Team 09") == 9 + 100
    assert total(event, "Team 09", until=1) == 9
    assert total(event, "Team 08") == 8
    places = standings(event)
    assert places[0] == Place(1, ("Team 09",), 109)
    assert sum(len(place.names) for place in places) == 16


def test_play_13_and_medal_winners_gold_silver_bronze() -> None:
    event = draw(play(draw(begin(RULES, SIXTEEN), 1, Random(1)), 1), 2, Random(2))
    event = play(event, 2, lambda team: number(team) * 10)
    assert [(prize.name, prize.names) for prize in medals(event)] == [
        ("gold", ("Team 16",)),
        ("silver", ("Team 15",)),
        ("bronze", ("Team 14",)),
    ]
    assert due(event) == ()


def test_medal_winners_a_tie_is_shown_for_the_coordinator() -> None:
    event = draw(play(draw(begin(RULES, SIXTEEN), 1, Random(1)), 1), 2, Random(2))
    # 16 and 15 meet at 1000, 14 and 13 at 500
    sums = {"Team 16": 1000, "Team 15": 1000, "Team 14": 500, "Team 13": 500}
    event = play(event, 2, lambda team: sums.get(team, number(team)) - number(team))
    assert [(prize.name, prize.names, prize.tied) for prize in medals(event)] == [
        ("gold", ("Team 15", "Team 16"), True),
        ("silver", ("Team 15", "Team 16"), True),
        ("bronze", ("Team 13", "Team 14"), True),
    ]
    assert [(item.code, item.teams) for item in due(event)] == [
        ("settle-tie", ("Team 15", "Team 16")),
        ("settle-tie", ("Team 13", "Team 14")),
    ]


def test_determining_a_winner_a_tie_at_the_cut_is_decided_by_the_coordinator() -> None:
    event = four(100, 50, 50, 10)
    assert entrants(event, 2) == ()
    (item,) = due(event)
    assert (item.code, item.teams) == ("decide-cut", ("B", "C"))
    assert item.message == "B and C are tied for the last place of game 2; decide who plays."
    with pytest.raises(EventError, match="expected the 2 best teams for game 2, got B, C"):
        record(event, PlaysOn(2, ("B", "C")))
    with pytest.raises(EventError, match="expected a settled field for game 2"):
        draw(event, 2, Random(1))
    event = record(event, PlaysOn(2, ("A", "C")))
    assert codes(event) == ["draw"]
    assert entrants(draw(event, 2, Random(1)), 2) == ("A", "C")


def test_determining_a_winner_the_number_of_teams_is_divided_in_half_whatever_it_is() -> None:
    assert set(entrants(four(1, 2, 3, 4), 2)) == {"C", "D"}
    six = draw(begin(RULES, tuple("ABCDEF")), 1, Random(1))
    six = play(six, 1, "ABCDEF".index)
    assert entrants(six, 2) == ()
    (item,) = due(six)
    assert item.message == ("The better half would be 3 teams, one without an opponent; decide who plays game 2.")
    assert entrants(record(six, PlaysOn(2, ("F", "E", "D", "C"))), 2) == ("F", "E", "D", "C")
    with pytest.raises(EventError, match="expected an even number of teams, each once, got F, E, D"):
        record(six, PlaysOn(2, ("F", "E", "D")))


def test_a_correction_that_changes_the_cut_is_reported() -> None:
    event = draw(four(40, 30, 20, 10), 2, Random(1))
    assert set(entrants(event, 2)) == {"A", "B"} and codes(event) == ["score"]
    event = record(event, RoundScore(1, 1, "C", 35), Agreed(1, 1, "C"))
    assert set(entrants(event, 2)) == {"A", "B"}
    assert [(item.code, item.teams) for item in due(event)][:1] == [("review-cut", ("C",))]
    event = record(event, PlaysOn(2, ("A", "C")))
    assert codes(event) == ["draw"]
    assert [item.teams for item in due(event)] == [("C",)]


def test_corrections_count_in_the_standings_at_once() -> None:
    event = record(four(40, 30, 20, 10), RoundScore(1, 1, "D", 1000))
    assert standings(event)[0] == Place(1, ("D",), 1000)
    assert codes(event) == ["agree"]


def test_standings_at_any_moment_count_what_is_there() -> None:
    event = draw(begin(RULES, ("A", "B", "C", "D")), 1, Random(1))
    assert standings(event) == (Place(1, ("A", "B", "C", "D"), 0),)
    event = record(event, RoundScore(1, 1, "B", -20))
    assert [place.names for place in standings(event)] == [("A", "C", "D"), ("B",)]
    assert medals(event)[0].names == ("A", "C", "D")


def test_two_teams_can_change_tables() -> None:
    event = record(
        begin(RULES, ("A", "B", "C", "D")), *(Draw(1, t, n) for t, n in zip("ABCD", (1, 1, 2, 2), strict=True))
    )
    event = record(event, Draw(1, "A", 2), Draw(1, "C", 1))
    assert drawn_tables(event, 1) == {"A": 2, "B": 1, "C": 1, "D": 2}


def test_drawing_leaves_the_original_event_unchanged() -> None:
    event = begin(RULES, ("A", "B"))
    assert draw(event, 1, Random(1)).facts and event.facts == ()


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (Draw(1, "X", 1), "expected a team of game 1, got X"),
        (Draw(1, "A", 3), "expected a table from 1 to 2, got 3"),
        (Draw(1, "A", 0), "expected a table from 1 to 2, got 0"),
        (Draw(1, "D", 1), "expected 2 teams at a table, got 3 at table 1"),
        (RoundScore(1, 1, "D", 5), "expected a team that has drawn its table, got D"),
        (RoundScore(2, 1, "A", 5), "expected a team of game 2, got A"),
        (Agreed(1, 1, "A"), "expected a score of A in round 1 to agree with, got none"),
        (PlaysOn(2, ("A", "B")), "expected the teams of game 2 once all scores before it are in, got them now"),
    ],
)
def test_an_impossible_fact_is_refused_in_one_sentence(
    fact: Draw | RoundScore | Agreed | PlaysOn, sentence: str
) -> None:
    event = record(begin(RULES, ("A", "B", "C", "D")), Draw(1, "A", 1), Draw(1, "B", 1), Draw(1, "C", 2))
    with pytest.raises(EventError) as refused:
        record(event, fact)
    assert str(refused.value) == sentence


def test_only_teams_of_the_previous_game_advance() -> None:
    with pytest.raises(EventError, match="expected teams of game 1, got X"):
        record(four(1, 2, 3, 4), PlaysOn(2, ("A", "X")))


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        (("A",), "expected 2 teams or more, got 1"),
        ((), "expected 2 teams or more, got 0"),
        (("A", "A"), "expected a name of its own for each team, got one twice or an empty one"),
        (("A", ""), "expected a name of its own for each team, got one twice or an empty one"),
    ],
)
def test_an_event_with_invalid_teams_is_refused(teams: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(EventError) as refused:
        begin(RULES, teams)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("rules", ["tanglewood", "tournament-play"])
def test_rules_without_such_an_event_are_refused(rules: str) -> None:
    with pytest.raises(EventError, match="expected rules with an event of fixed teams, got"):
        begin(load_rules(rules), ("A", "B"))
