"""Cards added by hand one after the other, loose cards sorted at a tap, questions with the card marked; no scripts."""

from __future__ import annotations

import html
import re

from tests.webui.helpers.drawn import NEARLY_SURE, NORTH_TABLE, photo
from tests.webui.helpers.forms import forms_of
from tests.webui.helpers.playing import Person

SIDE = "/game/1/round/1/side/0"


def hidden(person: Person, name: str) -> str:
    found = re.findall(rf'name="{name}" value="([^"]*)"', person.page)
    assert found, name
    return html.unescape(found[-1])


def test_many_cards_are_added_without_leaving_the_form(person: Person) -> None:
    person.begin()
    person.open(f"{SIDE}/add?group=new-meld")
    assert "Which cards?" in person.text and hidden(person, "first") == "new"
    person.send(f"{SIDE}/change", op="add", group="new-meld", face="8S", first="new", typed="")
    assert (
        person.path.endswith("/add")
        and "Added: 8 ♠" in person.text
        and "meld of 8s yet (1 card)" in person.text.lower()
    )
    first = hidden(person, "first")
    for face in ("8H", "8D"):
        person.send(f"{SIDE}/change", op="add", group=f"n{first}", face=face, first=first)
    assert "Added: 8 ♦ 8 ♥ 8 ♠" in person.text
    assert "Most likely" not in person.text, "the cards that are tapped stay in their places"
    made = re.findall(r'name="correction" value="(\d+)"', person.page)
    person.send(f"{SIDE}/add/undo", correction=made[0], group=f"n{first}", first=first)
    assert person.path.endswith("/add") and "Added: 8 ♥ 8 ♠ Undo" in person.text
    assert "Undo the 8 of hearts" in person.page
    person.open(f"{SIDE}/")
    assert "8 ♠ 8 ♥" in person.group(f"n{first}") and "8 ♦" not in person.group(f"n{first}")


def test_a_card_is_taken_back_only_while_it_was_added_last(person: Person) -> None:
    person.begin()
    person.send(f"{SIDE}/change", op="add", group="new-meld", face="8S", first="new")
    first = hidden(person, "first")
    person.send(f"{SIDE}/change", op="name", card=f"a{first}", face="9S")
    person.send(f"{SIDE}/add/undo", correction=first, group=f"n{first}", first=first)
    assert person.status == 409 and "Something else has changed since then" in person.text


