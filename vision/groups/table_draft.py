"""Drafts a side's table from the groups of one photo: where each group seems to belong on the round sheet.

A person decides; see ``webui.corrections``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.values import Group, Reading

Place = Literal["meld", "pile", "laid", "loose"]
"""Part of the round sheet."""

_PLACES: dict[str, Place] = {"meld": "meld", "pile": "pile", "threes": "laid", "single": "loose", "hand": "loose"}
"""The part of the sheet for each kind of group."""


@dataclass(frozen=True, slots=True)
class DraftGroup:
    """Cards that seem to count together, by their indices in ``Reading.cards``.

    ``place`` is ``meld``, ``pile`` (one visible card of a squared stack), ``laid`` (threes laid on the table) or
    ``loose`` (cards in no meld, which count nowhere until a person says where). ``rank`` is the meld's natural rank
    where known; ``book`` is ``clean``, ``dirty``, ``wild`` or None; ``doubt`` a code of ``vision.doubts.Doubt``;
    ``reason`` says in words why the cards are one group.
    """

    place: Place
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
    return SideDraft(tuple(sorted(groups, key=lambda group: order.index(group.place))))


def _draft(group: Group) -> DraftGroup:
    place = _PLACES.get(group.kind, "loose")
    return DraftGroup(place, group.cards, group.rank, group.book, group.doubt, group.reason)
