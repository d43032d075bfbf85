"""The Golden Games event; tests are named after the paragraphs of its sheet that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest

from scorer.errors import EventError
from scorer.events.event import Event, Seats, resting, round_points, standings, totals
from scorer.events.standings import Cut, Place, Ties, average
from scorer.events.teams import cut_for, draw, entrants, medals

SIXTEEN = tuple(f"Team {n:02}" for n in range(1, 17))


def an_event(teams: Iterable[str], **more: object) -> Event:
    """Two games of four rounds, nothing drawn yet."""
    start = Event(True, dict.fromkeys(teams), 4, (Seats(), Seats()), ("gold", "silver", "bronze"))
    return replace(start, **more)  # type: ignore[arg-type]


def drawn(event: Event, game: int, seed: int = 1) -> Event:
    seats = draw(event, game, Random(seed))
    return replace(event, stages=tuple(seats if at == game else of for at, of in enumerate(event.stages, 1)))


def play(event: Event, game: int, points: Callable[[str], int]) -> Event:
    """Every team scores its points in the first round and nothing in the others."""
    found = dict(event.scores)
    for table, ((one,), (two,)) in enumerate(event.seats(game).tables, 1):
        found[game, table] = {round: (points(one) * (round == 1), points(two) * (round == 1)) for round in range(1, 5)}
    return replace(event, scores=found)


def four(*points: int, **more: object) -> Event:
    """Four teams A to D after game 1 with those points, A against B at table 1."""
    seats = Seats(((("A",), ("B",)), (("C",), ("D",))))
    return play(an_event("ABCD", stages=(seats, Seats()), **more), 1, lambda team: points["ABCD".index(team)])


def scored(event: Event, game: int, table: int, round: int, points: tuple[int, int]) -> Event:
    known = event.scores.get((game, table), {})
    return replace(event, scores={**event.scores, (game, table): {**known, round: points}})


@pytest.mark.parametrize("teams", [2, 4, 16, 100])
def test_play_3_and_4_teams_draw_tables_two_to_a_table_by_chance(teams: int) -> None:
    names = [f"T {n}" for n in range(teams)]
    seats = draw(an_event(names), 1, Random(1))
    assert sorted(seats.seated) == sorted(names) and len(seats.tables) == teams // 2 and seats.out == ()
    assert teams < 16 or draw(an_event(names), 1, Random(2)).tables != seats.tables
    assert draw(an_event(names), 1, Random(1)) == seats


def test_play_10_and_11_the_top_eight_of_sixteen_play_a_second_game() -> None:
    event = drawn(an_event(SIXTEEN), 1)
    assert entrants(event, 2) == () and cut_for(event, 2) is None and cut_for(event, 1) is None
    with pytest.raises(EventError, match="expected a settled field for game 2"):
        draw(event, 2, Random(1))
    event = play(event, 1, SIXTEEN.index)
    assert set(entrants(event, 2)) == {*SIXTEEN[8:]} == {*draw(event, 2, Random(2)).seated}
    assert entrants(event, 3) == ()


def test_play_12_and_13_both_games_add_up_and_ties_for_medals_are_shown() -> None:
    event = drawn(play(drawn(an_event(SIXTEEN), 1), 1, SIXTEEN.index), 2)
    sums = {"Team 16": 1000, "Team 15": 1000, "Team 14": 500, "Team 13": 500}
    event = play(event, 2, lambda team: sums.get(team, SIXTEEN.index(team)) - SIXTEEN.index(team))
    assert totals(event)["Team 16"] == 1000 and totals(event, until=1)["Team 16"] == 15
    assert [(prize.name, prize.names, prize.tied) for prize in medals(event)] == [
        ("gold", ("Team 15", "Team 16"), True),
        ("silver", ("Team 15", "Team 16"), True),
        ("bronze", ("Team 13", "Team 14"), True),
    ]


def test_determining_a_winner_a_tie_at_the_cut_is_decided_by_the_coordinator() -> None:
    event = four(100, 50, 50, 10)
    assert cut_for(event, 2) == Cut(("A",), ("B", "C"), 1) and entrants(event, 2) == ()
    decided = replace(event, plays_on={2: ("A", "C")})
    assert entrants(decided, 2) == ("A", "C") == draw(decided, 2, Random(1)).seated
    for wrong in (("A", "D"), ("B", "C"), ("A",)):
        assert entrants(replace(event, plays_on={2: wrong}), 2) == ()
    assert entrants(scored(decided, 1, 1, 2, (0, 1)), 2) == ("A", "B"), "the tie is none any more"
    assert entrants(replace(decided, gone={"C": 2}), 2) == ("A", "B")


def test_determining_a_winner_a_half_that_is_odd_is_decided_too() -> None:
    six = play(drawn(an_event("ABCDEF"), 1), 1, "ABCDEF".index)
    cut = cut_for(six, 2)
    assert cut is not None and set(cut.through) == set("DEF") and entrants(six, 2) == ()
    assert entrants(replace(six, plays_on={2: ("F", "E", "D", "C")}), 2) == ("F", "E", "D", "C")
    assert entrants(replace(six, plays_on={2: ("F", "E", "D")}), 2) == ()
    assert entrants(replace(six, plays_on={2: ("F", "E", "D", "C")}, gone={"C": 2}), 2) == ()


def test_the_cut_waits_for_all_rounds_and_may_be_a_number() -> None:
    whole = four(40, 30, 20, 10)
    for missing in (1, 2, 4):
        kept = {round: of for round, of in whole.scores[1, 2].items() if round != missing}
        event = replace(whole, scores={**whole.scores, (1, 2): kept})
        assert cut_for(event, 2) is None and entrants(event, 2) == ()
    assert set(entrants(replace(whole, cut=4), 2)) == set("ABCD")


def test_who_plays_the_second_game_stays_whatever_is_scored_or_corrected_since() -> None:
    event = play(drawn(four(40, 30, 20, 10), 2), 2, lambda team: {"A": -500, "B": -900}[team])
    assert [prize.names for prize in medals(event)] == [("C",), ("D",), ("A",)], "the highest of all games together"
    assert [prize.names for prize in medals(replace(event, finalists_only=True))] == [("A",), ("B",)]
    corrected = scored(event, 1, 2, 1, (35, 10))
    cut = cut_for(corrected, 2)
    assert set(entrants(corrected, 2)) == {"A", "B"} and cut is not None and cut.through == ("A", "C")


def test_of_an_odd_number_one_sits_out_and_gets_the_average_and_not_again() -> None:
    for seed in range(20):
        event = drawn(an_event("ABCDE", cut=5), 1, seed)
        (rests,) = resting(event, 1)
        event = play(event, 1, lambda team: 100)
        assert round_points(event, 1)[rests] == {1: 100, 2: 0, 3: 0, 4: 0}
        assert rests not in resting(drawn(event, 2, seed + 1), 2) and len(entrants(event, 2)) == 5
    late = drawn(replace(event, names={**event.names, "F": None}), 1)
    gone = draw(replace(event, names={**event.names, "F": None}, gone={rests: 2}), 1, Random(1))
    assert len(gone.tables) == 2 and set(gone.out) == {rests, "F"}, "who went home is seated no more"
    assert resting(late, 1) == frozenset() and set(late.seats(1).tables[2]) == {(rests,), ("F",)}


@pytest.mark.parametrize("seed", range(4))
def test_the_lowest_of_those_who_sat_out_least_sits_out_where_the_event_says_so(seed: int) -> None:
    event = drawn(an_event("ABCDE", cut=100, byes="lowest"), 1, seed)
    (rested,) = resting(event, 1)
    event = drawn(play(event, 1, lambda team: 50 - "ABCDE".index(team)), 2, seed)
    assert resting(event, 2) == {"D" if rested == "E" else "E"}


@pytest.mark.parametrize(("points", "expected"), [([1, 2], 2), ([-1, -2], -1), ([10], 10), ([3, 3, 5], 4)])
def test_an_average_is_the_nearest_whole_number(points: list[int], expected: int) -> None:
    assert average(points) == expected


def test_a_team_that_goes_home_after_a_game_leaves_its_place_to_the_next_best() -> None:
    event = replace(four(4, 3, 2, 1), gone={"A": 2})
    assert entrants(event, 2) == ("B", "C")
    event = play(drawn(event, 2), 2, lambda team: 9)
    assert [prize.names for prize in medals(event)] == [("B",), ("C",), ("D",)], "and it gets no medal"
    assert standings(event)[-1] == Place(0, ("A",), 4), "nor a place"
    out = replace(event, gone={"A": 2, "D": 2}, done={"D"})
    assert standings(out) == standings(event), "who was out by then keeps its place"


def test_a_team_that_goes_home_during_a_game_leaves_the_average_to_its_opponents() -> None:
    event = replace(four(0, 0, 0, 0), gone={"A": 1})
    event = replace(event, scores={(1, 1): {1: (80, 80)}, (1, 2): {n: (10 * n, 20 * n) for n in (1, 2, 3, 4)}})
    assert round_points(event, 1)["B"] == {1: 80, 2: 30, 3: 45, 4: 60}, "what was played counts"
    cut = cut_for(event, 2)
    assert cut is not None and cut.through == ("B", "D")


def test_ties_that_a_person_decides_count_as_long_as_they_are_ties() -> None:
    event = play(drawn(four(4, 3, 2, 1), 2), 2, {"A": 1, "B": 2}.__getitem__)
    assert standings(event)[0] == Place(1, ("A", "B"), 5)
    event = replace(event, orders=(("B", "A"),))
    assert standings(event)[:2] == (Place(1, ("B",), 5), Place(2, ("A",), 5))
    event = replace(event, adjusted=(("A", 2, 7),))
    assert standings(event)[0] == Place(1, ("A",), 12) and totals(event, until=1)["A"] == 4


@pytest.mark.parametrize(
    ("ties", "order"), [("decide", [("A", "B")]), ("last", [("A",), ("B",)]), ("best", [("B",), ("A",)])]
)
def test_an_event_may_say_what_decides_between_equal_totals(ties: Ties, order: list[tuple[str, ...]]) -> None:
    seats = Seats(((("A",), ("B",)),))
    event = play(an_event("AB", stages=(seats, seats), ties=ties), 1, {"A": 100, "B": 600}.__getitem__)
    for round, points in enumerate(((500, 100), (500, 200), (0, 200)), 1):
        event = scored(event, 2, 1, round, points)
    assert {place.total for place in standings(event)} == {1100}
    assert [place.names for place in standings(event)] == order


def test_a_tie_at_the_cut_is_decided_by_the_best_round_where_the_event_says_so() -> None:
    event = scored(scored(four(400, 300, 300, 100), 1, 1, 1, (400, 350)), 1, 1, 2, (0, -50))
    assert cut_for(event, 2) == Cut(("A",), ("B", "C"), 1)
    assert cut_for(replace(event, ties="best"), 2) == Cut(("A", "B"))
