"""Progress, plot, score pad and statistics, on sheets whose points are computed by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer.rules import load_rules
from webui.games.plot import plot_totals
from webui.games.progress import GameProgress, game_progress, seats
from webui.games.results.round_results import SideResult
from webui.games.score_pad import as_csv, brief_lines, pad_rows
from webui.games.season.person_total import PersonTotal
from webui.games.season.played_games import PersonGame
from webui.games.statistics import player_statistics, records
from webui.rounds.round_view import agreed_tally
from webui.storage.records import GameRecord, RoundRecord, SideRecord

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))
CLEAN_4S = ["4H"] * 4 + ["4S"] * 3  # 700 + 7 x 5 = 735
DIRTY_KINGS = ["KH", "KS", "KD", "KC", "KH", "2S", "2H"]  # 300 + 5 x 10 + 2 x 20 = 390


def sheet(number: int, *melds: list[list[str]], out: int | None = None, left: str = "JK") -> dict[str, Any]:
    """A round sheet: each side has its melds and, unless it went out, one card left."""
    sides = [
        {"name": side.name, "melds": found, "went_out": out == place, "left": [[] if out == place else [left]]}
        for place, (side, found) in enumerate(zip(SIDES, melds, strict=True))
    ]
    return {"rules": "golden-games", "round": number, "players": 4, "sides": sides}


def game(*sheets: dict[str, Any] | None, id: int = 1, state: str | None = None, first: str | None = None) -> GameRecord:
    rounds = tuple(
        RoundRecord(at, at, {}, (), (), None if held is None else json.dumps(held)) for at, held in enumerate(sheets, 1)
    )
    return GameRecord(id, "2026-01-02T03:04:05+00:00", "golden-games", 4, SIDES, rounds, state, first)


def progress(*sheets: dict[str, Any] | None, **more: Any) -> GameProgress:
    return game_progress(game(*sheets, **more), load_rules("golden-games"))


US_WIN = sheet(1, [CLEAN_4S], [DIRTY_KINGS], out=0)  # 735 + 100 = 835; 390 - 50 = 340
THEY_WIN = sheet(2, [], [CLEAN_4S, DIRTY_KINGS], out=1)  # -50; 735 + 390 + 100 = 1225


def test_points_running_totals_and_winners() -> None:
    played = progress(US_WIN, THEY_WIN)
    assert played.points == {1: (835, 340), 2: (-50, 1225)}
    assert played.running == {1: (835, 340), 2: (785, 1565)}
    assert played.totals == (785, 1565) and played.leaders == (1,)
    assert [(side.books, side.went_out) for side in played.results[2]] == [((0, 0, 0), False), ((1, 1, 0), True)]
    assert played.next_round == 3 and not played.over and list(played.round_numbers) == [1, 2, 3, 4]


def test_an_open_round_in_the_middle_comes_next() -> None:
    played = progress(US_WIN, None, sheet(3, [], []))
    assert played.next_round == 2 and list(played.running) == [1, 3]


@pytest.mark.parametrize(
    ("state", "rounds", "over", "following", "shown"),
    [
        (None, 3, False, 4, 4),
        (None, 4, True, None, 4),
        ("ended", 2, True, None, 4),
        ("open", 4, False, 5, 5),
        ("open", 5, False, 6, 6),
        ("ended", 0, True, None, 4),
    ],
)
def test_when_a_game_is_over(state: str | None, rounds: int, over: bool, following: int | None, shown: int) -> None:
    played = progress(*(sheet(number, [], []) for number in range(1, rounds + 1)), state=state)
    assert (played.over, played.next_round, len(played.round_numbers)) == (over, following, shown)


def test_the_starting_player_goes_round_the_table() -> None:
    assert seats(game()) == ("Ann", "Cy", "Bo", "Di")
    assert progress(first="Cy").starter == "Cy"
    assert progress(US_WIN, first="Cy").starter == "Bo"
    assert progress(US_WIN).starter is None and progress(first="nobody here").starter is None
    assert progress(US_WIN, first="Cy", state="ended").starter is None


def test_a_first_meld_by_total_differs_between_sides() -> None:
    clean_8s = [f"8{card[1]}" for card in CLEAN_4S]
    played = game_progress(game(sheet(1, [CLEAN_4S, DIRTY_KINGS, clean_8s], [])), load_rules("canasta"))
    assert played.totals[0] > 1000 > 0 > played.totals[1]
    assert (played.first_meld_minimum(0, 2), played.first_meld_minimum(1, 2)) == (50, 15)


def test_other_rules_give_other_points_for_the_same_round() -> None:
    held = game(US_WIN)
    assert game_progress(held, load_rules("tanglewood")).points == {1: (500 + 35 + 100, 300 + 50 + 40 - 50)}
    assert game_progress(held, load_rules("golden-games")).points == {1: (835, 340)}


def test_personal_totals_where_the_rules_have_them() -> None:
    """Tournament play, rule 3: both hands of a set, for each partner alone."""
    played = game_progress(game(US_WIN, THEY_WIN), load_rules("tournament-play"))
    us, them = played.totals
    assert played.own_totals == {"Ann": us, "Bo": us, "Cy": them, "Di": them} and us != them
    assert progress(US_WIN).own_totals == {}


def test_cached_results_are_never_mixed_up() -> None:
    first, second = ({**US_WIN}, {**THEY_WIN, "round": 1})
    rules = load_rules("golden-games")
    for held, points in ((first, (835, 340)), (second, (-50, 1225)), (first, (835, 340))):
        record = RoundRecord(1, 1, {}, (), (), json.dumps(held), 77)
        found = game_progress(GameRecord(1, "", "golden-games", 4, SIDES, (record,)), rules)
        assert found.points == {1: points}


def test_the_plot_contains_every_total_and_its_grid_has_round_numbers() -> None:
    assert plot_totals(progress()) is None
    plot = plot_totals(progress(US_WIN, THEY_WIN))
    assert plot is not None
    assert [tick.label for tick in plot.points] == ["0", "500", "1,000", "1,500", "2,000"]
    assert [tick.label for tick in plot.along] == ["1", "2"]
    us, them = plot.curves
    assert (us.last, them.last) == (785, 1565)
    assert us.path.split()[0] == them.path.split()[0] == f"{plot.left:.1f},{plot.bottom:.1f}", "both begin with nothing"
    assert us.dots[0][1] < them.dots[0][1] and us.dots[1][1] > them.dots[1][1], "more points stand higher"
    assert all(
        plot.left <= x <= plot.right and plot.top <= y <= plot.bottom for curve in plot.curves for x, y in curve.dots
    )


def test_the_plot_of_negative_points_reaches_below_zero() -> None:
    plot = plot_totals(progress(sheet(1, [], [], left="3D")))  # a red three left is -100
    assert plot is not None and plot.points[0].label == "−100" and plot.points[-1].label == "0"
    first, second = (curve.label_y for curve in plot.curves)
    assert abs(first - second) >= 20, "equal totals do not write their names over each other"


def test_the_parts_of_the_score_pad_add_up() -> None:
    rows = pad_rows(progress(US_WIN, THEY_WIN))
    assert rows[0].parts == {"books": 700, "cards": 35, "laid": 0, "extras": 100, "left": 0, "typed": 0}
    assert rows[1].parts == {"books": 300, "cards": 90, "laid": 0, "extras": 0, "left": -50, "typed": 0}
    assert [(row.round, row.side, row.result.points, row.total) for row in rows] == [
        (1, 0, 835, 835),
        (1, 1, 340, 340),
        (2, 0, -50, 785),
        (2, 1, 1225, 1565),
    ]
    assert all(sum(row.parts.values()) == row.result.points for row in rows)


def test_a_brief_round_has_one_line_per_meld() -> None:
    played = progress(THEY_WIN)
    tally = agreed_tally(played.game.rounds[0], played.rules)
    assert tally is not None
    assert brief_lines(tally.sides[0]) == [("left in hand and foot", -50)]
    assert brief_lines(tally.sides[1]) == [("clean book of 4s", 735), ("dirty book of kings", 390), ("going out", 100)]


def test_no_name_in_the_csv_is_a_formula() -> None:
    bad = (SideRecord("=1+1", ("@a", "b")), SIDES[1])
    held = GameRecord(1, "x", "golden-games", 4, bad, game(US_WIN).rounds)
    text = "".join(as_csv([game_progress(held, load_rules("golden-games"))]))
    assert "'=1+1" in text and ",=1+1" not in text and ",'@a,b," in text


def test_statistics_of_people_and_sides() -> None:
    games = [progress(US_WIN, state="ended"), progress(US_WIN, THEY_WIN, state="ended", id=2), progress(US_WIN, id=3)]
    ann, bo, cy, _ = player_statistics(games)
    assert (ann.name, ann.games, ann.finished, ann.won, ann.streak) == ("Ann", 3, 2, 1, 1)
    assert (ann.points, ann.rounds, ann.round_average) == (835 * 3 - 50, 4, 614) and bo.points == ann.points
    assert (cy.won, cy.books) == (1, {"clean": 1, "dirty": 4, "wild": 0})
    assert cy.best_round is not None and (cy.best_round.value, cy.best_round.game_id, cy.best_round.round) == (
        1225,
        2,
        2,
    )
    assert (ann.left, ann.left_rounds, ann.average_left, ann.clean_share) == (-50, 4, -12, 100)
    assert (cy.average_left, cy.clean_share, PersonTotal("Di").average_left) == (-38, 20, None)
    assert {one.name for one in player_statistics(games, by_sides=True)} == {"Us", "Them"}


def test_who_went_out_is_counted_for_that_person_alone() -> None:
    games = [progress(US_WIN, THEY_WIN, id=7), progress(US_WIN, id=8)]
    people = player_statistics(games, out_players={(7, 1, 0): 1, (7, 2, 1): 0, (7, 2, 0): 0})
    assert {one.name: one.went_out for one in people} == {"Ann": 0, "Bo": 1, "Cy": 1, "Di": 0}
    assert {one.name: one.went_out for one in player_statistics(games, by_sides=True)} == {"Us": 2, "Them": 1}


def test_a_share_of_books_and_what_was_left_are_records_of_enough_rounds_alone() -> None:
    games = [progress(US_WIN, THEY_WIN, state="ended", id=id) for id in (1, 2)]
    found = records(games, player_statistics(games, by_sides=True))
    assert found.cleanest is None and found.least_left is not None
    assert (found.least_left.name, found.least_left.value) == ("Them", -25)
    games += [progress(THEY_WIN, id=id) for id in (3, 4)]
    found = records(games, player_statistics(games, by_sides=True))
    assert found.cleanest is not None and (found.cleanest.name, found.cleanest.value) == ("Them", 40)


def test_what_was_left_is_not_known_of_a_total_that_was_typed() -> None:
    typed = SideResult((0, 0, 0, 0, 0, 900), (0, 0, 0), False, 0, True)
    told = SideResult((0, 200, 0, 0, -80, 0), (0, 0, 0), False, 0)
    sums = PersonTotal("Ann")
    sums.add(PersonGame("Ann", "open", {1: typed, 2: told}), progress(US_WIN, THEY_WIN))
    assert (sums.points, sums.left, sums.left_rounds) == (1020, -80, 1)


def test_a_streak_counts_consecutive_wins() -> None:
    won, lost = progress(US_WIN, state="ended"), progress(THEY_WIN, state="ended")
    ann = next(
        one for one in player_statistics([won, won, lost, won, won, won, progress(THEY_WIN)]) if one.name == "Ann"
    )
    assert ann.streak == 3, "an open game ends no streak"


def test_house_records() -> None:
    games = [
        progress(US_WIN, state="ended", id=4),
        progress(US_WIN, THEY_WIN, state="ended", id=5),
        progress(US_WIN, id=6),
    ]
    found = records(games, player_statistics(games))
    assert found.best_round is not None and (found.best_round.value, found.best_round.name) == (1225, "Them")
    assert found.best_game is not None and (found.best_game.value, found.best_game.game_id) == (1565, 5)
    assert found.closest is not None and (found.closest.value, found.closest.game_id) == (495, 4)
    assert found.comeback is not None and (found.comeback.value, found.comeback.name) == (835 - 340, "Them")
    assert found.most_clean is not None and found.most_clean.value == 1 and found.streak is None


def test_a_tie_is_a_win_for_nobody() -> None:
    behind = sheet(1, [CLEAN_4S], [DIRTY_KINGS]), sheet(2, [DIRTY_KINGS], [CLEAN_4S])
    games = [progress(*behind, state="ended")]
    found = records(games, player_statistics(games))
    assert games[0].leaders == (0, 1) and games[0].winner is None
    assert found.closest is None and found.comeback is None and found.best_game is not None
    for by_sides in (False, True):
        assert all((one.finished, one.won, one.streak) == (1, 0, 0) for one in player_statistics(games, by_sides))
