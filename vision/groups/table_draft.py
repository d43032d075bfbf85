"""Drafts a side's table from the groups of one photo: where each group seems to belong on the round sheet.

A person decides; see ``webui.corrections``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.values import Group, Reading

DraftKind = Literal["meld", "pile", "laid", "loose"]
"""Where cards belong on the round sheet: ``GroupKind`` of ``webui.corrections.side_table`` without left-over cards."""

_DRAFT_KINDS: dict[str, DraftKind] = {
    "meld": "meld",
    "run": "meld",
    "pile": "pile",
    "threes": "laid",
    "single": "loose",
    "hand": "loose",
}
"""By the kind of a ``Group``; unknown kinds are loose."""


@dataclass(frozen=True, slots=True)
class DraftGroup:
    """Cards that seem to count together, by their indices in ``Reading.cards``.

    ``kind`` is ``meld``, ``pile`` (one visible card of a squared stack), ``laid`` (threes laid on the table) or
    ``loose`` (cards in no meld, which count nowhere until a person says where). ``rank`` is the meld's natural rank
    where known; ``book`` is ``clean``, ``dirty``, ``wild`` or None; ``doubt`` a code of ``vision.doubts.Doubt``;
    ``reason`` says in words why the cards are one group.
    """

    kind: DraftKind
    cards: tuple[int, ...]
    rank: str | None = None
    book: str | None = None
    doubt: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SideDraft:
    """The draft of one side's cards on the table, from one photo; every card of the reading is in exactly one group."""

    groups: tuple[DraftGroup, ...]


def draft_side(reading: Reading) -> SideDraft:
    """Puts each group of a reading where it belongs on a round sheet; melds first, loose cards last.

    Cards that are in no group of the reading become loose.
    """
    groups = [_draft(group) for group in reading.groups if group.cards]
    grouped = {card for group in groups for card in group.cards}
    ungrouped = tuple(index for index in range(len(reading.cards)) if index not in grouped)
    if ungrouped:
        groups.append(DraftGroup("loose", ungrouped))
    order = ("meld", "pile", "laid", "loose")
    return SideDraft(tuple(sorted(groups, key=lambda group: order.index(group.kind))))


def _draft(group: Group) -> DraftGroup:
    kind = _DRAFT_KINDS.get(group.kind, "loose")
    return DraftGroup(kind, group.cards, group.rank, group.book, group.doubt, group.reason)
