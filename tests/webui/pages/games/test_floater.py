"""Five at Hand 'n Foot: the fifth player plays rounds 1 and 4 on one side, 2 and 3 on the other.

Each side of round 2 has a clean book of seven 9s, 500 + 70; the floater is left with one Lady, -500.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.webui.helpers.playing import Person

NAMES = {"player0.0": "Ann", "player0.1": "Bo", "player0.2": "Flo", "player1.0": "Cy", "player1.1": "Di"}


def begin(person: Person, **fields: Any) -> None:
    person.send("/new", rules="hand-n-foot", players="5", **{**NAMES, **fields})


def play(person: Person, number: int, floater_side: int, agree: bool = True) -> str:
    """Enters a round: a clean book of 9s on each side, and a Lady left with the floater, the last of a side."""
    person.send(f"/game/1/round/{number}/begin")
    round_url = f"/game/1/round/{number}"
    for side in (0, 1):
        person.send(f"{round_url}/side/{side}/change", op="add", group="new-pile", face="9")
        person.count_piles()
    person.send(f"{round_url}/side/{floater_side}/change", op="add", group="left2", face="LADY")
    if agree:
        person.agree(round_url)
    return round_url


_ROUNDS = [(1, 0, "70 570"), (2, 1, "570 70"), (3, 1, "570 70"), (4, 0, "70 570")]


@pytest.mark.parametrize(("number", "side", "points"), _ROUNDS)
def test_the_floater_plays_on_the_side_of_each_round(person: Person, number: int, side: int, points: str) -> None:
    begin(person)
    play(person, number, side)
    assert f"Ann & Bo Cy & Di Round {number} {points}" in person.text


def test_round_2_asks_the_floater_with_their_side(person: Person) -> None:
    begin(person)
    round_url = play(person, 2, 1, agree=False)
    players = re.findall(r'name="went_out" value="(\d\.\d)">(?:✓ )?(\w+)<', person.open(f"{round_url}/out"))
    assert players == [("0.0", "Ann"), ("0.1", "Bo"), ("1.0", "Cy"), ("1.1", "Di"), ("1.2", "Flo")]
    page = person.open(f"{round_url}/unseen")
    deals = [len(re.findall(f'name="exact_deals{side}" value="[1-9]"', page)) for side in (0, 1)]
    assert deals == [2, 3], "two players of side 1 and three of side 2 may have exact deals"
    person.open(f"{round_url}/side/1/left")
    assert "Cards Flo has left −500" in person.text
    assert "Flo" not in person.open(f"{round_url}/side/0/left").partition("<main")[2].partition("next-step")[0]
    person.send(f"{round_url}/side/0/nothing", player="2")
    assert person.status == 404, "nobody sits there in this round"
    person.send(f"{round_url}/facts", went_out="1.2")
    person.send(f"{round_url}/side/1/nothing", player="1")
    person.open("/game/1/log")
    assert re.search(r"Who went out.{0,40}Flo", person.text)
    assert re.search(r"Di\b.{0,40}no more cards left", person.text)


def test_exact_deals_of_the_floaters_side(person: Person) -> None:
    begin(person)
    round_url = play(person, 2, 1, agree=False)
    person.send(f"{round_url}/facts", unseen="yes", exact_deals0="2", exact_deals1="3")
    person.agree(round_url)
    assert "Round 2 770 370" in person.text and "exact deals" not in " ".join(person.notices())


def test_each_persons_own_total_follows_the_floater(person: Person) -> None:
    begin(person)
    for number, side in ((1, 0), (2, 1), (3, 1), (4, 0)):
        play(person, number, side)
    person.open("/game/1/")
    # Ann & Bo: 70 + 570 + 570 + 70, as Cy & Di the other way round; Flo scores 70 in each round
    assert "Total 1,280 1,280" in person.text
    assert "Points for each person: Ann 1,280 , Bo 1,280 , Flo 280 , Cy 1,280 , Di 1,280" in person.text
    person.open("/statistics")
    rows = dict(re.findall(r'<th scope="row">(\w+)</th>(.*?)</tr>', person.page, re.DOTALL))
    assert {name: re.findall(r'class="points[^"]*">([^<]+)<', row) for name, row in rows.items()} == {
        **{name: ["320", "570", "−250"] for name in ("Ann", "Bo", "Cy", "Di")},
        "Flo": ["70", "70", "−500"],
    }
    for name in ("Flo", "Ann"):
        assert re.findall(r'class="won"[^>]*>(?:<svg.*?</svg> )?(\d)', rows[name]) == ["0"], "the sides are tied"
    person.open("/players/person?name=Ann")
    assert "· tied · 4 rounds" in person.text
    csv = person.client.get("/game/1/game.csv").text.splitlines()
    seated = [line.split(",")[4:9] for line in csv[1:]]
    assert seated[6:] == [["4", "Ann & Bo", "Ann", "Bo", "Flo"], ["4", "Cy & Di", "Cy", "Di", ""]]
    assert seated[2:4] == [["2", "Ann & Bo", "Ann", "Bo", ""], ["2", "Cy & Di", "Cy", "Di", "Flo"]]
    pad = person.open("/game/1/pad")
    assert "Ann, Bo<" in pad and "Flo, who switches sides: 280" in person.text
    assert "Round 2 with Flo Book" in person.text, "the pad names the floater with the side of each round"


def test_history_and_sheet_have_the_players_of_the_round(person: Person) -> None:
    begin(person)
    round_url = play(person, 2, 1)
    sheet = json.loads(person.client.get(f"{round_url}/sheet.json").text)
    assert [side["left"] for side in sheet["sides"]] == [[[], []], [[], [], ["LADY"]]]
    assert "changed after" not in person.open(f"{round_url}/out")


def test_the_page_says_where_the_floater_plays(person: Person) -> None:
    begin(person)
    assert "Switches sides Flo plays with Ann & Bo this round" in person.text
    play(person, 1, 0)
    person.open("/game/1/")
    assert "Switches sides Flo plays with Cy & Di this round" in person.text
    person.open("/new?rules=hand-n-foot&players=5")
    assert "Name 3 plays on side 1 in rounds 1 and 4, side 2 in rounds 2 and 3." in person.text
    person.open("/game/1/names")
    assert "Player 3, who switches sides" in person.text


def test_a_side_is_called_by_its_partners_and_not_by_the_floater(person: Person) -> None:
    begin(person)
    person.rename("/game/1", **{**NAMES, "player0.2": "Fay", "player0.0": "Amy", "side0": "", "side1": ""})
    assert "Amy & Bo against Cy & Di" in person.text and "Fay plays with Amy & Bo" in person.text
    again = re.findall(r'name="seats" value="([^"]+)"', person.open("/"))
    assert again == ["3,2"], "the same five can play again"
    person.send("/new", rules="hand-n-foot", players="5", **{"side0": "Us", "player0.2": "Flo"})
    assert "Us against" in person.text
