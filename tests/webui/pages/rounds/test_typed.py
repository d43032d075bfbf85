"""A side without photos: cards typed at a stroke, and points in counts or as a total."""

from __future__ import annotations

import json
import re

import pytest

from tests.webui.helpers.playing import Person

SIDE = "/game/1/round/1/side/0"
COUNTS = {"way": "counts", "books-clean": "3", "books-dirty": "2", "cards": "640", "left": "85"}


def own(person: Person) -> str:
    """The text of the page's own part, with minus signs as digits have them."""
    return person.text.replace("−", "-")


def test_a_whole_side_is_typed_in_one_form(person: Person) -> None:
    person.begin(rules="golden-games")
    assert "one line for each" in person.open(f"{SIDE}/typed/cards")
    melds = "7x8\n9 9 9 2\n K♥ kh 3 x k"
    person.send(f"{SIDE}/typed/cards", melds=melds, laid="red 3", left0="jk 4", left1="")
    # 8s 700 + 70; 9s 30 + 20; kings 50; red three 100
    assert "Clean book of 8s 770" in person.text and "Laid threes 100" in person.text
    assert "Meld of 9s 50" in person.text and "Meld of kings 50" in person.text
    assert "Check one by one" not in person.text and 'class="photos"' not in person.page, "there is no photo"
    assert person.left(SIDE).startswith("Cards North has left −55")
    person.open("/game/1/log")
    assert "Typed cards added" in person.text and "Typed cards added to the cards North has left" in person.text
    person.open(f"{SIDE}/")
    person.undo()
    assert "Clean book" not in person.text, "one form is undone by one press"


