"""Games on the pages: starting, ending, log, undo, other rules, export, statistics."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest

from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet
from tests.webui.helpers.drawn import NORTH_TABLE, OVERLOOKED, photo
from tests.webui.helpers.played_games import fill, play_round
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.storage.store import Store

NAMES = {"player0.0": "Ann", "player0.1": "Bo", "player1.0": "Cy", "player1.1": "Di"}


def store_of(person: Person) -> Store:
    return services_of(person.client.application).store


def play(person: Person, rounds: int, **fields: str) -> int:
    """A game with so many confirmed rounds; its id."""
    person.send("/new", **(fields or NAMES))
    game_id = int(person.path.split("/")[2])
    for number in range(1, rounds + 1):
        play_round(store_of(person), game_id, number, random.Random(number))
    return game_id


def sums(person: Person, game_id: int) -> list[str]:
    """The totals that the game's page shows."""
    page = person.open(f"/game/{game_id}/")
    return re.findall(r'<td><span class="points[^"]*">([^<]+)', page[page.index("<tfoot>") : page.index("</tfoot>")])


def test_people_of_earlier_games_are_offered_without_placeholders(person: Person) -> None:
    play(person, 0)
    person.send("/new")
    page = person.open("/new")
    assert re.findall(r'aria-pressed="false" value="([^"]+)"', page) == ["Ann", "Bo", "Cy", "Di"]


def test_one_tap_continues_the_open_game_or_starts_another_with_the_same_people(person: Person) -> None:
    game_id = play(person, 2)
    page = person.open("/")
    assert "Continue: Ann & Bo against Cy & Di" in person.text and "round 3 is next" in person.text
    again = re.search(r'<div class="again">(.*?)</div>', page, re.DOTALL)
    assert again
    person.send("/new", **dict(re.findall(r'name="([^"]+)" value="([^"]+)"', again[1].replace("&amp;", "&"))))
    assert person.path == f"/game/{game_id + 1}/" and "Ann & Bo against Cy & Di" in person.text
    first, second = store_of(person).game(game_id), store_of(person).game(game_id + 1)
    assert first is not None and second is not None and first.sides == second.sides


def test_a_long_list_is_paged(person: Person) -> None:
    fill(store_of(person), 45)
    assert person.open("/").count('class="what"') == 20 and "Page 1 of 3" in person.text
    assert person.open("/?page=3").count('class="what"') == 5 and "Older games" not in person.text
    assert person.open("/?page=99").count('class="what"') == 5
    assert person.open("/?page=x").count('class="what"') == 20


def test_the_game_page_shows_its_progress(person: Person) -> None:
    game_id = play(person, 2)
    page = person.open(f"/game/{game_id}/")
    assert page.count("<polyline") == 2 and page.count("<circle") == 4
    assert "Totals after each round: Ann &amp; Bo" in page
    assert "<polyline" not in person.open(f"/game/{play(person, 0)}/")


def test_who_plays_first_is_chosen_once_and_rotates(person: Person) -> None:
    game_id = play(person, 0)
    assert "Who plays first in round 1?" in person.open(f"/game/{game_id}/")
    person.send(f"/game/{game_id}/first", first="Cy")
    assert "Plays first Cy" in person.text
    play_round(store_of(person), game_id, 1, random.Random(1))
    person.open(f"/game/{game_id}/")
    assert "Plays first Bo" in person.text
    person.send(f"/game/{game_id}/first", first="Nobody")
    assert person.status == 400


def test_a_finished_game_is_reopened_for_another_round(person: Person) -> None:
    game_id = play(person, 4)
    person.open(f"/game/{game_id}/")
    assert "The game is over" in person.text and "Play again" in person.text and "Winner: " in person.text
    assert person.send(f"/game/{game_id}/round/5/begin") and person.status == 404
    person.send(f"/game/{game_id}/state", state="reopen")
    assert "Score round 5" in person.text
    person.send(f"/game/{game_id}/round/5/begin")
    assert person.path.startswith(f"/game/{game_id}/round/5/")


def test_a_removed_game_counts_nowhere_and_can_be_restored(person: Person) -> None:
    game_id = play(person, 1)
    person.send(f"/game/{game_id}/state", state="remove")
    assert person.path == "/" and 'class="what"' not in person.page and "Removed games" in person.text
    assert "Nothing here yet" in person.open("/statistics")
    person.send(f"/game/{game_id}/state", state="restore")
    assert "Score round 2" in person.text and "Ann" in person.open("/statistics")
    person.send(f"/game/{game_id}/state", state="burn")
    assert person.status == 400


def test_renaming_keeps_points_and_the_starter(person: Person) -> None:
    game_id = play(person, 1)
    before = sums(person, game_id)
    person.send(f"/game/{game_id}/first", first="Cy")
    person.rename(f"/game/{game_id}", side0="Us", **{"player1.0": "Cyrus"})
    assert "Us against Cyrus & Di" in person.text and sums(person, game_id) == before
    game = store_of(person).game(game_id)
    assert game is not None and game.first == "Cyrus" and game.sides[1].players == ("Cyrus", "Di")
    person.rename(f"/game/{game_id}", side0="Cyrus & Di")
    assert person.status == 400 and "same name" in person.notices()[0]