def test_loose_cards_are_sorted_at_a_tap_and_that_is_undone_at_one(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    person.send(f"{SIDE}/change", op="regroup", cards="p1c0", group="loose")  # beside the 5 of clubs
    assert "All are in North’s hand" in person.text and "Group them by rank" in person.text
    person.send(f"{SIDE}/loose", ask="next")
    assert "8 ♥" in person.group("p1g0"), "it joins the only meld of its rank"
    assert "Group them by rank" not in person.text, "one card is left"
    person.undo()
    person.send(f"{SIDE}/loose", player="1", ask="next")
    person.open(f"{SIDE}/left")
    assert "8 ♥ 5 ♣" in person.group("left1") or "5 ♣ 8 ♥" in person.group("left1")
    person.undo()
    person.open(f"{SIDE}/")
    assert "5 ♣" in person.group("loose") and "8 ♥" in person.group("loose")
    person.send(f"{SIDE}/loose", player="7")
    assert person.status == 404
    person.send("/game/1/round/1/facts", went_out="0.1")
    person.open(f"{SIDE}/")
    assert "All are in North’s hand" in person.text, "and not in that of who went out"
    assert "All are in South’s hand" not in person.text and "In South’s hand" not in person.text


def test_cards_of_several_ranks_grouped_at_a_tap_are_one_entry_of_the_history(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    for card in ("p1c0", "p1c7"):  # an 8 and a queen, whose melds are there
        person.send(f"{SIDE}/change", op="regroup", cards=card, group="loose")
    person.send(f"{SIDE}/loose", ask="next")
    assert "Cards grouped by rank." in person.text
    assert "8 ♥" in person.group("p1g0") and "Q ♥" in person.group("p1g1")
    person.undo()
    person.open("/game/1/log")
    assert person.text.count("Cards grouped by rank") == 1 == person.text.count("Undone: cards grouped by rank")


def test_questions_show_where_the_card_lies_and_how_many_are_left(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    assert "1 of 2" in person.text and "2 of 2" in person.text
    marked = re.findall(r'src="(/photo/1/marked\.jpg[^"]*)"', person.page)
    assert len(marked) == 2
    for address in marked:
        answer = person.client.get(html.unescape(address))
        assert answer.status_code == 200 and answer.mimetype == "image/jpeg"
    for page in ("card/p1c14", "group/p1g0"):
        person.open(f"{SIDE}/{page}")
        assert "/photo/1/marked.jpg?cards=" in person.page, page
    for wrong in ("", "cards=99", "cards=x"):
        assert person.client.get(f"/photo/1/marked.jpg?{wrong}").status_code == 404


def test_an_answered_question_leads_to_the_next_one(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    token = person.token()
    answer = person.client.post(
        f"{SIDE}/change", data={"op": "name", "card": "p1c14", "face": "9D", "ask": "next", "token": token}
    )
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/side/0/#doubts")


def test_nearly_sure_cards_are_settled_at_one_look_and_that_is_undone_as_one(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NEARLY_SURE))
    assert "3 cards not quite sure: look once" in person.text and "2 things to look at" in person.text
    person.open("/game/1/round/1/check")
    assert "3 cards not quite sure: look once" in person.text
    person.send(f"{SIDE}/looked", cards=["p1c0", "p1c2", "p1c5"], check="next")
    assert person.path.endswith("/check") and "not quite sure" not in person.text
    person.open("/game/1/log")
    assert re.search(r"Card confirmed – (\w+ of \w+, ){2}\w+ of \w+", person.text), "one line of the history"
    person.open(f"{SIDE}/")
    assert "1 thing to look at" in person.text
    person.undo()
    assert "3 cards not quite sure: look once" in person.text
    person.send(f"{SIDE}/looked", cards=["p1c0", "p9c9"])
    assert person.status == 400 and "not there any more" in person.text
    person.send(f"{SIDE}/looked")
    assert person.status == 400


def test_all_cards_of_a_group_are_removed_at_one_tap_and_that_is_undone_as_one(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    form = next(form for form in forms_of(person, f"{SIDE}/group/p1g1") if "remove" in form.fields)
    cards = re.findall(r'type="hidden" name="cards" value="(\w+)"', person.open(f"{SIDE}/group/p1g1"))
    assert f"Remove all {len(cards)} cards" in person.text and len(cards) > 2
    person.send(form.action, **{**form.fields, "cards": cards})
    assert 'id="group-p1g1"' not in person.page and "Card removed" in person.text
    person.undo()
    assert all(f'id="card-{card}"' in person.page for card in cards)


def test_what_somebody_else_changed_is_not_said_to_be_right_unseen(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NEARLY_SURE))
    seen = hidden(person, "seen")
    person.send(f"{SIDE}/change", op="name", card="p1c0", face="KD")
    person.send(f"{SIDE}/change", op="name", card="p1c1", face="KD")
    for form in ({"cards": ["p1c0", "p1c2"]}, {"op": "accept", "group": "p1g0"}):
        person.send(f"{SIDE}/{'looked' if 'cards' in form else 'change'}", seen=seen, **form)
        assert "Someone else changed this first" in person.text and "See it now" in person.text
        assert "Use my change" not in person.text
    person.send(f"{SIDE}/change", seen=seen, op="name", card="p1c0", face="8H")
    assert "Use my change" in person.text
    person.send(f"{SIDE}/change", seen=seen, op="accept", group="p1g1")
    assert "Someone else changed this first" not in person.text, "of that group nobody changed a card"


def test_without_script_the_line_lights_its_cards(person: Person) -> None:
    person.begin()
    person.photo(SIDE, photo(NEARLY_SURE))
    for page in (f"{SIDE}/?lit=gathered", "/game/1/round/1/check?lit=0-gathered"):
        person.open(page)
        lit = re.findall(r'<a class="outline [^"]*lit" [^>]*data-card="(\w+)"', person.page)
        assert lit == ["p1c0", "p1c2", "p1c5"], page
