"""What happened on a watched table in words."""

from __future__ import annotations

from pathlib import Path

from scorer.rules import load_rules
from tests.vision.memory.sequences import card, column
from tests.webui.watching.tables import Table
from vision.values import DEFAULT_HOUSE_RULES
from webui.watching.changes_in_words import changes_in_words


def test_laid_added_and_closed_to_a_pile(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait()
    table.lay(*column("7H 7S 7D 7C 7H 7S", 60, 60))
    table.lay(card("2S", 60, 144))
    table.cards = [card("7H", 60, 60)]
    table.wait(30)
    table.lay(card("3D", 460, 60))
    found = changes_in_words(table.film, load_rules("golden-games"), DEFAULT_HOUSE_RULES)
    assert [(one.sentence, one.side) for one in found] == [
        ("7♥ 7♠ 7♦ 7♣ 7♥ 7♠ laid", 0),
        ("2♠ to the 7s", 0),
        ("7s closed", 0),
        ("3♦ laid", 1),
    ]


def test_a_card_that_was_taken_back(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait()
    table.lay(*column("7H 7S 7D", 60, 60))
    table.lay(card("7C", 60, 102))
    table.cards = table.cards[:3]
    table.at += 60  # a card may be hidden for a while
    table.wait(40)
    assert changes_in_words(table.film, load_rules("golden-games"), DEFAULT_HOUSE_RULES)[-1].sentence == "7♣ taken back"