def test_an_agreed_round_follows_the_renaming_and_stays_agreed(person: Person) -> None:
    round_one = person.begin(**NAMES)
    person.photo(f"{round_one}/side/0", photo(NORTH_TABLE))
    person.send(f"{round_one}/facts", went_out="0")
    person.agree(round_one)
    person.rename("/game/1", side0="Ann & Bo", **{"player0.0": "Anna", "player0.1": "Bo"})
    person.open(f"{round_one}/tally")
    assert "Anna & Bo" in person.text and "Ann & Bo" not in person.text
    assert "changed after you agreed" not in person.text


def test_the_form_of_names_leaves_what_nobody_named_empty(person: Person) -> None:
    person.send("/new", **{"player0.0": "Ann", "player0.1": "Bo"})
    page = person.open("/game/1/names")
    assert 'placeholder="Ann &amp; Bo" value=""' in page and 'placeholder="East–West" value=""' in page
    assert 'placeholder="East" value=""' in page and 'value="Bo"' in page


def test_seats_that_nobody_was_named_for_are_no_people(person: Person) -> None:
    game_id = play(person, 0, rules="golden-games")
    play_round(store_of(person), game_id, 1, random.Random(1))
    person.open("/statistics")
    assert "These games have no player names" in person.text and "Best round" in person.text
    assert '<th scope="row">' not in person.page


def test_a_change_of_the_game_is_logged_and_undone(person: Person) -> None:
    game_id = play(person, 1)
    person.send(f"/game/{game_id}/first", first="Cy")
    person.rename(f"/game/{game_id}", **{"player1.0": "Cyrus"})
    person.open(f"/game/{game_id}/log")
    assert "Ann & Bo: Ann, Bo; Cy & Di: Cy, Di Ann & Bo: Ann, Bo; Cyrus & Di: Cyrus, Di" in person.text
    entry = next(entry for entry in store_of(person).log(game_id) if entry.what == "sides")
    person.send(f"/game/{game_id}/undo/{entry.id}")
    game = store_of(person).game(game_id)
    assert game is not None and game.sides[1].players == ("Cy", "Di") and game.first == "Cy"
    person.send(f"/game/{game_id}/undo/{entry.id}")
    assert person.status == 409, "it was changed since"


