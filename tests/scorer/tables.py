"""Short ways to score small sheets."""

from __future__ import annotations

from typing import Any

from scorer.faces import Face
from scorer.rules import load_rules
from scorer.scoring import score
from scorer.scoring.tally import SideTally, Tally
from scorer.sheets import read_sheet


def tally(rules: str, *sides: dict[str, Any], players: int = 4) -> Tally:
    """The tally of sides given as JSON."""
    sheet = {"rules": rules, "round": 1, "players": players, "sides": list(sides)}
    return score(read_sheet(sheet), load_rules(rules))


def side(rules: str, *, players: int = 4, **keys: Any) -> SideTally:
    """The tally of one side given by its keys."""
    return tally(rules, keys, players=players).sides[0]


def codes(found: SideTally) -> list[str]:
    """The codes of what a side breaks."""
    return [violation.code for violation in found.violations]


def meld_codes(rules: str, cards: str) -> list[str]:
    """The codes of what one meld breaks, its cards given with spaces between them."""
    return codes(side(rules, melds=[cards.split()]))


def faces(text: str) -> tuple[Face, ...]:
    """Cards given with spaces between them."""
    return tuple(map(Face.parse, text.split()))


CLEAN_8S = ["8H", "8S", "8D", "8C", "8H", "8S", "8D"]
CLEAN_9S = ["9H", "9S", "9D", "9C", "9H", "9S", "9D"]
DIRTY_4S = ["4H", "4S", "4D", "4C", "4H", "4S", "2S"]
DIRTY_5S = ["5H", "5S", "5D", "5C", "5H", "5S", "2S"]
DIRTY_6S = ["6H", "6S", "6D", "6C", "6H", "6S", "2S"]
"""Books legal under every rule set of standard cards."""
