"""The facts of a round: what people answered about it, as the column ``rounds.facts`` holds it.

The document has one object per side under its index: ``went_out``, ``out_player``, ``exact_deals``, ``improper_melds``,
``bonuses``, how often it got each named bonus or penalty of the rules, and ``nothing``, the areas where the side has no
cards (``table``, ``left0`` for its first player's left-over cards); further ``typed``, what people counted in place of
its cards (``scorer.sheets.TypedSide``). ``starter`` is who played first in the round, as the indices of side and
player, where that is drawn anew each round.
``said`` lists the steps that were answered, and ``agreed`` has for each side the hash of the sheet that it agreed to;
``over`` has for each side the sentences that needed attention when it agreed all the same.
No function here changes a document; each returns a new one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorer.sheets import TypedSide
from webui.storage.side_facts import SideFacts

Facts = dict[str, Any]
OUT, UNSEEN = "out", "unseen"
"""The steps whose answers are recorded in ``said``."""
TABLE = "table"
"""The area of a side's cards on the table."""


def facts_of(document: Mapping[str, Any], side: int) -> SideFacts:
    """A side's facts; what is missing counts as zero, false or none."""
    return SideFacts.model_validate(document.get(str(side), {}))


def answered_steps(document: Mapping[str, Any]) -> frozenset[str]:
    """The steps that were answered: ``OUT``, ``UNSEEN``."""
    return frozenset(document.get("said", ()))


def set_went_out(document: Facts, sides: int, side: int | None, player: int | None) -> Facts:
    """Sets which of the ``sides`` sides went out, and by which player if known; None where nobody did."""
    for index in range(sides):
        out = index == side
        document = _with_side(document, index, went_out=out, out_player=player if out else None)
    return _with_answered(document, OUT)


def set_nothing(document: Facts, side: int, area: str) -> Facts:
    """Sets that a side has no cards in an area."""
    present = document.get(str(side), {}).get("nothing", ())
    return _with_side(document, side, nothing=sorted({*present, area}))


def set_typed(document: Facts, side: int, typed: TypedSide | None) -> Facts:
    """Sets what people counted of a side in place of its cards; with None its cards count again."""
    return _with_side(document, side, typed=None if typed is None else typed.as_told())


def set_starter(document: Facts, side: int, player: int) -> Facts:
    """Sets who plays first in the round, where that is drawn anew each round."""
    return {**document, "starter": [side, player]}


def starter_of(document: Mapping[str, Any]) -> tuple[int, int] | None:
    """Who plays first in the round, as the indices of side and player; None where nobody said."""
    starter = document.get("starter")
    return (int(starter[0]), int(starter[1])) if starter else None


def set_unseen(document: Facts, counts: Mapping[int, Mapping[str, Any]]) -> Facts:
    """Sets the counts of what no camera sees: by side, then by key, such as ``exact_deals`` and ``bonuses``."""
    for side, side_counts in counts.items():
        document = _with_side(document, side, **side_counts)
    return _with_answered(document, UNSEEN)


def is_begun(document: Mapping[str, Any]) -> bool:
    """Whether anything was told of the round itself, and not only who plays first."""
    return any(key != "starter" for key in document)


def agree(document: Facts, sides: Iterable[int], sheet_hash: str, over: Sequence[str] = ()) -> Facts:
    """Sets that sides agree to the sheet with this hash, and what needed attention still when they did."""
    named = [str(side) for side in sides]
    document = {**document, "agreed": {**document.get("agreed", {}), **dict.fromkeys(named, sheet_hash)}}
    still = {side: things for side, things in document.pop("over", {}).items() if side not in named}
    still |= {side: list(over) for side in named if over}
    return {**document, "over": still} if still else document


def has_agreed(document: Mapping[str, Any], side: int, sheet_hash: str) -> bool:
    """Whether a side has agreed to the sheet with this hash, and not to an earlier one."""
    return bool(document.get("agreed", {}).get(str(side)) == sheet_hash)


def sheet_hash(sheet: Mapping[str, Any], rules_hash: str) -> str:
    """A hash of a round sheet and of the rules that give its points: 16 hexadecimal digits."""
    return hashlib.sha256(json.dumps([sheet, rules_hash], sort_keys=True).encode()).hexdigest()[:16]


def _with_side(document: Facts, side: int, **values: Any) -> Facts:
    return {**document, str(side): {**document.get(str(side), {}), **values}}


def _with_answered(document: Facts, step: str) -> Facts:
    return {**document, "said": sorted({*document.get("said", ()), step})}