def test_the_log_shows_each_change_before_and_after(person: Person) -> None:
    round_one = person.begin()
    side = f"{round_one}/side/0"
    person.photo(side, photo(NORTH_TABLE))
    person.send(f"{side}/change", op="name", card="p1c14", face="9D")
    person.send(f"{side}/change", op="name", card="p1c14", face="8D")
    person.undo()
    person.send(f"{side}/change", op="name", card="p1c14", face="9D")
    person.send(f"{round_one}/facts", went_out="1")
    person.agree(round_one)
    person.send(f"{round_one}/facts", went_out="0")
    person.agree(round_one)
    rows = re.findall(r"<tr>(<td><time.*?)</tr>", person.open("/game/1/log"), re.DOTALL)
    lines = [
        " | ".join(" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in row.split("</td>")[1:]) for row in rows
    ]
    text = "\n".join(lines)
    assert "Card changed 6 of diamonds | 9 of diamonds" in text and "Card changed 9 of diamonds | 8 of diamonds" in text
    assert "Undone: card changed 8 of diamonds | 9 of diamonds" in text
    assert "Card confirmed – | 9 of diamonds" in text
    assert "Who went out East–West | North–South" in text
    # 1,470 + 305 with the nine (three hundred and the card), the other side going out first
    assert "Round agreed North–South 1,840, East–West 100 | North–South 1,940, East–West 0" in text
    assert lines[0].split(" | ")[1] == "Round 1", "the newest change comes first"


def test_the_log_tells_which_question_was_answered(person: Person) -> None:
    """That nothing lies beside a card says nothing of the card itself."""
    side = f"{person.begin()}/side/0"
    person.photo(side, photo(OVERLOOKED))
    for _ in range(2):
        person.send(f"{side}/change", op="name", card="p1c2", face="8D")
    person.undo()
    person.undo()
    person.open("/game/1/log")
    told = ("No card missed beside this one", "Card confirmed", "Undone: card confirmed")
    assert [f"{what} – 8 of diamonds" in person.text for what in told[:2]] == [True, True]
    assert f"{told[2]} 8 of diamonds –" in person.text
    assert "Undone: no card missed beside this one 8 of diamonds –" in person.text
    assert person.text.count("ard confirmed") == 2, "of the second answer alone"


def test_other_house_rules_are_previewed(person: Person) -> None:
    game_id = play(person, 2)
    before = sums(person, game_id)
    page = person.open(f"/game/{game_id}/rules?to=tanglewood")
    assert (
        "What Tanglewood would change" in person.text
        and "We all agree: score every round with Tanglewood" in person.text
    )
    foot = page[page.index("<tfoot>") : page.index("</tfoot>")]
    shown = re.findall(r'<span class="points[^"]*">([^<]+)', foot)
    assert shown[0::2] == before and shown[1::2] != before
    assert sums(person, game_id) == before, "nothing is changed by looking"
    mark = re.search(r'name="mark" value="([^"]+)"', page)
    assert mark
    person.send(f"/game/{game_id}/rules", to="tanglewood", anew="yes", mark=mark[1])
    assert sums(person, game_id) == shown[1::2] and "Tanglewood, 4 players" in person.text
    entry = store_of(person).log(game_id)[-1]
    person.send(f"/game/{game_id}/undo/{entry.id}")
    assert sums(person, game_id) == before


@pytest.mark.parametrize(
    ("to", "why"), [("hand-n-foot", "different deck"), ("nobody", "The house rules Nobody are missing here.")]
)
def test_rules_that_do_not_fit_are_refused_with_the_reason(person: Person, to: str, why: str) -> None:
    game_id = play(person, 1)
    person.send(f"/game/{game_id}/rules", to=to)
    assert person.status in (400, 409) and why in person.notices()[0]
    assert "We all agree" not in person.open(f"/game/{game_id}/rules?to={to}")


def test_a_game_whose_rules_are_gone_can_be_given_others(person: Person) -> None:
    game_id = play(person, 1)
    store_of(person).change_game(game_id, {"rules": "lost-rules"})
    person.open(f"/game/{game_id}/")
    assert person.status == 409 and "The house rules Lost rules are missing here." in person.notices()[0]
    assert "What Golden Games doubles would change" in person.open(f"/game/{game_id}/rules?to=golden-games")
    person.send(f"/game/{game_id}/rules", to="golden-games")
    assert person.status == 200 and "Score round 2" in person.text


def test_exported_data_scores_the_same(person: Person) -> None:
    game_id = play(person, 3)
    shown = [int(text.replace(",", "").replace("−", "-")) for text in sums(person, game_id)]
    answer = person.client.get(f"/game/{game_id}/game.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="game-{game_id}.json"'
    document = json.loads(answer.text)
    tallies = [score(read_sheet(sheet), load_rules(sheet["rules"])) for sheet in document["sheets"]]
    assert [sum(tally.sides[side].total for tally in tallies) for side in (0, 1)] == shown

    table = list(csv.DictReader(io.StringIO(person.client.get(f"/game/{game_id}/game.csv").data.decode("utf-8-sig"))))
    assert [int(row["total"]) for row in table[-2:]] == shown and len(table) == 6
    assert [table[0][column] for column in ("side", "player 1", "player 2")] == ["Ann & Bo", "Ann", "Bo"]

    person.send(f"/game/{play(person, 1)}/state", state="remove")
    everything = [json.loads(line) for line in person.client.get("/games.json").text.splitlines()]
    assert everything == [document]


def test_the_score_pad_has_a_block_a_round_and_the_totals(person: Person) -> None:
    game_id = play(person, 2)
    totals = sums(person, game_id)
    page = person.open(f"/game/{game_id}/pad")
    assert page.count("<tbody>") == 4 and "Agreed for Ann & Bo" in person.text and "Laid threes" in person.text
    assert all(total in page for total in totals)
    assert "Laid threes" not in person.open(f"/game/{play(person, 1, rules='cutting-22')}/pad")


def test_statistics_compare_under_one_rule_set(person: Person) -> None:
    fill(store_of(person), 12)
    person.open("/statistics")
    assert "choose one above for a fair comparison" in person.text and "Longest winning streak" in person.text
    person.open("/statistics?rules=tanglewood&by=sides")
    assert "3 games with scored rounds" in person.text and "Sides" in person.text
    assert person.open("/statistics?rules=nobody") and person.status == 200


def test_every_page_is_small(person: Person) -> None:
    """Under 150 kB with its styles and scripts, in a house of many games."""
    fill(store_of(person), 25)
    static = person.client.application.static_folder
    assert static is not None
    loaded: dict[str, int] = {}
    for path in (
        "/",
        "/new",
        "/game/25/",
        "/game/25/television",
        "/game/25/log",
        "/statistics",
        "/players/",
        "/players/person?name=Ann",
        "/game/25/again",
        "/rules/",
        "/rules/canasta",
    ):
        page = person.open(path)
        assert person.status == 200
        wanted = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
        while wanted:
            if (name := wanted.pop()) not in loaded:
                text = person.client.get(name).text
                loaded[name] = len(text.encode())
                wanted += [f"{name.rpartition('/')[0]}/{found}" for found in re.findall(r'from "\./([^"]+)"', text)]
        assert len(page.encode()) + sum(loaded.values()) < 150_000, path
    assert any(name.endswith("/follow.js") for name in loaded)


def test_a_game_to_a_target_shows_only_the_rounds_it_came_to(person: Person) -> None:
    person.begin(rules="canasta")
    person.open("/game/1/")
    assert "Round 1" in person.text and "Round 1 of" not in person.text and "Round 2" not in person.text
    assert "Deal 11 cards" in person.text and "4 players, to 5,000 points" in person.text
    person.open("/game/1/television")
    assert "Game to 5,000" in person.text
    person.open("/game/1/round/1/out")
    assert "Round 1 of" not in person.text
