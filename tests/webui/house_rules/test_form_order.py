"""What the form of a rule set begins with, and how refused values are told."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scorer.rules import list_rules, load_rules
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import own_copy, typed
from tests.webui.pages.admin.test_house_rules import own_folder
from webui.house_rules.amiss import refused_values
from webui.house_rules.form import MOST_CHANGED, Question, sections
from webui.house_rules.refusals import refusal
from webui.house_rules.user_rules import as_data

__all__ = ["own_folder"]


def top(rules_id: str) -> list[Question]:
    first = sections(as_data(load_rules(rules_id)))[0]
    assert first.first and first.heading == MOST_CHANGED
    return list(first.questions)


def names(questions: list[Question]) -> list[list[str]]:
    return [[part.name for part in question.parts] or [question.name] for question in questions]


def test_what_people_change_most_comes_first() -> None:
    assert names(top("golden-games")) == [
        ["first_meld.by_round"],
        ["going_out.books[0].clean", "going_out.books[0].dirty"],
        ["books.clean", "books.dirty"],
        ["going_out.points"],
        ["points[4].played", "points[4].left"],
        ["hand_cards", "foot_cards"],
        ["rounds.fixed"],
        ["melds.most_wilds"],
    ]
    assert [question.meaning for question in top("golden-games")][4] == "Red 3s"


def test_it_is_picked_by_what_the_rules_say() -> None:
    assert names(top("canasta"))[:2] == [["first_meld.by_score"], ["going_out.books[0].all"]]
    assert names(top("canasta"))[6] == ["target"] and names(top("cutting-22"))[6] == ["rounds.per_player"]
    lady = top("hand-n-foot")[4]
    assert lady.meaning == "Lady" and [part.value for part in lady.parts] == ["0", "-500"]


@pytest.mark.parametrize("rules_id", list_rules())
def test_each_field_is_asked_once(rules_id: str) -> None:
    asked = [name for section in sections(as_data(load_rules(rules_id))) for name in _fields(section.questions)]
    assert len(asked) == len(set(asked)) and len(top(rules_id)) == 8


def _fields(questions: tuple[Question, ...]) -> Iterator[str]:
    for question in questions:
        if not question.above and question.name and not question.rows:
            yield question.name
        yield from _fields(question.parts)
        for row in question.rows:
            yield from _fields(row)


def test_a_form_of_nonsense_is_still_shown() -> None:
    for data in ({}, {"points": [{"left": "x"}], "going_out": {"books": [{}]}, "rounds": {}}):
        assert len(sections(data)[0].questions) == 8


def test_refused_values_are_listed_at_the_top_with_a_way_to_each(person: Person) -> None:
    made = own_copy(person)
    form = typed(person, made)
    form["books.clean"], form["knee_cards"], form["points[1].left"] = "abc", "-1", "10"
    form["books.of_ranks[0].ranks"] = "7"
    form["packs.fixed"] = "0"
    person.send(f"/rules/{made}/edit", **form.to_dict())
    assert person.status == 400 and "Not saved: 5 things to fix" in person.text
    listed = dict(re.findall(r'<li><a href="#field-([^"]+)">([^<]+)</a>', person.page))
    assert [*listed] == ["books.clean", "packs.fixed", "knee_cards", "points[1].left", "books.of_ranks[0].ranks"]
    assert listed["books.clean"] == "What a book is worth: A clean book"
    for field in listed:
        assert f'id="field-{field}"' in person.page
    for name in ("books.clean", "knee_cards", "points[1].left"):
        about = re.search(rf'id="field-{re.escape(name)}"[^>]*', person.page)
        assert about and f'aria-describedby="wrong-{name}"' in about[0] and 'aria-invalid="true"' in about[0]
    assert re.search(r'id="wrong-books.of_ranks\[0\]"[^>]*>Fill in at least one of these values\.<', person.page)
    assert 'value="abc"' in person.page and "autofocus" in person.page, "what was typed stays, the list has the focus"
    opened = re.findall(r"<details[^>]* open[^>]*>\s*<summary>([^<]+?) <", person.page)
    assert opened == ["Players, packs and rounds", "Deal and first meld", "Cards, melds and books"]


def test_a_refusal_of_no_field_is_listed_too() -> None:
    told = refused_values(sections({}), {"": "They are too long.", "nowhere": "Odd."})
    assert [(each.field, each.sentence) for each in told] == [("", "They are too long."), ("", "Odd.")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("expected this key, got nothing", "Please fill this in."),
        ("expected the points of 4C once, got them 0 times", "The 4 of clubs is missing; list each card once."),
        ("expected no wild, got 2C", "The 2 of clubs is a wild card, so it can't be listed here."),
        ("expected books, laid or went_out, got none of them", "Fill in at least one of these, or leave it all out."),
        (
            "expected book_size (7) or more, got 5",
            "This must be 7 or more (the size of a book is 7), not 5.",
        ),
        ("expected 0, as these rules have no wild book, got 1", "This must be 0, as there are no wild books; not 1."),
        ("expected none beside by_score, got 5", "This must be 0 where the points go by the side's total."),
        ("expected cards of laid, got 8C", "These are not among the cards laid out on the table: 8 of clubs."),
        ("expected ranks of none, got 7", "Leave this empty; 7 can't be listed here."),
        ("expected sides from 1 to 2, got 3", "List sides from 1 to 2, not 3."),
        ("something else", "Something else."),
    ],
)
def test_refusals_are_plain(text: str, sentence: str) -> None:
    assert refusal(text) == sentence and refusal(f"{text}.") == sentence
