"""Tables of drawn photos with corrections applied."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer.rules import load_rules
from tests.webui.helpers.drawn import NORTH_LEFT, NORTH_TABLE, Drawn, Row, reading
from webui.corrections.apply import apply_corrections
from webui.corrections.side_sheet import side_sheet
from webui.corrections.side_table import SidePhoto, SideTable
from webui.storage.changes import Change, read_change
from webui.storage.side_facts import SideFacts

PHOTOS = (SidePhoto(1, None, reading(NORTH_TABLE)), SidePhoto(2, 0, reading(NORTH_LEFT)))


def changes(*documents: dict[str, Any]) -> list[tuple[int, Change]]:
    return [(number, read_change(document)) for number, document in enumerate(documents, 1)]


def lay(*documents: dict[str, Any], photos: tuple[SidePhoto, ...] = PHOTOS, rules: str = "golden-games") -> SideTable:
    return apply_corrections(photos, changes(*documents), 2, load_rules(rules))


def counted(table: SideTable) -> SideTable:
    """The table with its squared piles counted, as many cards as were assumed."""
    groups = (replace(group, doubt=None) if group.is_uncounted else group for group in table.groups)
    return replace(table, groups=tuple(groups))


def sheet(table: SideTable) -> dict[str, Any]:
    return side_sheet("North–South", table, 2, SideFacts()).document


def row(kind: str, faces: str, rank: str | None = None, book: str | None = None) -> tuple[SidePhoto, ...]:
    return (SidePhoto(1, None, reading(Drawn((Row(kind, 0, 0, faces, rank, book),)))),)
