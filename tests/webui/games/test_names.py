"""Names of people and sides: who is a person, who is the same one, and how sides are called."""

from __future__ import annotations

import json

import pytest

from scorer.rules import load_rules
from tests.webui.games.test_progress import THEY_WIN, US_WIN
from webui.games.names import is_placeholder, known_people, name_error, renamed_side
from webui.games.new_game import NewGame
from webui.games.progress import GameProgress, game_progress
from webui.games.statistics import player_statistics
from webui.storage.records import GameRecord, RoundRecord, SideRecord

PAIR = SideRecord("Ann & Bo", ("Ann", "Bo"))
UNNAMED = SideRecord("North–South", ("North", "South"))


def played(us: tuple[str, str], them: tuple[str, str]) -> GameProgress:
    sides = (SideRecord("Us", us), SideRecord("Them", them))
    rounds = tuple(RoundRecord(at, at, {}, (), (), json.dumps(sheet)) for at, sheet in enumerate((US_WIN, THEY_WIN), 1))
    game = GameRecord(1, "2026-01-02T03:04:05+00:00", "golden-games", 4, sides, rounds)
    return game_progress(game, load_rules("golden-games"))


def test_the_same_name_in_other_spellings_is_one_person() -> None:
    games = [played(("José", "Bo"), ("Cy", "Di")), played(("Jose\u0301", "Bo"), ("cy", "Di"))]
    assert {one.name: one.games for one in player_statistics(games)} == {"Jose\u0301": 2, "Bo": 2, "cy": 2, "Di": 2}
    assert known_people(one.game for one in games) == ["José", "Bo", "Cy", "Di"]


def test_seats_without_a_name_are_no_people() -> None:
    games = [played(("North", "South"), ("Player 3", "Ann"))]
    assert [one.name for one in player_statistics(games)] == ["Ann"]
    assert [one.name for one in player_statistics(games, by_sides=True)] == ["Them", "Us"]


@pytest.mark.parametrize("name", ["North", "Player 12", "Team 3", "North–South", "East–West"])
def test_names_that_the_page_gives_are_placeholders(name: str) -> None:
    assert is_placeholder(name)


@pytest.mark.parametrize("name", ["Player One", "Team Rocket", "Player 1b", "Norths", "Ann"])
def test_names_that_people_have_are_not(name: str) -> None:
    assert not is_placeholder(name)


def test_two_spellings_of_a_name_at_one_table_are_refused() -> None:
    assert name_error([SideRecord("Us", ("José", "Bo")), SideRecord("Them", ("Jose\u0301", "Di"))])
    assert name_error([SideRecord("José", ("José",)), SideRecord("Jose\u0301", ("Jose\u0301",))])
    assert name_error([PAIR, UNNAMED]) is None


@pytest.mark.parametrize(
    ("side", "name", "players", "after"),
    [
        (PAIR, "Ann & Bo", ("Anna", "Bo"), SideRecord("Anna & Bo", ("Anna", "Bo"))),
        (PAIR, "", ("", "Bob"), SideRecord("Ann & Bob", ("Ann", "Bob"))),
        (PAIR, "Us", ("Anna", "Bo"), SideRecord("Us", ("Anna", "Bo"))),
        (SideRecord("Us", ("Ann", "Bo")), "Us", ("Anna", "Bo"), SideRecord("Us", ("Anna", "Bo"))),
        (SideRecord("Us", ("Ann", "Bo")), "", ("Anna", "Bo"), SideRecord("Anna & Bo", ("Anna", "Bo"))),
        (UNNAMED, "North–South", ("Ann", "Bo"), PAIR),
        (UNNAMED, "North–South", ("Ann", ""), SideRecord("North–South", ("Ann", "South"))),
        (UNNAMED, "", ("", ""), UNNAMED),
        (SideRecord("Ann", ("Ann",)), "Bo", ("",), SideRecord("Bo", ("Bo",))),
        (SideRecord("Ann", ("Ann",)), "", ("",), SideRecord("Ann", ("Ann",))),
    ],
)
def test_a_side_called_by_its_players_follows_them(
    side: SideRecord, name: str, players: tuple[str, ...], after: SideRecord
) -> None:
    assert renamed_side(side, name, players) == after


def test_no_two_seats_of_a_table_have_the_same_placeholder() -> None:
    for rules, seating in (("cutting-22", (3, 3)), ("cutting-22", (5, 4)), ("cutting-22", (2, 2, 2))):
        sides = NewGame(load_rules(rules), sum(seating), seating).sides({})
        players = [player for side in sides for player in side.players]
        assert sorted(players) == [f"Player {number}" for number in range(1, sum(seating) + 1)]
        assert all(map(is_placeholder, players))
    assert sides[1].players == ("Player 2", "Player 5"), "they go round the table"
