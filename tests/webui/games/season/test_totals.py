"""Each person's own totals over games with changing partners, worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date

import pytest

from scorer.rules import load_rules, rules_from_text
from tests.webui.games.season.season_games import ACE, BOOK, a_game
from webui.games.season.person_total import PersonTotal
from webui.games.season.season_csv import season_csv
from webui.games.season.span import Span, SpanError, read_span, usual_spans
from webui.games.season.totals import Season, season
from webui.storage.kept_rules import kept

CHANGING = [
    a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE), (ACE, BOOK), (BOOK, ACE)),  # 1,530 : 855
    a_game(2, "Ann,Cy-Bo,Di", (ACE, BOOK)),  # 60 : 735
    a_game(3, "Ann,Di-Bo,Cy", (BOOK, ACE), state=None),  # 735 : 60, not finished
]


def person(whole: Season, name: str, rules: int = 0) -> PersonTotal:
    return whole.of(name)[rules][1]


def test_the_rounds_of_sets_are_hands() -> None:
    for rules, in_hands in (("tournament-play", True), ("golden-games", False)):
        (told,) = season([a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE), rules=rules)]).rule_sets
        assert told.in_hands is in_hands


def test_each_person_has_the_points_of_their_sides() -> None:
    whole = season(CHANGING)
    ann, bo = person(whole, "Ann"), person(whole, "Bo")
    assert (ann.points, ann.rounds, ann.games, ann.finished, ann.won, ann.open) == (1530 + 60 + 735, 5, 3, 2, 1, 1)
    assert (bo.points, bo.rounds, bo.won) == (1530 + 735 + 60, 5, 2)
    assert person(whole, "Cy").points == 855 + 60 + 60 and person(whole, "Di").points == 855 + 735 + 735


def test_averages_and_the_best_round() -> None:
    ann = person(season(CHANGING), "Ann")
    assert ann.game_average == (1530 + 60) // 2, "an unfinished game is not in it"
    assert ann.round_average == (1530 + 60 + 735) // 5
    assert ann.best_round is not None
    assert (ann.best_round.value, ann.best_round.game_id, ann.best_round.round) == (735, 1, 1), (
        "the first of equal ones"
    )


def test_partners_and_opponents() -> None:
    ann = person(season(CHANGING), "Ann")
    assert [(one.name, one.games, one.won, one.rounds, one.average) for one in ann.most_together] == [
        ("Bo", 1, 1, 3, 510),
        ("Cy", 1, 0, 1, 60),
        ("Di", 1, 0, 1, 735),
    ]
    assert ann.most_against == [("Bo", 2), ("Cy", 2), ("Di", 2)]


def test_an_unfinished_game_is_counted_as_such() -> None:
    (totals,) = season(CHANGING).rule_sets
    assert (totals.games, totals.open) == (3, 1)
    only_open = season(CHANGING[2:])
    assert person(only_open, "Ann").game_average is None and person(only_open, "Ann").points == 735
    assert [one.place for one in only_open.rule_sets[0].ranking("game")] == [None] * 4


def test_removed_games_and_games_without_a_round_do_not_count() -> None:
    removed = [replace(game, state="removed") for game in CHANGING[1:]]
    whole = season([CHANGING[0], *removed, a_game(4, "Ann,Bo-Cy,Di"), a_game(5, "Ann,Bo-Cy,Di", state=None)])
    assert person(whole, "Ann").games == 1 and len(whole.games) == 1


def test_points_of_different_rules_stay_apart() -> None:
    whole = season([*CHANGING, a_game(4, "Ann,Bo-Cy,Di", (BOOK, ACE), rules="tanglewood")])
    assert [(totals.id, person(whole, "Ann", at).points) for at, totals in enumerate(whole.rule_sets)] == [
        ("golden-games", 2325),
        ("tanglewood", 535),
    ]
    only = whole.only("tanglewood")
    assert len(only.games) == 1 and person(only, "Ann").points == 535


def test_a_game_that_changed_its_rules_on_the_way_stands_by_itself() -> None:
    """Round 1 agreed under golden-games, 735; round 2 under tanglewood, 535."""
    game = a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE), (BOOK, ACE), rules="tanglewood")
    first = replace(game.rounds[0], agreed_rules=kept(load_rules("golden-games")))
    whole = season([replace(game, rounds=(first, game.rounds[1])), a_game(2, "Ann,Bo-Cy,Di", (BOOK, ACE))])
    assert {totals.id: totals.people["ann"].points for totals in whole.rule_sets} == {
        "golden-games+tanglewood": 735 + 535,
        "golden-games": 735,
    }
    assert "Golden Games doubles and Tanglewood" in {totals.name for totals in whole.rule_sets}


def test_rules_that_were_changed_under_their_name_are_told() -> None:
    rules = load_rules("golden-games")
    other = rules_from_text(json.dumps({**json.loads(rules.text), "source": "as we play it now"}))
    game = a_game(2, "Ann,Bo-Cy,Di", (BOOK, ACE))
    changed = replace(game, rounds=(replace(game.rounds[0], agreed_rules=kept(other)),))
    assert [totals.versions for totals in season([*CHANGING, changed]).rule_sets] == [2]
    assert [totals.versions for totals in season(CHANGING).rule_sets] == [1]


def test_the_floater_has_the_points_of_the_side_of_each_round() -> None:
    """Hand 'n Foot: five play, and the fifth is on side 1 in rounds 1 and 4, on side 2 in rounds 2 and 3."""
    nines, three = [["9"] * 7], [["9"] * 3]
    rounds = [(nines, three), (nines, three), (three, nines), (nines, three)]
    game = a_game(1, "Ann,Bo,Flo-Cy,Di", *rounds, rules="hand-n-foot")
    whole = season([game])
    points = {name: person(whole, name).points for name in ("Ann", "Cy", "Flo")}
    book, open_meld = 500 + 7 * 10, 3 * 10
    assert points == {
        "Ann": 3 * book + open_meld,
        "Cy": 3 * open_meld + book,
        "Flo": book + open_meld + book + book,
    }
    flo = person(whole, "Flo")
    assert {one.name: one.rounds for one in flo.partners.values()} == {"Ann": 2, "Bo": 2, "Cy": 2, "Di": 2}
    assert person(whole, "Ann").won == 1 and flo.won == 1 and person(whole, "Di").won == 0


