"""What the reader is told of a game's rules."""

from __future__ import annotations

import pytest

from scorer.deck import load_deck
from scorer.rules import load_rules
from webui.reading.reader_service import house_rules


@pytest.mark.parametrize(
    ("rules", "deck", "threes", "caps"),
    [
        ("golden-games", "standard", {"3"}, set()),
        ("golden-games", "remastered", {"R3", "B3"}, set()),
        ("canasta", "standard", {"3"}, set()),
        ("hand-n-foot", "hand-n-foot", set(), {"LADY"}),
    ],
)
def test_threes_are_those_that_are_not_melded_as_other_cards_are(
    rules: str, deck: str, threes: set[str], caps: set[str]
) -> None:
    told = house_rules(load_rules(rules), deck=load_deck(deck))
    assert (set(told.threes), set(told.caps)) == (threes, caps)
