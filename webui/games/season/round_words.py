"""What a round is called over all games of several rule sets: a hand under rules with sets of hands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from webui.translation import N_

AVERAGE = {
    "round": N_("average round"),
    "hand": N_("average hand"),
    "round or hand": N_("average round or hand"),
}
"""What the points of a round on average are called, by ``round_word``."""


def round_word(in_hands: Iterable[bool]) -> str:
    """``round`` or ``hand``, ``round or hand`` where there are both.

    Args:
        in_hands: of each part of what is told, whether its rounds are hands.
    """
    return " or ".join(sorted({"hand" if one else "round" for one in in_hands}, reverse=True)) or "round"


def heading(key: str, word: str) -> str:
    """A key of data as a heading by ``round_word``: ``rounds`` as ``hands`` or as ``rounds or hands``."""
    return re.sub(r"\bround(s?)\b", lambda found: " or ".join(f"{one}{found[1]}" for one in word.split(" or ")), key)
