"""The pages of players: totals over many games, one person, the table, and playing again with other partners."""

from __future__ import annotations

import csv
import html
import io
import re
from typing import Any

import pytest

from tests.webui.games.season.season_games import ACE, BOOK, a_round
from tests.webui.helpers.played_games import agree_round
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.storage.store import Store

NAMES = {"player0.0": "Ann", "player0.1": "Bo", "player1.0": "Cy", "player1.1": "Di"}


def store_of(person: Person) -> Store:
    return services_of(person.client.application).store


def play(person: Person, *rounds: tuple[Any, Any], end: bool = True, names: dict[str, str] = NAMES) -> int:
    """A game with agreed rounds of melds for both sides; its id."""
    person.send("/new", **{"rules": "golden-games", **names})
    game_id = int(person.path.split("/")[2])
    store = store_of(person)
    for number, melds in enumerate(rounds, 1):
        store.rounds.begin(game_id, number)
        game = store.game(game_id)
        assert game is not None
        record = game.round(number)
        assert record is not None
        agree_round(store, record.id, a_round(game.rules, number, *melds, players=game.players))
    if end:
        person.send(f"/game/{game_id}/state", state="end")
    return game_id


def rows(person: Person) -> dict[str, list[str]]:
    """The cells of each person in the tables of the page, by name; of several rule sets the last one."""
    found = {}
    for row in re.findall(r'<tr><th scope="row"(.*?)</tr>', person.page, re.DOTALL):
        name, *cells = re.split(r"</th>|</td>", row)
        texts = [" ".join(html.unescape(re.sub(r"<[^>]*>", " ", f"<{cell}")).split()) for cell in (name, *cells)]
        found[texts[0]] = texts[1:-1]
    return found


def other_partners(person: Person) -> dict[str, str]:
    """The fields of the form that starts the game as it is seated on the page."""
    form = re.search(r'<form method="post" action="/new">(.*?)</form>', person.page, re.DOTALL)
    assert form
    return {name: html.unescape(value) for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', form[1])}


def test_everybody_has_the_points_of_their_sides(person: Person) -> None:
    play(person, (BOOK, ACE), (BOOK, ACE))
    play(person, (ACE, BOOK), names={**NAMES, "player0.1": "Cy", "player1.0": "Bo"})
    person.open("/players/")
    # points, won, games, a game, rounds, a round, best round
    assert rows(person) == {
        "1. Bo": ["2,205", "2", "2", "1,102", "3", "735", "735"],
        "2. Ann": ["1,530", "1", "2", "765", "3", "510", "735"],
        "3. Di": ["855", "1", "2", "428", "3", "285", "735"],
        "4. Cy": ["180", "0", "2", "90", "3", "60", "60"],
    }
    person.open("/players/?by=won")
    assert list(rows(person)) == ["1. Bo", "2. Ann", "2. Di", "4. Cy"]


def test_an_unfinished_game_is_said_to_be_one(person: Person) -> None:
    play(person, (BOOK, ACE), end=False)
    person.open("/players/")
    assert (
        "1 of these games is not finished. The rounds count, but the game does not count as won or lost yet"
        in person.text
    )
    assert rows(person)["1. Ann"] == ["735", "0", "0 +1 open", "–", "1", "735", "735"]


def test_rules_are_told_apart_or_chosen(person: Person) -> None:
    play(person, (BOOK, ACE))
    play(person, (BOOK, ACE), names={**NAMES, "rules": "tanglewood"})
    page = person.open("/players/")
    assert page.count('class="box season"') == 2 and "Points from different rules are not added together" in person.text
    assert "1,270" not in person.text, "735 + 535"
    person.open("/players/?rules=tanglewood")
    assert rows(person)["1. Ann"][0] == "535" and person.page.count('class="box season"') == 1
    assert 'value="golden-games"' in person.page, "the others can still be chosen"
    assert person.open("/players/?rules=nobody").count('class="box season"') == 2


def test_a_season_of_days(person: Person) -> None:
    play(person, (BOOK, ACE))
    person.open("/players/?since=2031-01-01")
    assert "No games that started from Jan 1, 2031 have scored rounds" in person.text
    person.open("/players/?until=2031-12-31")
    assert rows(person)["1. Ann"][0] == "735" and "Players through Dec 31, 2031" in person.text
    assert "/players/person?name=Ann&amp;until=2031-12-31" in person.page, "further pages keep the season"


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("since=yesterday", "“yesterday” is not a date"),
        ("until=2026-02-30", "“2026-02-30” is not a date"),
        ("since=2026-05-01&until=2026-01-01", "The first day is later than the last day"),
        ("since=%00%F0%9F%98%80", "is not a date"),
    ],
)
def test_days_that_are_none_are_named(person: Person, query: str, why: str) -> None:
    play(person, (BOOK, ACE))
    for path in ("/players/", "/players/person", "/players/season.csv"):
        person.open(f"{path}?name=Ann&{query}")
        assert person.status == 400 and any(why in notice for notice in person.notices()), path
        assert "735" not in person.text


