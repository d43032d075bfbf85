"""Own rule sets as files: only what can be read again is kept, so many fit, and a game outlives an unreadable one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, url_for

import scorer.data
from scorer.rules import load_rules, use_folder
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import Form, copy_form, kept_copy, own_copy, typed
from tests.webui.pages.admin.test_house_rules import own_folder
from tests.webui.pages.events.test_coordinator import store_of
from webui.app import create_app
from webui.context.services import services_of
from webui.events.entry.presets import preset
from webui.house_rules.user_rules import MAX_OWN_RULES, NotKeptError, add_rules, free_id, proposed_copy
from webui.reading.reader_service import ReaderService
from webui.settings import Settings

__all__ = ["own_folder"]


def test_the_longest_texts_that_are_kept_are_read_again(person: Person) -> None:
    made = own_copy(person)
    form = typed(person, made)
    form["name"], form["source"], form["going_out.also"] = "\u202e" + "A" * 79, "." * 200, "\n".join(["." * 200] * 60)
    person.send(f"/rules/{made}/edit", **form.to_dict())
    assert person.notices()[0].startswith("A" * 79 + " is saved.") and load_rules(made).source == "." * 200
    assert load_rules(own_copy(person, made)).name == "A" * 67 + " at our table"


def test_rules_that_could_not_be_read_again_are_not_kept(
    person: Person, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = own_copy(person)
    form, before = typed(person, made), (own_folder / f"{made}.toml").read_bytes()
    monkeypatch.setattr(scorer.data, "_LONGEST_FILE", len(before) + 100)
    form["source"] = "s" * 200
    person.send(f"/rules/{made}/edit", **form.to_dict())
    assert person.status == 400 and "could not be read again" in person.text and "Traceback" not in person.text
    assert (own_folder / f"{made}.toml").read_bytes() == before
    monkeypatch.setattr(scorer.data, "_LONGEST_FILE", len(before) + 1)
    own_copy(person, made)
    assert person.status == 400 and "could not be read again" in person.text and len([*own_folder.iterdir()]) == 1


def test_there_is_room_for_so_many_own_rules(person: Person, own_folder: Path) -> None:
    text = (own_folder / f"{own_copy(person)}.toml").read_text(encoding="utf-8")
    for number in range(1, MAX_OWN_RULES):
        (own_folder / f"n{number}.toml").write_text(text)
        if number == MAX_OWN_RULES - 2:
            form = copy_form(person)
    full = f"There are {MAX_OWN_RULES} house rules"
    person.send("/rules/golden-games/copy", **{**form.to_dict(flat=False), "name": "Ours"})
    assert person.status == 400 and full in person.text and 'value="Ours"' in person.page, "what was typed stays"
    person.open("/rules/golden-games/copy")
    assert person.status == 409 and full in person.notices()[0]
    (own_folder / "n1.toml").unlink()
    own_copy(person)
    assert person.status == 200 and len([*own_folder.iterdir()]) == MAX_OWN_RULES


def test_there_is_always_a_free_id(own_folder: Path) -> None:
    own_folder.mkdir(parents=True)
    for name in ("mine", *(f"mine-{number}" for number in range(2, 1001))):
        (own_folder / f"{name}.toml").touch()
    assert free_id("Mine") == "mine-1001"


def test_a_game_whose_rules_cannot_be_read_leads_to_other_rules(person: Person, own_folder: Path) -> None:
    made = own_copy(person)
    person.begin(rules=made)
    path = own_folder / f"{made}.toml"
    path.write_text(path.read_text(encoding="utf-8") + "# " + "A" * 120_000, encoding="utf-8")
    app = person.client.application
    with app.test_request_context():
        pages = {
            url_for(rule.endpoint, **values)
            for rule in app.url_map.iter_rules()
            for values in [dict[str, Any](dict.fromkeys(rule.arguments, 1), game_id=1)]
            if "GET" in (rule.methods or ())
            and "game_id" in rule.arguments
            and rule.endpoint not in ("follow.live", "table_now.live")
        }
    answers = {page: person.client.get(page).status_code for page in (*pages, "/", "/new", "/statistics", "/camera/")}
    assert set(answers.values()) <= {200, 302, 404, 409}, answers
    seen = {page for page, status in answers.items() if status == 409}
    assert {"/game/1/", "/game/1/round/1/check", "/game/1/pad", "/game/1/game.json"} <= seen
    person.open("/game/1/round/1/check")
    assert "more than 100000 characters" in person.notices()[0] and 'href="/game/1/rules"' in person.page
    person.open("/game/1/rules")
    assert person.status == 200
    person.send("/game/1/rules", to="golden-games")
    assert person.status == 200 and person.path == "/game/1/"


def test_a_broken_file_is_named_and_can_be_removed(person: Person, own_folder: Path) -> None:
    own_folder.mkdir(parents=True)
    (own_folder / "kitchen.toml").write_text("id = 3")
    person.open("/rules/")
    assert person.notices() == [
        "The rules in kitchen.toml can't be used. the file's name (id): This must be text in quotation marks, not 3. "
        "The file does not say: name of these rules (name), where these rules come from (source), deck of cards (deck) "
        "and 12 more. It may be cut off at its end: put the whole file in its place."
    ]
    person.send("/rules/kitchen/remove")
    assert person.path == "/rules/" and person.notices() == ["kitchen.toml is removed from your house rules."]
    assert not [*own_folder.glob("*.toml")]


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (
            "",
            "The file does not say: packs in play (packs), rounds in a game (rounds), points a side's first meld of a "
            "round needs (first_meld) and 5 more. It may be cut off at its end: put the whole file in its place.",
        ),
        (
            "\nbook_si",
            "The file ends in the middle of a line. It may be cut off at its end: put the whole file in its place.",
        ),
        (
            "\nwild_ranks = [",
            "The file ends in the middle of a line. It may be cut off at its end: put the whole file in its place.",
        ),
    ],
)
def test_half_of_a_rules_file_is_told_in_plain_words(person: Person, own_folder: Path, end: str, why: str) -> None:
    made = own_copy(person)
    path = own_folder / f"{made}.toml"
    path.write_text(path.read_text(encoding="utf-8").partition("\nbook_size")[0] + end, encoding="utf-8")
    person.open("/rules/")
    assert person.notices() == [f"The rules in {made}.toml can't be used. {why}"]


def test_removed_rules_are_put_back_with_undo(person: Person, own_folder: Path) -> None:
    made = own_copy(person)
    person.open("/rules/")
    person.send(f"/rules/{made}/remove")
    assert f'action="/rules/{made}/put-back"' in person.page and not [*own_folder.glob("*.toml")]
    person.open("/rules/")
    assert "put-back" not in person.page, "it is offered once"
    person.send(f"/rules/{made}/put-back")
    assert person.notices() == ["The rules are back."] and (own_folder / f"{made}.toml").exists()
    person.send(f"/rules/{made}/put-back")
    assert person.status == 409 and "can’t be put back" in person.text


def test_rules_of_a_club_evening_stay(person: Person, own_folder: Path) -> None:
    made = own_copy(person)
    store_of(person).events.add("Saturday", made, preset("golden-games").setup)
    assert "A club evening uses these rules." in person.open(f"/rules/{made}/edit")
    person.open("/rules/")
    person.send(f"/rules/{made}/remove")
    assert person.status == 409 and "A club evening is played by" in person.text and [*own_folder.glob("*.toml")]


def test_a_broken_file_that_a_game_is_played_by_stays_until_it_has_other_rules(
    person: Person, own_folder: Path
) -> None:
    made = own_copy(person)
    person.begin(rules=made)
    (own_folder / f"{made}.toml").write_text("id = 3")
    person.open("/rules/")
    person.send(f"/rules/{made}/remove")
    assert person.status == 409 and "Choose other house rules there first" in person.notices()[0]
    person.open("/game/1/rules")
    person.send("/game/1/rules", to="golden-games")
    person.open("/rules/")
    person.send(f"/rules/{made}/remove")
    assert person.notices() == [f"{made}.toml is removed from your house rules."]


def test_a_broken_file_in_the_place_of_an_included_rule_set_can_always_be_removed(
    person: Person, own_folder: Path
) -> None:
    person.begin(rules="golden-games")
    own_folder.mkdir(parents=True)
    (own_folder / "golden-games.toml").write_text("id = 3")
    person.open("/rules/")
    person.send("/rules/golden-games/remove")
    assert person.notices() == ["golden-games.toml is removed from your house rules."]
    assert load_rules("golden-games").books.clean == 700 and person.open("/game/1/") and person.status == 200


def test_a_copy_that_was_left_is_not_kept(person: Person, own_folder: Path) -> None:
    page = person.open("/rules/tanglewood/copy")
    assert "kept once you save it, as Tanglewood at our table." in person.text and not own_folder.exists()
    assert "/remove" not in page, "there is nothing to remove yet"
    own_copy(person, "tanglewood")
    assert [path.name for path in own_folder.iterdir()] == ["tanglewood-at-our-table.toml"]


def test_a_refused_copy_stays_a_copy(person: Person, own_folder: Path) -> None:
    form = copy_form(person, "tanglewood")
    form["books.clean"] = "many"
    person.send("/rules/tanglewood/copy", **form.to_dict(flat=False))
    assert person.status == 400 and 'value="many"' in person.page and not own_folder.exists()
    assert "This copy is kept once you save it." in person.text
    again = Form(person.page, "/rules/tanglewood/copy").sent
    again["books.clean"] = "650"
    person.send("/rules/tanglewood/copy", **again.to_dict(flat=False))
    assert load_rules(person.path.split("/")[2]).books.clean == 650


def test_a_second_copy_has_another_name(person: Person) -> None:
    names = [load_rules(own_copy(person, id)).name for id in ("canasta", "canasta", "canasta-at-our-table")]
    assert names == ["Canasta at our table", "Canasta at our table 2", "Canasta at our table 3"]


@pytest.mark.parametrize("name", ["Tanglewood", " TANGLEWOOD ", "Canasta at our table"])
def test_no_two_rules_get_one_name(person: Person, own_folder: Path, name: str) -> None:
    kept_copy("canasta", own_folder)
    made = own_copy(person)
    form, copy = typed(person, made), copy_form(person, "tanglewood")
    form["name"] = copy["name"] = name
    for address, sent in ((f"/rules/{made}", form), ("/rules/tanglewood/copy", copy)):
        action = address if address.endswith("/copy") else f"{address}/edit"
        person.send(action, **sent.to_dict(flat=False))
        assert person.status == 400 and f"Other rules are called {name.strip()} already." in person.text
        answer = person.client.post(f"{address}/check", data=sent | {"token": person.token()})
        assert answer.json is not None and list(answer.json["wrong"]) == ["name"]
    assert len([*own_folder.iterdir()]) == 2 and load_rules(made).name != name


def test_two_that_are_saved_at_once_get_no_one_name(own_folder: Path) -> None:
    copy = proposed_copy(load_rules("canasta"), own_folder)
    assert add_rules(copy, own_folder).name == "Canasta at our table"
    with pytest.raises(NotKeptError):
        add_rules(copy, own_folder)


def test_files_of_one_name_are_told_apart_by_their_ids(person: Person, own_folder: Path) -> None:
    """They come from other computers, from backups, and from people's own hands."""
    made = kept_copy("canasta", own_folder).id
    text = (own_folder / f"{made}.toml").read_text(encoding="utf-8")
    (own_folder / "theirs.toml").write_text(text.replace(f'"{made}"', '"theirs"'), encoding="utf-8")
    person.begin(rules=made)
    for path in ("/rules/", "/new", "/evenings/new", "/game/1/rules"):
        found = re.findall(r"(?:<option[^>]*>|class=.what.>)(Canasta at our table[^<·]*)", person.open(path))
        told = map(str.strip, found)
        apart = {"Canasta at our table (theirs)", f"Canasta at our table ({made})"}
        assert set(told) == apart - ({f"Canasta at our table ({made})"} if path == "/game/1/rules" else set()), path


