"""Cards of another deck, and sentences that say what came."""

from __future__ import annotations

import pytest

from scorer.rules import RulesError, load_rules
from scorer.sheets import SheetError, read_sheet
from tests.scorer.tables import codes, side


def test_cards_of_another_deck_are_worth_nothing_and_named() -> None:
    found = side("golden-games", laid=["JESTER"], left=[["LADY"], []])
    assert [(line.reason, line.points) for line in found.lines] == [
        ("JESTERs laid: 1 × 0", 0),
        ("LADYs left: 1 × 0", 0),
    ]


def test_a_card_of_another_deck_hides_no_copy_too_many() -> None:
    found = codes(side("golden-games", melds=[["LADY"] * 3, ["8H"] * 20]))
    assert found == ["not-in-deck", "too-many-copies"]


def test_the_known_rule_sets_are_named_in_a_list() -> None:
    with pytest.raises(RulesError, match=r'one of canasta, cutting-22, golden-games, .* got "nope"'):
        load_rules("nope")


def test_half_a_character_is_shown_as_it_came() -> None:
    sheet = {"rules": "golden-games", "round": 1, "players": 4, "sides": [{"name": "a\ud800b"}]}
    with pytest.raises(SheetError, match=r'whole characters, got "a\\ud800b"'):
        read_sheet(sheet)
