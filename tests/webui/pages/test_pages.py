"""A round on the pages, without a browser: photos, corrections, agreement, totals, a restart."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet
from tests.webui.helpers.drawn import DIM, NORTH_LEFT, NORTH_TABLE, OVERLOOKED, photo
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.storage.records import SideRecord


@pytest.fixture
def round_one(person: Person) -> str:
    return person.begin()


def north(person: Person, round_one: str) -> str:
    """North–South's cards as photographed; the address of that side."""
    side = f"{round_one}/side/0"
    person.photo(side, photo(NORTH_TABLE))
    person.photo(side, photo(NORTH_LEFT), "left.jpg", player=0)
    person.open(f"{side}/")
    return side


def change(person: Person, side: str, **fields: object) -> None:
    person.send(f"{side}/change", **fields)
    assert person.status == 200, person.text


def test_photo_warnings_come_before_its_cards(person: Person, round_one: str) -> None:
    side = f"{round_one}/side/0"
    person.photo(side, photo(DIM))
    said = "The photo is very dark: switch on a lamp."
    assert 0 < person.page.index(said) < person.page.index('id="doubts"')
    assert person.page.count(said) == 1
    assert "Photo 1" not in person.text
    person.photo(side, photo(NORTH_TABLE), "second.jpg")
    (sentence,) = re.findall(rf'<p class="notice doubt">(.*?): {said}', person.page)
    (place,) = re.findall(r'<a href="#(photo-\d+)">Photo 1</a>', sentence)
    assert f'id="{place}"' in person.page


def test_one_tap_starts_a_game_with_the_default_rules(person: Person) -> None:
    assert "Golden Games doubles, 4 players, 2 sides of 2" in person.open("/").replace("\n", " ")
    person.send("/new")
    assert person.path == "/game/1/"
    assert "North–South against East–West" in person.text
    assert "at least 60 points" in person.text
    assert "2 clean and 3 dirty books" in person.text


def test_a_game_by_other_rules_with_names(person: Person) -> None:
    person.send(
        "/new",
        rules="cutting-22",
        players="6",
        seating="1",
        side0="Reds",
        side1="Blues",
        side2="Greens",
        **{"player0.0": "Ann"},
    )
    assert "Reds against Blues against Greens" in person.text and "at least 50 points" in person.text
    person.send("/game/1/round/1/begin")
    assert "Ann" in person.text and "2 clean and 2 dirty books" in person.text
    assert "improper" not in person.open("/game/1/round/1/unseen").lower() and "22" in person.text


def test_choices_that_the_rules_do_not_allow_are_replaced(person: Person) -> None:
    for query in ("?players=7", "?rules=nobody&players=x&seating=99", "?rules=cutting-22&players=11&seating=5"):
        person.open(f"/new{query}")
        assert person.status == 200 and "Start the game" in person.text


def test_a_reading_is_shown_and_scored(person: Person, round_one: str) -> None:
    north(person, round_one)
    assert "Clean book of 8s 770" in person.group("p1g0")
    assert "Meld of queens 50" in person.group("p1g1")
    assert "Not a valid meld yet 75" in person.group("p1g2") and "This one has 9s and a 6" in person.group("p1g2")
    assert "Dirty book of kings 380" in person.group("p1g4")
    assert "Laid threes 200" in person.group("laid")
    assert person.page.count("<polygon") == 25, "every card is outlined"
    assert "Cards North has left −65" in person.left(f"{round_one}/side/0")
    assert person.page.count("<polygon") == 3


def test_doubts_come_first_and_are_resolved_by_confirming(person: Person, round_one: str) -> None:
    side = north(person, round_one)
    assert "2 things to look at" in person.text, "a squared pile is asked for among what no camera sees"
    assert person.page.index("things to look at") < person.page.index("Clean book of 8s")
    change(person, side, op="name", card="p1c14", face="6D")
    assert "1 thing to look at" in person.text


def test_a_possibly_missed_card_is_asked_for_and_added(person: Person, round_one: str) -> None:
    side = f"{round_one}/side/0"
    person.photo(side, photo(OVERLOOKED))
    person.open(f"{side}/")
    assert "Is there another card next to the 8 of diamonds?" in person.text
    assert "Is there another card next to the 5 of clubs?" in person.text
    assert "Is this the" not in person.text
    links = re.findall(r'href="([^"]*)">Add a card<', person.page)
    assert len(links) == 2
    for link in links:
        assert "Which card is it?" in person.open(html.unescape(link))
    change(person, side, op="add", group="p1g0", face="8C")
    assert "next to the 8 of diamonds?" in person.text, "a card that was added elsewhere is no answer"
    change(person, side, op="add", group="p1g0", face="8C", beside="p1c2")
    assert "Meld of 8s" in person.text
    assert "8 of diamonds?" not in person.text and "next to the 5 of clubs?" in person.text
    person.undo()
    assert "next to the 8 of diamonds?" in person.text, "asked again"
    change(person, side, op="name", card="p1c2", face="8D")
    assert "8 of diamonds?" not in person.text and "next to the 5 of clubs?" in person.text


def test_correcting_a_card_corrects_the_points(person: Person, round_one: str) -> None:
    side = north(person, round_one)
    page = person.open(f"{side}/card/p1c14")
    assert page.index('value="9D"') < page.index("Any other card") < page.index('value="KS"')
    change(person, side, op="name", card="p1c14", face="9D")
    assert "Dirty book of 9s 380" in person.group("p1g2")
    person.undo()
    assert "Not a valid meld yet 75" in person.group("p1g2") and "it counts 75." in person.group("p1g2")