def test_a_suit_that_nobody_said_is_shown_nowhere(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/cards", melds="8 8 8h jk", laid="red 3", left0="k", left1="")
    names = re.findall(r'class="chip[^"]*"[^>]*data-card="a\d+\.\d" aria-label="([^"]+)"', person.open(f"{SIDE}/"))
    assert names == ["8", "8", "8 of hearts", "joker", "3 of diamonds"]
    assert re.findall(r'class="chip[^"]*"[^>]*aria-label="([^"]+)"', person.open(f"{SIDE}/left"))[0] == "king"
    assert "8 8 8♥ Joker" in person.open("/game/1/round/1/check").replace("\n", " ") or "8 8 8♥ Joker" in person.text
    assert "8 8 8♥ Joker" in person.open("/game/1/log")
    person.open(f"{SIDE}/")
    card = re.findall(r'data-card="(a\d+\.0)"', person.page)[0]
    assert "<h1>8</h1>" in person.open(f"{SIDE}/card/{card}") and 'value="8D"' in person.page
    person.send(f"{SIDE}/change", op="name", card=card, face="8D")
    assert 'aria-label="8 of diamonds"' in person.page
    assert "Card changed 8 8 of diamonds" in (person.open("/game/1/log") and person.text)


def test_too_many_cards_without_suits_are_told_without_suits(person: Person) -> None:
    round_ = person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/cards", melds="5x10c\n99x8", laid="5", left0="8x10, 12 x red 3", left1="")
    told = person.open(f"{round_}/check") and person.text
    assert set(re.findall(r"There are only [^.]+\.", told)) == {
        "There are only 20 of the 8s in 5 packs, but 99 are counted.",
        "There are only ten red 3s in 5 packs, but 12 are counted.",
    }, "the suits of the 10s were chosen so that there are enough of each"
    assert "Under these rules, 5s can’t be laid on the table" in told and not re.search("[58][♣♦♥♠]", told)


def test_a_side_of_left_over_cards_alone_has_nothing_on_the_table(person: Person) -> None:
    """Else the next step would be the other side's table, and this side's stay open unnoticed."""
    person.begin(rules="golden-games")
    done = f'<a href="{SIDE}/" class="done'
    person.send(f"{SIDE}/typed/cards", melds="", left0="red 3 4", left1="")
    assert person.path.endswith("/left") and done in person.page
    person.undo()
    assert done not in person.open(f"{SIDE}/"), "one press takes back both"
    assert 'id="group-left0"' not in person.open(f"{SIDE}/left")


def test_cards_are_typed_into_a_meld_and_a_hand(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/cards", group="new-meld", typed="8 8 8")
    group = re.findall(r'id="group-(n\d+)"', person.page)[-1]
    assert "typed/cards" in person.open(f"{SIDE}/add?group={group}")
    person.send(f"{SIDE}/typed/cards", group=group, typed="4x8")
    assert person.group(group).startswith("Clean book of 8s 770")
    person.send(f"{SIDE}/typed/cards", group="left1", typed="2 jokers")
    assert person.path.endswith("/left") and "−100" in person.left(SIDE, 1)
    card = re.findall(r'data-card="(a\d+\.\d)"', person.page)[0]
    person.send(f"{SIDE}/change", op="name", card=card, face="4H")
    assert "−55" in person.left(SIDE, 1), "a typed card is mended like any other"


def test_a_word_that_is_no_card_is_named_and_nothing_is_lost(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/cards", melds="8 8 8\nq q zz")
    assert "“zz” is not a card in this deck" in person.text and "q q zz" in person.page
    field = re.search(r"<label>Melds.*?</label>", person.page, re.DOTALL)
    assert field and "“zz” is not a card" in field[0] and 'aria-invalid="true" autofocus' in field[0], (
        "beside its field"
    )
    person.send(f"{SIDE}/typed/cards", melds="8 8 8", left1="2x red 3 yy")
    field = re.search(r"<label>Cards left: South.*?</label>", person.page, re.DOTALL)
    assert field and "“yy” is not a card" in field[0] and 'value="2x red 3 yy"' in field[0] and "8 8 8<" in person.page
    person.send(f"{SIDE}/typed/cards", group="new-meld", typed="3 3 3")
    assert "Which suit is “3”?" in person.text
    person.send(f"{SIDE}/typed/cards", melds=" \n")
    assert "No cards were typed" in person.text
    person.send(f"{SIDE}/typed/cards", group="x" * 61, typed="8")
    assert person.status == 400
    person.open(f"{SIDE}/")
    assert "Meld of 8s" not in person.text


def test_counts_of_a_side_take_one_form(person: Person) -> None:
    round_url = person.begin(rules="golden-games")
    person.send(f"{round_url}/facts", went_out="0.0")
    form = person.open(f"{SIDE}/typed/points")
    assert 'data-sum="100"' in form and re.search(r'name="books-wild"[^>]*data-each="1500"', form)
    person.send(f"{SIDE}/typed/points", **COUNTS, **{"laid-0": "2", "sum": "3555"})
    assert person.path.endswith("/side/1/typed/points"), "the other side comes next"
    assert "as the page showed" not in person.text
    person.open(f"{SIDE}/")
    # 3 x 700 + 2 x 300 + 640 + 2 x 100 + going out 100 - 85
    assert "3,555" in person.text and "Typed: 3 clean, 2 dirty, laid 3♦ 3♥, card points 640, left −85" in person.text


def test_the_server_checks_the_sum_that_the_page_showed(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/points", **COUNTS, sum="9999")
    assert "3,255 points for North–South this round, not 9,999 as the page showed" in person.notices()[0]


def test_a_total_alone_is_agreed_logged_and_marked(person: Person) -> None:
    round_url = person.begin(rules="golden-games")
    person.send(f"{round_url}/facts", went_out="0.0")
    person.send(f"{SIDE}/typed/points", way="total", total="1,240")
    person.send("/game/1/round/1/side/1/typed/points", way="total", total="65", minus="yes")
    assert person.path.endswith("/check"), "nothing else is asked: a total holds everything"
    person.agree(round_url)
    assert "total of the round, typed 1,240" in person.text and "typed" in person.text
    assert "Round 1 1,240 -65" in own(person), "going out is in the total"
    person.open("/game/1/log")
    assert re.search(r": typed.{0,30}total 1,240", person.text)
    person.open("/game/1/pad")
    assert "Total, typed" in person.text and "went out typed" in person.text
    sheet = json.loads(person.client.get(f"{round_url}/sheet.json").text)
    assert sheet["sides"][0]["typed"]["total"] == 1240
    csv = person.client.get("/game/1/game.csv").text.splitlines()
    assert csv[0].endswith("left,typed,points,total") and csv[1].endswith("1240,1240,1240")


def test_typed_points_stay_under_other_rules_and_can_be_undone(person: Person) -> None:
    round_url = person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/points", way="total", total="500")
    person.send("/game/1/round/1/side/1/typed/points", way="counts", cards="200", **{"books-clean": "1"})
    person.agree(round_url)
    assert "Round 1 500 900" in person.text
    person.open("/game/1/rules?to=tanglewood")
    assert "Round 1 500 500 900 700" in person.text, "the total stays, a clean book counts 500 there"
    person.open(f"{SIDE}/")
    person.send(f"{SIDE}/typed/take-back")
    assert "Typed:" not in person.text
    person.undo()
    assert "Typed: total 500" in person.open(f"{SIDE}/") and "agreed" in person.text


def test_typed_points_count_in_place_of_cards(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/cards", melds="7x8")
    person.send(f"{SIDE}/typed/points", way="total", total="100")
    person.open(f"{SIDE}/")
    assert "These points count, not the cards below." in person.text and "Clean book" not in person.text
    person.send(f"{SIDE}/typed/take-back")
    assert "Clean book of 8s 770" in person.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"way": "total", "total": ""}, "Type the total"),
        ({"way": "total", "total": "12a"}, "The total: “12a” is not a whole number. Type digits only, like 640."),
        ({"way": "counts", "books-clean": "120"}, "Clean books: 120 is too much. It can be 99 at most."),
        ({"way": "counts", "books-clean": "-1"}, "Clean books: -1 can’t be below 0"),
        ({"way": "counts", "cards": "6.5"}, "Card points: “6.5” is not a whole number"),
        ({"way": "total", "total": "1000000"}, "The total: 1000000 is too much. It can be 99,999 at most."),
    ],
)
def test_what_is_no_number_is_named(person: Person, fields: dict[str, str], sentence: str) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/points", **fields)
    assert sentence in person.text
    field = next(name for name in (*fields, "total") if name != "way")
    beside = rf'role="alert">[^<]*</span>(?:(?!<input).)*<input name="{field}" aria-invalid="true"'
    assert re.search(beside, person.page, re.DOTALL)
    person.open(f"{SIDE}/")
    assert "Typed:" not in person.text


def test_books_are_asked_as_the_rules_value_them(person: Person) -> None:
    person.begin(rules="tour-of-lakes", players="4")
    person.open(f"{SIDE}/typed/points")
    assert "Clean books of 7s" in person.text and "Other clean books" in person.text and "Caps" not in person.text
    person.begin(rules="hand-n-foot")
    person.open("/game/2/round/1/side/0/typed/points")
    assert "Caps on books" in person.text and "Wild books" in person.text and "Laid" not in person.text
    person.begin(rules="tanglewood", players="4")
    person.open("/game/3/round/1/side/0/typed/points")
    assert "Wild books" not in person.text and "Laid" not in person.text


def test_several_typed_cards_make_no_squared_pile(person: Person) -> None:
    person.begin(rules="golden-games")
    person.send(f"{SIDE}/typed/cards", group="new-pile", typed="8 8 8")
    assert person.group("n1").startswith("Meld of 8s 30")
    person.send(f"{SIDE}/typed/cards", group="new-pile", typed="q")
    assert "not counted yet" in person.group("n2"), "one card is the top of a pile"


def test_what_a_total_holds_is_not_asked_of_its_side_again(person: Person) -> None:
    round_url = person.begin(rules="golden-games")
    person.send(f"{round_url}/facts", unseen="yes", exact_deals0="1", exact_deals1="0")
    person.send(f"{SIDE}/typed/points", way="total", total="800")
    assert re.search(r'value="total" checked', person.page), "the next side is offered the same"
    person.open(f"{round_url}/unseen")
    assert "North–South: already in the total you typed." in person.text
    assert '<input type="hidden" name="exact_deals0" value="1">' in person.page, "for when its cards count again"
    assert re.search(r'type="radio" name="exact_deals1"', person.page)


def test_cards_left_are_typed_on_their_own_step(person: Person) -> None:
    side = f"{person.begin()}/side/0"
    assert re.search(r"Step \d of 7: North–South, cards left", person.open(f"{side}/typed/cards?group=left1"))
    assert re.search(r"Step \d of 7: North–South, table", person.open(f"{side}/typed/cards"))
