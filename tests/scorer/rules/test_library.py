"""Rule-set files: errors name file, key, value and what was expected; valid ones are listed and described."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import scorer
from scorer.faces import JOKER, Face
from scorer.rules import (
    RulesError,
    RuleSet,
    broken_rules,
    describe,
    list_rules,
    load_rules,
    read_rules,
    rules_file,
    rules_from_text,
    use_folder,
)

_GOLDEN = (Path(scorer.__file__).parent / "rulesets" / "golden-games.toml").read_text(encoding="utf-8")


def _write(folder: Path, old: str, new: str) -> Path:
    assert old in _GOLDEN
    path = folder / "golden-games.toml"
    path.write_text(_GOLDEN.replace(old, new), encoding="utf-8")
    return path


def test_an_unknown_id_names_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r'one of .*cutting-22.*golden-games.*, got "bridge"'):
        load_rules("bridge")


@pytest.mark.parametrize("id", ["../rulesets/golden-games", "", "golden-games.toml", "a" * 300, "ü" * 200, "a\0"])
def test_an_id_cannot_be_a_path(id: str) -> None:
    with pytest.raises(RulesError):
        load_rules(id)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "clean = 700",
            "claen = 700",
            "books.claen: unknown key, expected one of clean, dirty, wild, of_ranks, of_sizes",
        ),
        ("clean = 700", "claen = 700", "books.clean: expected this key, got nothing"),
        ("clean = 700", 'clean = "700"', 'books.clean: expected a whole number, got "700"'),
        ("clean = 700", "clean = = 700", "expected a readable TOML file"),
        ("most_wilds = 3", "most_wilds = -3", "melds.most_wilds: expected 0 or more, got -3"),
        ('cards = ["JK"]', 'cards = ["JOCKER"]', 'expected a card of the deck such as "8" or "red 3", got "JOCKER"'),
        ('cards = ["JK"]', 'cards = ["JK", "A"]', "expected the points of AC once, got them 2 times"),
        ('cards = ["black 3"]', 'cards = ["3C"]', "expected the points of 3S once, got them 0 times"),
        ('wild_ranks = ["2", "JK"]', 'wild_ranks = ["3"]', "wild_ranks: expected ranks of 2, JK, got 3"),
        ('laid = ["red 3"]', 'laid = ["blue 3"]', 'laid: expected a card of the deck such as "8" or "red 3"'),
        ('deck = "standard"', 'deck = "tarot"', "expected a deck, one of"),
        ('id = "golden-games"', 'id = "silver"', 'id: expected the file\'s name "golden-games", got "silver"'),
    ],
)
def test_a_wrong_file_is_refused_with_its_key(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        read_rules(_write(tmp_path, old, new))
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("golden-games.toml: ")


def test_an_untouched_file_is_read(tmp_path: Path) -> None:
    assert read_rules(_write(tmp_path, "clean = 700", "clean = 700")) == load_rules("golden-games")


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"none\.toml: expected a readable TOML file"):
        read_rules(tmp_path / "none.toml")


@pytest.mark.parametrize("id", list_rules())
def test_a_rule_set_serialises_and_comes_back(id: str) -> None:
    rules = load_rules(id)
    assert RuleSet.model_validate(json.loads(json.dumps(rules.model_dump(mode="json")))) == rules


@pytest.mark.parametrize("id", list_rules())
def test_every_field_is_described_in_words(id: str) -> None:
    text = describe(load_rules(id))
    for field in RuleSet.model_fields.values():
        assert field.description and field.description in text
    assert load_rules(id).source in text


def test_the_description_shows_what_the_sheet_says() -> None:
    text = describe(load_rules("cutting-22"))
    for row in (
        "packs in play: one a player and 1 more",
        "rounds in a game: one a player",
        "points a side's first meld of a round needs: 50, then 20 more each round",
        "  red 3: 0 on the table, -300 left in a hand or foot",
        "  wild book (all wild cards): none",
        "penalty for a first meld below the minimum: none",
    ):
        assert row in text.splitlines()


def test_cards_are_named_by_what_the_rules_distinguish() -> None:
    rules = load_rules("golden-games")
    faces = (Face("8", "H"), Face("A", "S"), Face("3", "D"), Face("3", "C"), JOKER)
    assert [rules.label(face) for face in faces] == ["8s", "aces", "red 3s", "black 3s", "jokers"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of the user's own rule sets, in use."""
    use_folder(tmp_path)
    yield tmp_path
    use_folder(None)


def test_an_invalid_user_file_is_reported_and_not_listed(folder: Path) -> None:
    (folder / "broken.toml").write_text('id = "broken"\nname = 7\n', encoding="utf-8")
    assert "broken" not in list_rules() and "golden-games" in list_rules()
    assert list(broken_rules()) == ["broken"]
    assert broken_rules()["broken"].startswith("broken.toml: name: expected a valid string, got 7; source: ")
    with pytest.raises(RulesError, match=r"broken\.toml: name: "):
        load_rules("broken")


def test_a_user_s_file_is_reloaded_after_an_edit_and_gone_after_deletion(folder: Path) -> None:
    path = folder / "ours.toml"
    text = _GOLDEN.replace('id = "golden-games"', 'id = "ours"')
    for bonus in (700, 800):
        path.write_text(text.replace("clean = 700", f"clean = {bonus}"), encoding="utf-8")
        os.utime(path, ns=(bonus, bonus))
        assert load_rules("ours").books.clean == bonus
        assert rules_file("ours") == path
    path.unlink()
    with pytest.raises(RulesError, match="expected a rule set, one of"):
        load_rules("ours")


@pytest.mark.parametrize(
    "text",
    ["x = " + "[" * 90_000, ".".join("a" * 20_000) + " = 1", "a = {b = " * 5_000 + "1", "# a long file\n" * 10_000],
    ids=["lists", "dotted key", "tables", "long"],
)
def test_a_deeply_nested_file_is_reported_and_not_listed(folder: Path, text: str) -> None:
    (folder / "deep.toml").write_text(text, encoding="utf-8")
    assert "deep" not in list_rules() and broken_rules()["deep"].startswith("deep.toml: ")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("clean = 700", f"clean = {10**12}", "books.clean: expected a number between -1000000 and 1000000"),
        ("rounds = { fixed = 4 }", f"rounds = {{ fixed = {10**6} }}", "rounds.fixed: expected 99 or less"),
        ("rounds = { fixed = 4 }", "rounds = { per_player = 100 }", "rounds.per_player: expected 9 or less"),
        ("rounds = { fixed = 4 }", "rounds = { by_players = { 4 = 1000 } }", "expected numbers of 99 or less"),
    ],
)
def test_numbers_beyond_any_game_are_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        read_rules(_write(tmp_path, old, new))


@pytest.mark.parametrize("id", list_rules())
def test_a_rule_set_is_kept_as_text_and_known_by_its_content(id: str) -> None:
    rules = load_rules(id)
    again = rules_from_text(rules.text)
    assert again == rules and again.content_hash == rules.content_hash
    other = rules_from_text(rules.text.replace(rules.name, "Other"))
    assert other.content_hash != rules.content_hash


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"id": 7}'])
def test_a_text_that_is_no_rule_set_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="kept rules: "):
        rules_from_text(text)


def test_without_a_folder_the_shipped_rule_sets_are_there(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(_GOLDEN.replace('id = "golden-games"', 'id = "ours"'), encoding="utf-8")
    use_folder(tmp_path)
    assert "ours" in list_rules()
    use_folder(None)
    assert "ours" not in list_rules() and broken_rules() == {}
    assert load_rules("golden-games").books.clean == 700