def test_house_rules_that_a_file_lacks_are_told_once_with_the_games_played_by_them(
    make_app: Callable[[], Flask], tmp_path: Path, own_folder: Path
) -> None:
    here = Person(make_app())
    made = own_copy(here)
    for _number in range(5):
        here.begin(rules=made)
    path = own_folder / f"{made}.toml"
    whole = path.read_text(encoding="utf-8")
    for name, text in {"none": "", "half": whole.partition("\nbook_size")[0], "whole": whole}.items():
        path.write_text(text, encoding="utf-8") if text else path.unlink()
        services_of(here.client.application).store.backups.export(tmp_path / name)
    use_folder(tmp_path / "other" / "rulesets")
    app = create_app(Settings(tmp_path / "other"), ReaderService(DrawnReader))
    there = Person(app)
    there.send("/safe/import", file=((tmp_path / "none").open("rb"), "handfoot.zip"))
    assert there.notices()[0] == "5 games imported." and len(there.notices()) == 2
    told = there.notices()[1]
    assert told.startswith("The house rules Golden games doubles at our table are missing here. Played by them: ")
    assert told.count(" against ") == 3 and " and 2 more games." in told and made not in there.text
    there.open("/game/1/")
    assert there.status == 409 and "at our table are missing here. Choose different rules" in there.notices()[0]
    there.open("/rules/nonexistent")
    assert there.status == 404 and there.notices() == [
        "There are no such house rules here. Go back to the house rules."
    ]
    there.send("/safe/import", file=((tmp_path / "half").open("rb"), "handfoot.zip"))
    assert "The house rules Golden games doubles at our table were left out. The file does not say: packs" in there.text
    there.send("/safe/import", file=((tmp_path / "whole").open("rb"), "handfoot.zip"))
    assert (
        there.notices() == ["0 games imported; 5 were already here."] and there.open("/game/1/") and there.status == 200
    )
    services_of(app).store.close()
