"""Cards of another deck, and error sentences that show the value."""

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


def test_a_card_of_another_deck_does_not_hide_too_many_copies() -> None:
    found = codes(side("golden-games", melds=[["LADY"] * 3, ["8H"] * 20]))
    assert found == ["not-in-deck", "too-many-copies"]


def test_an_unknown_rule_set_lists_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r'one of .*canasta.*, cutting-22.*, golden-games, .* got "nope"'):
        load_rules("nope")


def test_a_lone_surrogate_is_shown_escaped() -> None:
    sheet = {"rules": "golden-games", "round": 1, "players": 4, "sides": [{"name": "a\ud800b"}]}
    with pytest.raises(SheetError, match=r'whole characters, got "a\\ud800b"'):
        read_sheet(sheet)