def test_a_card_can_be_added_moved_and_removed(person: Person, round_one: str) -> None:
    side = north(person, round_one)
    assert "Which card is it?" in person.open(f"{side}/add?photo=1&x=650&y=420")
    assert '<option value="p1g3" selected' in person.page, "the nearest group is proposed"
    change(person, side, op="add", group="p1g3", face="AC", photo="1", x="650", y="420")
    assert "Meld of aces 80" in person.group("p1g3")
    change(person, side, op="move", card="p1c0", group="left1")
    assert "Cards South has left −10" in person.group("left1"), "the page where the card is now"
    person.open(f"{side}/")
    assert "Meld of 8s 60" in person.group("p1g0")
    change(person, side, op="remove", card="p1c1")
    assert "Meld of 8s 50" in person.group("p1g0")


@pytest.mark.parametrize("count", [{"cards": "2", "wild-2": "2"}, {"cards": "x"}, {"cards": "999"}, {"rank": "LADY"}])
def test_an_impossible_pile_is_refused_and_nothing_changes(
    person: Person, round_one: str, count: dict[str, str]
) -> None:
    side = north(person, round_one)
    person.send(f"{side}/group/p1g4/count", **{"rank": "K", "cards": "7", **count})
    assert re.search("count all the cards again|a whole number from 1 to 60", person.notices()[0])
    assert "Dirty book of kings 380" in person.group("p1g4")


def test_a_single_card_becomes_the_top_of_a_pile(person: Person, round_one: str) -> None:
    side = north(person, round_one)
    change(person, side, op="move", card="p1c24", group="new-pile")
    assert "Closed book of 5s not counted yet" in person.text
    person.count_piles()
    assert "Dirty book of 5s 350" in person.text


def test_who_went_out_and_the_rest_count(person: Person, round_one: str) -> None:
    north(person, round_one)
    person.send(f"{round_one}/facts", went_out="1.0", exact_deals0="2", improper_melds1="1")
    # 1470 as seen and two exact pickups; the other side went out and laid a low first meld
    person.open(f"{round_one}/check")
    assert "North–South 1,670" in person.text and "East–West −400" in person.text
    assert "Going out needs 2 clean and 3 dirty books" in person.text
    assert "East went out, nothing left" in person.open(f"{round_one}/side/1/left").replace("<small>", "")


def test_the_exported_sheet_scores_the_same(person: Person, round_one: str) -> None:
    north(person, round_one)
    person.send(f"{round_one}/facts", went_out="0")
    person.agree(round_one)
    sheet = read_sheet(json.loads(person.open(f"{round_one}/sheet.json")))
    assert [side.total for side in score(sheet, load_rules(sheet.rules)).sides] == [1570, 0]


def test_after_a_restart_everything_is_there(make_app: Callable[[], Flask]) -> None:
    first = Person(make_app())
    round_one = first.begin(side0="Us", side1="Them")
    side = north(first, round_one)
    change(first, side, op="name", card="p1c14", face="9D")
    first.send(f"{round_one}/facts", went_out="0")
    first.agree(round_one)

    again = Person(make_app())
    assert "Us against Them" in again.open("/") and "1,875" in again.text
    again.open(f"{side}/")
    assert "Dirty book of 9s 380" in again.group("p1g2")
    assert again.client.get("/photo/1/view.jpg").status_code == 200


def test_a_game_whose_rules_are_gone_leaves_the_others_in_the_list(person: Person) -> None:
    person.begin()
    services_of(person.client.application).store.add_game("lost-rules", 4, [SideRecord("Us", ("A",))])
    person.open("/")
    assert person.status == 200 and person.page.count('class="what"') == 2
    assert any("The house rules Lost rules are missing here." in notice for notice in person.notices())
    person.open("/game/2/")
    assert person.status == 409 and "The house rules Lost rules are missing here." in person.notices()[0]


def test_a_folder_as_camera_gives_its_pictures_in_turn(person: Person, round_one: str) -> None:
    side = f"{round_one}/side/0"
    person.send(f"{side}/shoot")
    assert "Clean book of 8s 770" in person.text
    person.send(f"{side}/shoot", player="1")
    assert "Cards South has left −65" in person.text


def test_pictures_of_cards_are_cut_from_the_photo(person: Person, round_one: str) -> None:
    north(person, round_one)
    for path in ("view.jpg", "view.jpg?w=1000", "card/0.jpg", "card/0.jpg?w=120", "around.jpg?x=5&y=99999"):
        answer = person.client.get(f"/photo/1/{path}")
        assert answer.status_code == 200 and answer.data.startswith(b"\xff\xd8"), path
    for path in ("card/999.jpg", "around.jpg?x=nan&y=1", "around.jpg?x=a"):
        assert person.client.get(f"/photo/1/{path}").status_code in (400, 404), path
    assert person.client.get("/photo/99/view.jpg").status_code == 404


def test_no_page_names_a_folder_of_the_machine(person: Person, tmp_path: Path) -> None:
    person.begin()
    known = {"game_id": "1", "number": "1", "side": "0", "rules_id": "golden-games"}
    addresses = [
        re.sub(r"<(?:\w+:)?(\w+)>", lambda part: known[part[1]], rule.rule)
        for rule in person.client.application.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and rule.arguments <= known.keys() and "." not in rule.rule
    ]
    addresses = [address for address in addresses if not address.endswith("/live")]  # a stream ends after minutes
    assert len(addresses) > 20
    for address in addresses:
        person.open(address)
        assert str(tmp_path) not in person.page, address
