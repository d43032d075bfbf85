"""Cards of a watched table that lay outside all boxes at the end: whose they are, somebody has to say.

They stand in the facts of the round: under ``outside`` the groups, under ``whose`` the answers by the place of the
group in that list, ``0`` for the first side or ``nobody``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from webui.storage.changes import WatchedGroup
from webui.whole_numbers import whole_number

NOBODY = "nobody"
"""The answer for cards that count for no side, as those of the discard pile."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Cards that lay together outside all boxes: their ``place`` in the list, and the side that they belong to.

    ``side`` is None where nobody has said, or where they are nobody's; ``is_told`` tells which.
    """

    place: int
    group: WatchedGroup
    side: int | None
    is_told: bool

    @property
    def faces(self) -> tuple[Face, ...]:
        """What the cards are."""
        return tuple(Face.parse(card.face) for card in self.group.cards)


def outside_of(document: Mapping[str, Any]) -> tuple[Outside, ...]:
    """The cards outside all boxes by the facts of a round."""
    whose = document.get("whose", {})
    found = []
    for place, group in enumerate(document.get("outside", ())):
        answer = whose.get(str(place))
        side = None if answer in (None, NOBODY) else whole_number(answer)
        found.append(Outside(place, WatchedGroup.model_validate(group), side, answer is not None))
    return tuple(found)


def set_outside(document: dict[str, Any], groups: Sequence[WatchedGroup]) -> dict[str, Any]:
    """Sets which cards lay outside all boxes; what was said of the same cards before holds."""
    said = {_tracks(one.group): document["whose"][str(one.place)] for one in outside_of(document) if one.is_told}
    rest = {key: value for key, value in document.items() if key not in ("outside", "whose")}
    if not groups:
        return rest
    whose = {str(place): said[_tracks(group)] for place, group in enumerate(groups) if _tracks(group) in said}
    return {**rest, "outside": [group.model_dump(mode="json") for group in groups], "whose": whose}


def set_whose(document: dict[str, Any], place: int, whose: str) -> dict[str, Any]:
    """Sets whose the cards at a place of the list are: a side's index as text, or ``NOBODY``."""
    return {**document, "whose": {**document.get("whose", {}), str(place): whose}}


def _tracks(group: WatchedGroup) -> tuple[int, ...]:
    return tuple(card.track for card in group.cards)