def test_a_person_with_partners_and_games(person: Person) -> None:
    first = play(person, (BOOK, ACE), (BOOK, ACE))
    play(person, (ACE, BOOK), names={**NAMES, "player0.1": "Cy", "player1.0": "Bo"})
    person.open("/players/person?name=aNN")
    assert "<h1><bdi>Ann</bdi></h1>" in person.page and "Total points 1,530" in person.text
    assert rows(person) == {"Bo": ["1", "1", "735"], "Cy": ["1", "0", "60"]}
    assert "Against: Di 2 games, Bo 1 game, Cy 1 game" in person.text
    assert person.page.index("/game/2/") < person.page.index(f'href="/game/{first}/"'), "the newest first"
    assert "won · 2 rounds" in person.text and "lost · 1 round" in person.text


def test_nobody_of_that_name(person: Person) -> None:
    play(person, (BOOK, ACE))
    person.open("/players/person?name=Zoe%22%3E%3Cb%3E")
    assert person.status == 404 and "Nobody by this name has played" in person.text and "<b>" not in person.page
    person.open("/players/person")
    assert person.status == 404


def test_long_and_foreign_names(person: Person) -> None:
    names = ["W" * 40, "שרה & <b>", "=1+1", "李小龍👩🏽‍🚀"]
    play(person, (BOOK, ACE), names=dict(zip(NAMES, names, strict=True)))
    person.open("/players/")
    assert [name.split(" ", 1)[1] for name in rows(person)] == [names[0], names[1], names[2], names[3]]
    assert all(f"<bdi>{html.escape(name)}</bdi>" in person.page for name in names)
    for link in re.findall(r'href="(/players/person[^"]+)"', person.page):
        person.open(html.unescape(link))
        assert person.status == 200


def test_the_table_as_a_file(person: Person) -> None:
    play(person, (BOOK, ACE), names={**NAMES, "player0.0": "=1+1"})
    answer = person.client.get("/players/season.csv?since=2026-01-01")
    assert 'filename="players-since-2026-01-01.csv"' in answer.headers["Content-Disposition"]
    table = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert [(row["player"], row["points"], row["won"]) for row in table][:2] == [
        ("'=1+1", "735", "1"),
        ("Bo", "735", "1"),
    ]


def test_a_game_that_cannot_be_scored_is_named(person: Person) -> None:
    play(person, (BOOK, ACE))
    store_of(person).change_game(play(person, (BOOK, ACE)), {"rules": "lost-rules"})
    person.open("/players/")
    assert "1 game could not be scored and is not counted" in person.notices()[0] and '"/game/2/"' in person.page
    assert rows(person)["1. Ann"][0] == "735"


def test_home_and_the_end_of_a_game_lead_there(person: Person) -> None:
    game_id = play(person, (BOOK, ACE))
    page = person.open(f"/game/{game_id}/")
    assert "/players/?rules=golden-games" in page and f"/game/{game_id}/again" in page
    page = person.open("/")
    assert 'href="/players/"' in page and f"/game/{game_id}/again" in page
    assert 'href="/players/"' in person.open("/statistics")


def test_viewers_see_the_totals_and_take_nothing(person: Person) -> None:
    play(person, (BOOK, ACE))
    services_of(person.client.application).access_code.set_open_to_viewers(True)
    viewer = Person(person.client.application, "192.168.1.7")
    assert "Ann" in viewer.open("/players/") and viewer.status == 200 and "season.csv" not in viewer.page
    assert viewer.open("/players/person?name=Ann") and viewer.path == "/players/person"
    for path in ("/players/season.csv", "/game/1/again"):
        viewer.open(path)
        assert viewer.path == "/enter", path


def test_other_partners_are_proposed_and_started(person: Person) -> None:
    sides: list[str] = []
    for _ in range(4):
        game_id = play(person, (BOOK, ACE), names=other_partners(person) if sides else NAMES)
        game = store_of(person).game(game_id)
        assert game is not None
        sides.append("-".join(",".join(side.players) for side in game.sides))
        person.open(f"/game/{game_id}/again")
    assert sides[:3] == ["Ann,Bo-Cy,Di", "Ann,Cy-Bo,Di", "Ann,Di-Cy,Bo"], "partners rotate"
    fourth = {frozenset(side.split(",")) for side in sides[3].split("-")}
    assert fourth == {frozenset(("Ann", "Bo")), frozenset(("Cy", "Di"))}
    person.open("/players/")
    assert {cells[2] for cells in rows(person).values()} == {"4"}


