"""What differs between house rules and those that they come from."""

from __future__ import annotations

from scorer.rules import load_rules
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import copy_form
from tests.webui.pages.admin.test_house_rules import own_folder
from webui.games.rule_choice import SHEETS
from webui.house_rules.differing import differing, nearest

__all__ = ["own_folder"]
COPY = "/rules/golden-games/copy"


def test_only_the_sentences_that_differ_are_told() -> None:
    golden = load_rules("golden-games")
    dearer = golden.model_copy(update={"books": golden.books.model_copy(update={"clean": 900})})
    found = differing(dearer, golden)
    assert found.here == ("A clean book is worth 900 points, a dirty book 300.",)
    assert found.there == ("A clean book is worth 700 points, a dirty book 300.",)
    assert differing(golden, golden.model_copy(update={"name": "Ours"})).here == ()


def test_rules_are_held_against_the_sheet_that_is_most_like_them() -> None:
    golden = load_rules("golden-games")
    dearer = golden.model_copy(update={"id": "ours", "books": golden.books.model_copy(update={"clean": 900})})
    found = nearest(dearer, [load_rules(one) for one in SHEETS])
    assert found is not None and found.others.id == "golden-games" and len(found.here) == 1
    assert nearest(golden, [golden]) is None


def test_the_form_and_the_page_say_it(person: Person) -> None:
    form = copy_form(person).to_dict(flat=False)
    assert "What differs from Golden Games doubles" in person.text and "Nothing yet." in person.text
    sent = form | {"books.clean": ["900"], "token": [person.token()]}
    told = person.client.post(f"{COPY}/check", data=sent).get_json()["differs"]
    assert "<li>A clean book is worth 900 points" in told and "<del>A clean book is worth 700 points" in told
    wrong = person.client.post(f"{COPY}/check", data=sent | {"books.clean": ["many"]}).get_json()
    assert "books.clean" in wrong["wrong"] and "Nothing yet." not in wrong["differs"] and "<li>" not in wrong["differs"]
    person.send(COPY, **sent)
    assert "What differs from Golden Games doubles" in person.text and "worth 900 points" in person.text