def test_everybody_alone_has_no_partners() -> None:
    whole = season([a_game(1, "Ann-Bo-Cy", (BOOK, ACE, ACE), rules="cutting-22")])
    assert not person(whole, "Ann").partners and person(whole, "Ann").won == 1
    assert person(whole, "Ann").most_against == [("Bo", 1), ("Cy", 1)]


def test_points_that_people_typed_count_too() -> None:
    """A total of 1,234 for one side; for the other one clean book as a count, 700, and 35 points of its cards."""
    sides = [{"typed": {"total": 1234}}, {"typed": {"books": [{"book": "clean", "count": 1}], "cards": 35}}]
    game = a_game(1, "Ann,Bo-Cy,Di", (BOOK, ACE))
    sheet = {"rules": "golden-games", "round": 2, "players": 4, "sides": sides}
    typed = replace(game.rounds[0], id=2, number=2, agreed_text=json.dumps(sheet))
    whole = season([replace(game, rounds=(*game.rounds, typed))])
    assert person(whole, "Ann").points == 735 + 1234 and person(whole, "Di").points == 60 + 735


def test_teams_of_three() -> None:
    whole = season([a_game(1, "Ann,Bo,Cy-Di,Eva,Fred", (BOOK, ACE))])
    assert [one.name for one in person(whole, "Ann").most_together] == ["Bo", "Cy"]


def test_one_name_in_two_spellings_is_one_person_and_seats_are_none() -> None:
    games = [a_game(1, "José,Player 2-Cy,Di", (BOOK, ACE)), a_game(2, "JOSE\u0301,Bo-Cy,Di", (BOOK, ACE))]
    (totals,) = season(games).rule_sets
    assert sorted(one.name for one in totals.people.values()) == ["Bo", "Cy", "Di", "JOSE\u0301"]
    assert person(season(games), "josé").points == 2 * 735


def test_a_ranking_shares_places() -> None:
    (totals,) = season(CHANGING[:2]).rule_sets
    assert [(one.place, one.person.name) for one in totals.ranking()] == [(1, "Bo"), (2, "Ann"), (2, "Di"), (4, "Cy")]
    assert [one.place for one in totals.ranking("won")] == [1, 2, 2, 4]


def test_a_game_that_cannot_be_scored_is_told() -> None:
    lost = replace(CHANGING[0], id=7, rules="lost-rules")
    whole = season([*CHANGING, lost])
    assert whole.failed == (lost,) and len(whole.games) == 3


def test_only_days_of_the_span_count() -> None:
    games = [a_game(at, "Ann,Bo-Cy,Di", (BOOK, ACE), day=f"2026-0{at}-15") for at in range(1, 5)]
    since = season(games, Span(since=date(2026, 2, 15)))
    assert [one.progress.game.id for one in since.games] == [2, 3, 4], "both days are included"
    assert [one.progress.game.id for one in season(games, Span(date(2026, 2, 1), date(2026, 3, 15))).games] == [2, 3]
    assert len(season([replace(games[0], created_at="x")], Span(since=date(2026, 2, 1))).games) == 0


def test_typed_days() -> None:
    assert read_span("", " ") == Span() and read_span("2026-09-01", "") == Span(date(2026, 9, 1))
    for since, until in (("today", ""), ("", "2026-02-30"), ("2027-01-01", "2026-01-01")):
        with pytest.raises(SpanError, match=r"is not a date|is later than the last"):
            read_span(since, until)
    spans = usual_spans(date(2026, 11, 27))
    assert spans["Last year"] == Span(date(2025, 1, 1), date(2025, 12, 31)) and spans["All games"] == Span()


def test_the_table_for_spreadsheets() -> None:
    games = [*CHANGING, a_game(4, "=1+1,Bo-Cy,Di", (BOOK, ACE), rules="tanglewood")]
    rows = list(csv.DictReader(io.StringIO(season_csv(season(games, Span(since=date(2026, 1, 1)))))))
    assert [(row["rules"], row["player"]) for row in rows][:2] == [("golden-games", "Ann"), ("golden-games", "Bo")]
    assert len(rows) == 8 and {row["since"] for row in rows} == {"2026-01-01"}
    assert rows[0]["points"] == "2325" and rows[0]["partners"] == "Bo (1 game); Cy (1 game); Di (1 game)"
    assert rows[0]["average of a finished game"] == "795" and rows[0]["unfinished"] == "1"
    assert {"'=1+1"} < {row["player"] for row in rows}, "no name is a formula"