def tap(person: Person, name: str) -> None:
    """Presses a name among the seats of the page."""
    form = re.search(r'<section class="box next">.*?<form method="get"[^>]*>(.*?)</form>', person.page, re.DOTALL)
    assert form
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])
    place = re.search(rf'name="tap" value="(\d+)" [^>]*><bdi>{name}</bdi>', form[1])
    assert place
    query = [(field, html.unescape(value)) for field, value in hidden] + [("tap", place[1])]
    person.open(f"{person.path}?" + "&".join(f"{field}={value}" for field, value in query))


def test_two_taps_swap_two_names(person: Person) -> None:
    game_id = play(person, (BOOK, ACE))
    person.open(f"/game/{game_id}/again")
    tap(person, "Ann")
    assert "Now tap the name to swap with Ann" in person.text and "aria-pressed=true" in person.page
    tap(person, "Bo")
    fields = other_partners(person)
    assert [fields[f"player{side}.{seat}"] for side in (0, 1) for seat in (0, 1)] == ["Bo", "Cy", "Ann", "Di"]
    tap(person, "Di")
    tap(person, "Di")
    fresh = {"once": "", "token": ""}  # of each page anew
    assert other_partners(person) | fresh == fields | fresh, "a name tapped twice stays"
    person.send("/new", **fields)
    assert "Bo & Cy against Ann & Di" in person.text and "Golden Games" in person.text


def test_people_come_and_go(person: Person) -> None:
    game_id = play(person, (BOOK, ACE))
    here = "asked=yes&here=Ann&here=Bo&here=Cy"
    person.open(f"/game/{game_id}/again?{here}")
    assert "needs at least 4 players, and 3 are here" in person.notices()[0]
    assert "Start the game" not in person.page
    person.open(f"/game/{game_id}/again?{here}&add=Zoe")
    assert sorted(
        value for name, value in other_partners(person).items() if name.startswith("player") and "." in name
    ) == [*("Ann", "Bo", "Cy", "Zoe")]
    assert 'name="here" value="Di">' in person.page, "who is not here can still be ticked"
    person.open(f"/game/{game_id}/again?{here}&add=BO&here=Di")
    assert person.page.count('value="Bo" checked') == 1 and "BO" not in person.text, "the same person once"
    person.open(f"/game/{game_id}/again?{here}&add=Player 3")
    assert "the name of an empty seat" in person.notices()[0]


def test_one_too_many_sits_out_and_can_be_swapped_in(person: Person) -> None:
    game_id = play(person, (BOOK, ACE))
    person.open(f"/game/{game_id}/again?asked=yes&here=Ann&here=Bo&here=Cy&here=Di&add=Eva")
    assert re.search(r"Sits out</legend>.*?<bdi>Di</bdi>", person.page, re.DOTALL)
    tap(person, "Di")
    tap(person, "Ann")
    fields = other_partners(person)
    assert "Di" in fields.values() and "Ann" not in fields.values()


def test_a_sides_own_name_stays_with_its_partners(person: Person) -> None:
    game_id = play(person, (BOOK, ACE), names={**NAMES, "side0": "The Foxes"})
    person.open(f"/game/{game_id}/again?turn=2")
    assert "The Foxes" in other_partners(person).values(), "the last proposal is the old one"
    person.open(f"/game/{game_id}/again?turn=3")
    assert "The Foxes" not in other_partners(person).values()


def test_five_with_a_floater_play_again(person: Person) -> None:
    five = {**NAMES, "player0.2": "Flo", "rules": "hand-n-foot", "players": "5"}
    game_id = play(person, ([["9"] * 7], [["9"] * 3]), names=five)
    person.open(f"/game/{game_id}/again")
    assert "Ann switches sides from round to round" in person.text, "Flo was it the last time"
    person.send("/new", **other_partners(person))
    game = store_of(person).game(game_id + 1)
    assert game is not None and game.sides[0].players[-1] == "Ann" and game.players == 5


def test_a_strange_query_is_no_error(person: Person) -> None:
    game_id = play(person, (BOOK, ACE))
    for query in (
        "order=9,9&tap=77&pick=-3&turn=-5",
        "order=0,1,2,3&tap=x&turn=99999999999999",
        "seats=7,7",
        "here=%00",
    ):
        person.open(f"/game/{game_id}/again?{query}")
        assert person.status == 200, query
    person.open("/game/99/again")
    assert person.status == 404


def test_a_game_of_nameless_seats_asks_who_is_here(person: Person) -> None:
    person.send("/new", rules="golden-games")
    person.open("/game/1/again")
    assert "0 are here" in person.notices()[0]
