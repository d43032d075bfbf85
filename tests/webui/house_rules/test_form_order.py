"""Which fields stand below which sentence, and how refused values are told."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scorer.rules import load_rules
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import own_copy, typed
from tests.webui.pages.admin.test_house_rules import own_folder
from webui.house_rules.differing import told_anew
from webui.house_rules.form import Question, sections
from webui.house_rules.refusals import refusal
from webui.house_rules.refused_values import refused_values
from webui.house_rules.sentences import explain
from webui.house_rules.user_rules import as_data

__all__ = ["own_folder"]


def asked_in(rules_id: str) -> dict[str, list[str]]:
    """The names of the fields that stand below each sentence."""
    rules = load_rules(rules_id)
    told = [each for section in sections(rules, as_data(rules)) for each in section.told]
    assert [each.sentence for each in told] == [text for topic in explain(rules) for text in topic.sentences]
    return {each.sentence: [question.name for question in each.questions] for each in told}


def test_a_sentence_has_the_fields_that_it_tells() -> None:
    asked = asked_in("golden-games")
    assert asked["A clean book is worth 700 points, a dirty book 300."] == ["books.clean", "books.dirty"]
    assert asked["Red 3s are worth 100 points each."] == ["points[4]"]
    assert asked["Going out earns 100 points."] == ["going_out.points", "going_out.by_round"]
    assert asked["You can't bury spare cards."] == ["burying"]
    ladies = "Ladies: 0 points each on the table, −500 points each left in your hand or foot."
    assert asked_in("hand-n-foot")[ladies][0] == "points[5]"


def test_another_value_of_a_field_is_told_where_the_field_stands() -> None:
    rules = load_rules("golden-games")
    other = rules.model_copy(update={"books": rules.books.model_copy(update={"clean": 800})})
    before, now = ([text for topic in explain(one) for text in topic.sentences] for one in (rules, other))
    said = told_anew(other, rules)
    assert [at for at, text in enumerate(said) if text != before[at]] == [
        at for at, text in enumerate(now) if text == "A clean book is worth 800 points, a dirty book 300."
    ]
    assert told_anew(rules, rules) == before
    without = rules.model_copy(update={"exact_deal": None})
    gone = told_anew(without, rules)
    assert [before[at][:12] for at, text in enumerate(gone) if not text] == ["Exact pickup"]
    more = " ".join(told_anew(rules, without))
    assert all(sentence in more for sentence in before), "what is more stands beside what comes before it"


def _fields(questions: tuple[Question, ...]) -> Iterator[str]:
    for question in questions:
        if question.name and not question.rows:
            yield question.name
        yield from _fields(question.parts)
        for row in question.rows:
            yield from _fields(row)


def test_a_form_of_nonsense_is_still_shown() -> None:
    rules = load_rules("golden-games")
    for data in ({}, {"points": [{"left": "x"}] * 9, "going_out": {"books": [{}]}, "rounds": {}}):
        asked = [name for section in sections(rules, data) for name in _fields(section.questions)]
        assert {"books.clean", "points[0].left" if data else "points[1].left"} <= set(asked)


def test_refused_values_are_listed_at_the_top_with_a_way_to_each(person: Person) -> None:
    made = own_copy(person)
    form = typed(person, made)
    form["books.clean"], form["knee_cards"], form["points[1].left"] = "abc", "-1", "10"
    form["books.of_ranks[0].ranks"] = "7"
    form["packs.fixed"] = "0"
    person.send(f"/rules/{made}/edit", **form.to_dict())
    assert person.status == 400 and "Not saved: 5 things to fix" in person.text
    listed = dict(re.findall(r'<li><a href="#field-([^"]+)">([^<]+)</a>', person.page))
    assert [*listed] == ["packs.fixed", "knee_cards", "books.clean", "points[1].left", "books.of_ranks[0].ranks"]
    assert listed["books.clean"] == "Clean book (no wild cards)"
    for field in listed:
        assert f'id="field-{field}"' in person.page
    for name in ("books.clean", "knee_cards", "points[1].left"):
        about = re.search(rf'id="field-{re.escape(name)}"[^>]*', person.page)
        assert about and f'aria-describedby="wrong-{name}"' in about[0] and 'aria-invalid="true"' in about[0]
    assert re.search(r'id="wrong-books.of_ranks\[0\]"[^>]*>Fill in at least one of these values\.<', person.page)
    assert 'value="abc"' in person.page and "autofocus" in person.page, "what was typed stays, the list has the focus"
    opened = re.findall(r"<details[^>]* open[^>]*>\s*<summary>(?:<span[^>]*>)?([^<]+?)[ <]*<", person.page)
    assert [one[:20] for one in opened] == [
        *("You need 5 packs.", "Each player also get", "A clean book is wort", "8s through kings are"),
        "Cards, melds and boo",
    ]


def test_a_refusal_of_no_field_is_listed_too() -> None:
    told = refused_values([], {"": "They are too long.", "nowhere": "Odd."})
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
