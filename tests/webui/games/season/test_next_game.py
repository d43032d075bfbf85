"""Who plays next: partners rotate, people come and go, names change places."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from scorer.rules import load_rules
from tests.webui.games.season.season_games import ACE, BOOK, a_game
from webui.games.season.next_game import History, history, proposals
from webui.games.season.seats import NewSeats, each_once, new_game_fields, read_order, seated_now
from webui.storage.records import GameRecord

FOUR = ["Ann", "Bo", "Cy", "Di"]
NOTHING = History({}, {}, {}, {})


def sides(people: list[str], past: History, *seating: int, floating: int | None = None) -> str:
    return "-".join(",".join(side) for side in proposals(people, seating, past, floating)[0].sides)


def play_on(people: list[str], games: int) -> list[str]:
    """The sides of so many games, each the best proposal after those before."""
    played: list[GameRecord] = []
    for id in range(1, games + 1):
        played.append(a_game(id, sides(people, history(played), 2, 2), (BOOK, ACE)))
    return ["-".join(",".join(side.players) for side in game.sides) for game in played]


def test_partners_rotate() -> None:
    first_three = ["Ann,Bo-Cy,Di", "Ann,Cy-Bo,Di", "Ann,Di-Bo,Cy"]
    assert play_on(FOUR, 6) == first_three * 2, "after all three, those come first who were partners longest ago"


def test_pairs_that_played_least_together_come_first() -> None:
    games = [a_game(id, "Ann,Bo-Cy,Di", (BOOK, ACE)) for id in (1, 2)] + [a_game(3, "Ann,Cy-Bo,Di", (BOOK, ACE))]
    past = history(games)
    assert [proposal.sides[0] for proposal in proposals(FOUR, (2, 2), past)] == [
        ("Ann", "Di"),
        ("Ann", "Cy"),
        ("Ann", "Bo"),
    ]
    assert past.games("ann", "BO") == 2 and past.games("Ann", "Di") == 0


def test_removed_and_unplayed_games_are_no_history() -> None:
    game = a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE))
    past = history([replace(game, state="removed"), a_game(2, "Ann,Bo-Cy,Di"), replace(game, id=3, rules="lost")])
    assert past.games("Ann", "Bo") == 1, "a game that cannot be scored was played all the same"


def test_whoever_played_most_that_day_sits_out() -> None:
    five = [*FOUR, "Eva"]
    games = [a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE), day="2026-02-01")]
    games += [a_game(2, "Ann,Bo-Cy,Eva", (BOOK, ACE)), a_game(3, "Ann,Cy-Di,Eva", (BOOK, ACE))]
    past = history(games)
    # of the last day: Ann, Cy and Eva played twice, Bo and Di once
    assert proposals(five, (2, 2), past)[0].out == ("Eva",)
    assert all(proposal.out == ("Eva",) for proposal in proposals(five, (2, 2), past))


def test_whoever_changed_sides_least_is_the_floater() -> None:
    games = [a_game(1, "Ann,Bo,Flo-Cy,Di", (BOOK, ACE), rules="hand-n-foot")]
    past = history(games)
    assert past.floated == {"flo": 1} and past.games("Flo", "Di") == 1 and past.games("Flo", "Ann") == 1
    best = proposals(["Flo", *FOUR], (3, 2), past, 0)[0].sides
    assert best[0][-1] == "Ann" and set(best[1]) | set(best[0][:2]) == {"Flo", "Bo", "Cy", "Di"}
    assert past.games(*best[0][:2]) + past.games(*best[1]) == 1, "Flo played with each of them once"


@pytest.mark.parametrize(
    ("seating", "ways"), [((2, 2), 3), ((2, 2, 2), 15), ((3, 3), 10), ((3, 2), 10), ((3, 3, 2), 280), ((1, 1, 1), 1)]
)
def test_every_way_to_seat_people_is_proposed_once(seating: tuple[int, ...], ways: int) -> None:
    people = [f"P{at}" for at in range(sum(seating))]
    found = proposals(people, seating, NOTHING)
    assert len(found) == len({frozenset(map(frozenset, one.sides)) for one in found}) == ways
    assert all(sorted(name for side in one.sides for name in side) == people for one in found)


def test_over_a_season_everybody_plays_with_everybody() -> None:
    six = [*FOUR, "Eva", "Fred"]
    played: list[GameRecord] = []
    for id in range(1, 6):
        played.append(a_game(id, sides(six, history(played), 2, 2, 2), (BOOK, ACE, ACE)))
    past = history(played)
    assert all(past.games(*pair) == 1 for pair in combinations(six, 2))


def seats(people: list[str], rules: str = "golden-games", before: str = "Ann,Bo-Cy,Di", **more: object) -> NewSeats:
    game = a_game(1, before, (BOOK, ACE), rules=rules)
    turn = int(str(more.get("turn", 0)))
    return seated_now(people, load_rules(rules), history([game]), str(more.get("seats", "")), game, turn)


def test_names_change_places() -> None:
    now = seats([*FOUR, "Eva"])
    assert [now.name(place) for place in now.out] == ["Di"]
    swapped = now.swapped(0, 4)
    assert swapped.name(0) == "Di" and swapped.name(4) == now.name(0)
    assert now.swapped(0, 9) == now and now.swapped(-1, 2) == now


def test_proposals_in_turn_begin_again_after_the_last() -> None:
    assert len({seats(FOUR, turn=turn).order for turn in range(3)}) == 3
    assert seats(FOUR, turn=3) == seats(FOUR)


def test_as_many_play_as_the_rules_let() -> None:
    six = seats([*FOUR, "Eva", "Fred"], "tanglewood")
    assert six.seating in load_rules("tanglewood").sides_for(6) and not six.out
    assert len(seats([*FOUR, "Eva", "Fred"]).out) == 2
    five = seats([*FOUR, "Eva"], "hand-n-foot")
    assert sum(five.seating) == 5 and five.floating == 0


def test_partners_who_stay_together_keep_the_name_of_their_side() -> None:
    game = a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE))
    named = replace(game, sides=(replace(game.sides[0], name="The Foxes"), game.sides[1]))
    rules = load_rules("golden-games")
    same = NewSeats(("Bo", "Ann", "Di", "Cy"), (0, 1, 2, 3), (2, 2), None)
    fields = new_game_fields(same, named, rules)
    assert fields["side0"] == "The Foxes" and "side1" not in fields and fields["player1.1"] == "Cy"
    assert "side0" not in new_game_fields(same.swapped(0, 2), named, rules)


def test_a_new_floater_names_no_side() -> None:
    game = a_game(1, "Ann,Bo,Flo-Cy,Di", (BOOK, ACE), rules="hand-n-foot")
    named = replace(game, sides=(replace(game.sides[0], name="Ann & Bo"), game.sides[1]))
    now = NewSeats(("Ann", "Flo", "Bo", "Cy", "Di"), (0, 1, 2, 3, 4), (3, 2), 0)
    assert "side0" not in new_game_fields(now, named, load_rules("hand-n-foot"))


def test_what_is_said_of_partners() -> None:
    game = a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE))
    past = history([game, replace(game, id=2)])
    now = NewSeats(tuple(FOUR), (0, 1, 2, 3), (2, 2), None)
    assert now.together(0, past) == "They have been partners 2 times"
    assert now.swapped(1, 2).together(0, past) == "They have never been partners"
    three = NewSeats((*FOUR, "Eva", "Fred"), (0, 1, 2, 3, 4, 5), (3, 3), None)
    assert three.together(0, past) == "2 of 3 pairs are partners for the first time"
    assert NewSeats(("Ann", "Bo"), (0, 1), (1, 1), None).together(0, past) == ""


def test_names_and_orders_of_a_form() -> None:
    assert each_once(["Ann", "", "ANN", "Player 3", "North", "Bo"]) == ("Ann", "Bo")
    assert read_order("2,0,1", 3) == (2, 0, 1)
    assert [read_order(text, 3) for text in ("", "0,1", "0,1,1", "0,1,3", "a,b,c", "0,1,2,3")] == [None] * 6
