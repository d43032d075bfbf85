"""What people say about a round, as it is kept: who went out, what is not there, what no camera sees, who agrees.

A document has a side's facts under its number (``went_out``, ``out_player``, ``exact_deals``, ``improper_melds`` and
``nothing``, the places where the side has no cards: ``table``, ``left0``), under ``said`` the steps that were answered,
and under ``agreed`` the mark of the sheet that each side agreed to. Every function here gives a new document.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from webui.corrections.side_sheet import SideFacts

Facts = dict[str, Any]
OUT, UNSEEN, TABLE = "out", "unseen", "table"


def facts_of(document: Mapping[str, Any], side: int) -> SideFacts:
    """A side's facts from a round's stored ones; what is missing is none."""
    stored = document.get(str(side), {})
    return SideFacts(
        bool(stored.get("went_out", False)),
        int(stored.get("exact_deals", 0)),
        int(stored.get("improper_melds", 0)),
        stored.get("out_player"),
        frozenset(stored.get("nothing", ())),
    )


def answered_steps(document: Mapping[str, Any]) -> frozenset[str]:
    """The steps that were answered, ``OUT`` and ``UNSEEN``."""
    return frozenset(document.get("said", ()))


def set_went_out(document: Facts, sides: int, side: int | None, player: int | None) -> Facts:
    """That a side went out, and by which of its players where that is known; None where nobody did."""
    for index in range(sides):
        out = index == side
        document = _with_side(document, index, went_out=out, out_player=player if out else None)
    return _with_said(document, OUT)


def set_nothing(document: Facts, side: int, place: str) -> Facts:
    """That a side has no cards at a place: ``TABLE`` or ``left0``."""
    present = document.get(str(side), {}).get("nothing", ())
    return _with_side(document, side, nothing=sorted({*present, place}))


def set_unseen(document: Facts, counts: Mapping[int, Mapping[str, int]]) -> Facts:
    """The counts of what no camera sees, each by its name, for every side."""
    for side, counted in counts.items():
        document = _with_side(document, side, **counted)
    return _with_said(document, UNSEEN)


def agree(document: Facts, sides: Iterable[int], mark: str) -> Facts:
    """That sides agree to the sheet of that mark."""
    return {**document, "agreed": {**document.get("agreed", {}), **{str(side): mark for side in sides}}}


def has_agreed(document: Mapping[str, Any], side: int, mark: str) -> bool:
    """Whether a side has agreed to just that sheet."""
    return bool(document.get("agreed", {}).get(str(side)) == mark)


def sheet_hash(sheet: Mapping[str, Any]) -> str:
    """A short mark that only the same sheet has."""
    return hashlib.sha256(json.dumps(sheet, sort_keys=True).encode()).hexdigest()[:16]


def _with_side(document: Facts, side: int, **values: Any) -> Facts:
    return {**document, str(side): {**document.get(str(side), {}), **values}}


def _with_said(document: Facts, step: str) -> Facts:
    return {**document, "said": sorted({*document.get("said", ()), step})}
