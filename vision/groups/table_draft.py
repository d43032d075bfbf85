"""From what one look gave to the draft of a side's table: where each group seems to belong. A person decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.values import Group, Reading

Place = Literal["meld", "pile", "laid", "loose"]

_PLACES: dict[str, Place] = {"meld": "meld", "pile": "pile", "threes": "laid", "single": "loose", "hand": "loose"}


@dataclass(frozen=True, slots=True)
class DraftGroup:
    """Cards that seem to count together, by their places in ``Reading.cards``.

    ``place`` is ``meld``, ``pile`` (one visible card of a squared stack), ``laid`` (threes laid on the table) or
    ``loose`` (cards in no meld, which count nowhere until a person says where). ``rank`` is the meld's natural rank
    where known; ``book`` is ``clean``, ``dirty``, ``wild`` or None; ``doubt`` a code why a person should look;
    ``reason`` says why in words.
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
    """Puts each group of a reading where it belongs on a round sheet, melds before what needs a person.

    Cards that the reading left out of its groups become loose.
    """
    groups = [_draft(group) for group in reading.groups if group.cards]
    grouped = {card for group in groups for card in group.cards}
    left_out = tuple(index for index in range(len(reading.cards)) if index not in grouped)
    if left_out:
        groups.append(DraftGroup("loose", left_out))
    order = ("meld", "pile", "laid", "loose")
    return SideDraft(tuple(sorted(groups, key=lambda group: order.index(group.place))))


def _draft(group: Group) -> DraftGroup:
    place = _PLACES.get(group.kind, "loose")
    return DraftGroup(place, group.cards, group.rank, group.book, group.doubt, group.reason)
