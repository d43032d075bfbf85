"""An agreed round's tally in the words of its table: whose cards are left, and which side and meld breaks a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scorer.rules import RuleSet
from scorer.scoring.melds import check_meld
from scorer.scoring.tally import SideTally, Tally
from scorer.sheets import RoundSheet, SideSheet
from webui.games.seating import player_name
from webui.storage.records import SideRecord

_PLACE = re.compile(r"(left|melds)\[(\d+)\]")


def meld_title(name: str) -> str:
    """A meld's name for display: ``Clean book of 8s``, ``Not a valid meld of 9s yet``."""
    if name.startswith("invalid meld"):
        name = f"not a valid {name.removeprefix('invalid ')} yet"
    return name[:1].upper() + name[1:]


def named_tally(tally: Tally, sheet: RoundSheet, sides: Sequence[SideRecord], rules: RuleSet) -> Tally:
    """The tally with every line and broken rule naming whom and what it is about.

    Args:
        tally: the tally of the sheet.
        sheet: the agreed sheet, whose sides are in the order of ``sides``.
        sides: the sides with the players of the round.
        rules: the rules that the round was agreed under.
    """
    named = [_named(*one, rules) for one in zip(tally.sides, sheet.sides, sides, strict=True)]
    return replace(tally, sides=tuple(named))


def _named(tally: SideTally, sheet: SideSheet, side: SideRecord, rules: RuleSet) -> SideTally:
    def place(where: str | None) -> str:
        """The player or meld at a place of the sheet; empty for any other place."""
        found = _PLACE.fullmatch(where or "")
        if found is None:
            return ""
        number = int(found[2])
        if found[1] == "left":
            return player_name(side, number)
        return meld_title(check_meld(sheet.melds[number], rules, sheet.went_out).name)

    lines = tuple(
        replace(line, reason=f"{place(line.where)}: {line.reason}") if (line.where or "").startswith("left[") else line
        for line in tally.lines
    )
    violations = tuple(
        replace(found, message=": ".join(filter(None, (side.name, place(found.where), found.message))))
        for found in tally.violations
    )
    return replace(tally, lines=lines, violations=violations)
