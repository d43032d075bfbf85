"""House rules on the page: the form has every field, values survive, errors are shown at their field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from scorer.data import Frozen
from scorer.rules import RuleSet, list_rules, load_rules, read_rules, use_folder
from scorer.rules.card_parts import MeldNeeds
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import Form, copy_form, own_copy, typed
from webui.house_rules.field_types import field_type
from webui.house_rules.form import SECTIONS, sections
from webui.house_rules.sentences import explain
from webui.house_rules.submitted import read_submitted, validate_submitted
from webui.house_rules.user_rules import as_data, free_id, proposed_copy, save_rules


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data" / "rulesets"
    use_folder(folder)
    yield folder
    use_folder(None)


def leaves(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """Every field of a model that holds a value, by its place; rows as their first."""
    for key, field in model.model_fields.items():
        shape = field_type(key, field)
        if shape.model is None:
            yield f"{before}{key}"
        else:
            yield from leaves(shape.model, f"{before}{key}{'[0]' if shape.kind == 'rows' else ''}.")


def test_the_form_has_every_field_with_its_meaning(person: Person) -> None:
    page = person.open(f"/rules/{own_copy(person)}/edit")
    asked = set(re.findall(r'name="([^"]+)"', page))
    assert {*leaves(RuleSet)} - {"id"} <= asked
    for field in MeldNeeds.model_fields.values():
        assert (field.description and field.description.lower() in person.text.lower()) or field.is_required()


def test_every_section_starts_at_an_existing_field() -> None:
    assert set(SECTIONS) <= set(RuleSet.model_fields)
    rules = load_rules("golden-games")
    untold = [section.heading for section in sections(rules, {}) if section.untold]
    assert untold == [heading for heading in SECTIONS.values() if heading in untold], "in the order of the model"


def test_an_unchanged_form_gives_the_same_rule_set(person: Person, own_folder: Path) -> None:
    for rules_id in list_rules():
        copy = proposed_copy(load_rules(rules_id), own_folder)
        form = copy_form(person, rules_id)
        assert all(len({*values}) == len(values) for values in form.listvalues()), "each field is asked once"
        read, wrong = validate_submitted(read_submitted(form, copy.id))
        assert wrong == {} and read == copy, rules_id
        assert copy == load_rules(rules_id).model_copy(update={"id": copy.id, "name": copy.name})


@pytest.mark.parametrize("rules_id", list_rules())
def test_a_saved_file_gives_the_same_rule_set(tmp_path: Path, rules_id: str) -> None:
    rules = load_rules(rules_id)
    save_rules(rules, tmp_path)
    assert read_rules(tmp_path / f"{rules_id}.toml") == rules


WRONG = (
    ("books.clean", "abc", "books.clean", 'This must be a whole number, not "abc".'),
    ("books.clean", "-5", "books.clean", "This must be 0 or more, not -5."),
    ("books.clean", "", "books.clean", "Please fill this in."),
    ("name", " ", "name", "Please fill this in."),
    ("name", "\u202e", "name", "Please fill this in."),
    ("name", "A" * 120_000, "name", "Use 80 characters or fewer; this has 120000."),
    ("source", "." * 201, "source", "Use 200 characters or fewer; this has 201."),
    ("going_out.also", "x" * 201, "going_out.also", "Use 200 characters or fewer; this has 201."),
    ("laid", "3," * 61, "laid", "List 60 or fewer here."),
    ("hand_cards", "13, x", "hand_cards", 'This must be a whole number, not "x".'),
    ("hand_cards", "13, 0", "hand_cards", "This must be 1 card or more, not 0."),
    ("wild_ranks", "2; 9", "wild_ranks", "You can list 2, JK here, but not 9."),
    ("points[1].left", "10", "points[1].left", "This must be 0 or less, not 10."),
    ("melds.least_cards", "9", "book_size", "This must be 9 or more (the smallest meld is 9), not 7."),
    ("packs.fixed", "0", "packs", "Fill in one of these numbers, 1 or more."),
    ("rounds.by_players", "4 = 0", "rounds.by_players", "Each number must be 1 or more, not 4 = 0."),
    ("seatings[0].sides", "2", "seatings[0].sides", "List 2 or more here."),
    ("jokers", "0", "wild_ranks", "Take JK out here, as you have no jokers in a pack."),
    ("jokers", "0", "points[3].cards", "Take JK out here, as you have no jokers in a pack."),
    (
        "hand_cards",
        "400",
        "hand_cards",
        "Dealing to 4 players takes 1644 cards, but the packs have only 270. Deal fewer, or take more packs.",
    ),
    ("rounds.by_players", "4=4, 04 = 5", "rounds.by_players", "List each number once; you have 4 more than once."),
    ("hand_by_players", "400 = 11", "hand_by_players", "Each number must be 99 or less, not 400."),
    ("never_melded", "3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A", "never_melded", "No rank can be melded then;"),
    ("event.prizes", "gold, Gold, gold", "event.prizes", "List each name once; you have Gold more than once."),
    ("book_size", "400", "book_size", "The packs have at most"),
    ("books.clean", "9" * 20, "books.clean", "The largest number allowed is 1000000."),
    ("going_out.points", "-" + "9" * 20, "going_out.points", "The smallest number allowed is -1000000."),
    ("laid", "red 5 or so", "laid", 'The deck has no "red 5 or so"; write "8" or "red 3".'),
)
"""What is typed in a field, where it is told, and the sentence."""


def test_errors_are_shown_at_their_field(person: Person) -> None:
    made = own_copy(person)
    unchanged = typed(person, made)
    unchanged.add("token", person.token())
    for name, text, where, sentence in WRONG:
        assert name in unchanged
        form = unchanged.copy()
        form[name] = text
        changed, wrong = validate_submitted(read_submitted(form, made))
        assert changed is None and sentence in wrong[where]
        answer = person.client.post(f"/rules/{made}/check", data=form)
        assert answer.status_code == 200 and answer.get_json()["wrong"] == wrong
        kept = person.client.post(f"/rules/{made}/edit", data=form)
        assert kept.status_code == 400 and load_rules(made).books.clean == 700
        assert re.search(rf'data-wrong="{re.escape(where)}"[^>]*>[^<]+<', kept.text), "the page says it there too"


def test_runs_with_cards_without_suits_are_refused_by_the_name_of_the_cards(person: Person) -> None:
    form = copy_form(person)
    form["runs"], form["runs.ranks"], form["runs.clean"] = "yes", "4, 5, 6, 7, 8, 9, 10", "1500"
    _, wrong = validate_submitted(read_submitted(form, "mine"))
    assert wrong == {
        "runs": "Runs need cards with suits, which Hand & Foot Remastered cards lack: leave out runs, or those cards."
    }


def test_a_number_that_may_be_left_empty_says_what_that_means(person: Person) -> None:
    person.open("/rules/tanglewood/copy")
    for told in (
        "Jokers in a pack (leave empty for two)",
        "Most clean melds of a rank on a side leave empty for no limit",
        "Most dirty melds of a rank on a side leave empty for no limit",
        "Wild book (all wild cards) leave empty for none",
    ):
        assert told in person.text
    assert "(leave empty for two) leave empty" not in person.text


def test_errors_stay_at_their_row_after_an_empty_row(person: Person) -> None:
    made = own_copy(person)
    form = typed(person, made)
    for part in ("cards", "played", "left"):
        form[f"points[0].{part}"] = ""
    form["points[2].left"] = "x"
    form.add("token", person.token())
    answer = person.client.post(f"/rules/{made}/check", data=form)
    assert answer.json and "points[2].left" in answer.json["wrong"], "where it stands in the form"
    again = person.client.post(f"/rules/{made}/edit", data=form).text
    assert 'data-wrong="points[1].left"' in again, "where it stands once the empty row is gone"


def test_changed_values_are_saved_and_count_at_once(person: Person, own_folder: Path) -> None:
    made = own_copy(person)
    form = typed(person, made)
    form["books.clean"], form["first_meld.step"], form["name"] = "800", "10", "Kitchen"
    form["points[6].cards"], form["points[4].cards"], form["points[4].left"] = "3H", "3D", "−300"
    form["points[6].played"], form["points[6].left"] = "100", "-100"
    del form["exact_deal"]
    person.send(f"/rules/{made}/edit", **form.to_dict())
    assert person.notices()[0].startswith("Kitchen is saved.")
    rules = load_rules(made)
    assert (rules.books.clean, rules.first_meld.step, rules.exact_deal) == (800, 10, None)
    assert rules.points[4].left == -300 and rules.points[6].cards == ("3H",)
    assert read_rules(own_folder / f"{made}.toml") == rules
    assert "Kitchen" in person.open("/new") and "Kitchen" in person.open("/rules/")


def test_one_rule_is_changed_from_the_game(person: Person) -> None:
    person.begin()
    for way, worth in (("copy", "600"), ("edit", "650")):  # the game takes up a copy, which is changed then
        (address,) = re.findall(rf'"(/rules/[\w-]+/{way}\?game=1)"', person.open("/game/1/rules"))
        form = Form(person.open(address), address)
        form.sent["books.clean"] = "-"
        person.send(address, **form.sent.to_dict())
        assert person.status == 400 and f'action="{address}"' in person.page
        form.sent["books.clean"] = worth
        person.send(address, **form.sent.to_dict())
        if way == "copy":
            assert person.path == "/game/1/rules" and "Golden Games doubles at our table would change" in person.text
            made = re.findall(r'name="to" value="([\w-]+)"', person.page)[0]
            person.send("/game/1/rules", to=made)
        assert person.path == "/game/1/" and load_rules(made).books.clean == int(worth)
    person.open(f"/rules/{made}/copy?game=none")
    assert person.status == 200


def test_rules_that_another_device_changed_meanwhile_are_not_overwritten(person: Person) -> None:
    made = own_copy(person)
    one, other = typed(person, made), typed(person, made)
    one["name"], other["name"] = "Ours", "Mine"
    person.send(f"/rules/{made}/edit", **one.to_dict())
    person.send(f"/rules/{made}/edit", **other.to_dict())
    assert (
        person.status == 409
        and "changed these rules on another device" in person.text
        and 'value="Mine"' in person.page
    )
    assert load_rules(made).name == "Ours"
    again = Form(person.page, f"/rules/{made}/edit").sent
    person.send(f"/rules/{made}/edit", **again.to_dict())
    assert load_rules(made).name == "Mine"


def test_published_sheets_are_never_changed(person: Person) -> None:
    for address in ("edit", "remove"):
        person.send(f"/rules/golden-games/{address}", name="Mine")
        assert person.status == 403 and "Make a copy" in person.notices()[0]
    assert load_rules("golden-games").name == "Golden Games doubles"


def test_own_rules_are_removed_unless_games_are_played_by_them(person: Person) -> None:
    made = own_copy(person)
    person.send("/new", rules=made)
    person.send(f"/rules/{made}/remove")
    assert person.status == 409 and "One of your games" in person.notices()[0]
    other = own_copy(person)
    person.send(f"/rules/{other}/remove")
    assert person.path == "/rules/" and other not in list_rules() and made in list_rules()


def test_every_copy_has_a_name_of_its_own(person: Person) -> None:
    assert own_copy(person) != own_copy(person)
    assert free_id("Großmutters Küche!") == "gromutters-kuche" and free_id("голден") == "own"
    assert free_id("Golden Games") == "golden-games-2"


def test_a_read_only_folder_is_reported(person: Person, own_folder: Path) -> None:
    own_folder.write_text("a file where the folder should be")
    own_copy(person)
    assert person.status == 503 and "cannot be kept" in person.notices()[0]
    assert "/" not in person.notices()[0], "no folder of this machine"


def test_a_broken_file_is_reported_and_the_others_are_listed(person: Person, own_folder: Path) -> None:
    own_folder.mkdir(parents=True)
    (own_folder / "kitchen.toml").write_text("id = 3")
    person.open("/rules/")
    assert any("kitchen.toml" in notice for notice in person.notices()) and "Golden Games doubles" in person.text


def test_the_five_sheets_come_first(person: Person) -> None:
    page = person.open("/rules/")
    places = [
        page.index(f">{load_rules(id).name.replace(chr(39), '&#39;')}</span>")
        for id in ("golden-games", "tournament-play", "cutting-22", "hand-n-foot", "tanglewood", "canasta")
    ]
    assert places == sorted(places)


def test_a_rule_set_is_shown_in_full(person: Person) -> None:
    person.open("/rules/hand-n-foot")
    for topic in explain(load_rules("hand-n-foot")):
        assert topic.heading in person.text and all(sentence in person.text for sentence in topic.sentences)
    assert person.open("/rules/nobody") and person.status == 404


def test_an_unknown_type_of_field_becomes_a_text_field() -> None:
    class Odd(Frozen):
        thing: float

    assert field_type("thing", Odd.model_fields["thing"]).kind == "text"
    assert as_data(load_rules("golden-games"))["id"] == "golden-games"
