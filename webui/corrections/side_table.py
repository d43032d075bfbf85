"""One side's cards as they stand: the values that ``webui.corrections.apply`` lays out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorer.faces import Face
from vision.doubts import Doubt
from vision.values import Quad, Reading

GroupKind = Literal["meld", "pile", "laid", "loose", "left"]
LAID, LOOSE = "laid", "loose"
COUNT_THE_PILE, IN_NO_MELD, ODD_ONE_OUT = Doubt.COUNT_THE_PILE, Doubt.IN_NO_MELD, Doubt.ODD_ONE_OUT


@dataclass(frozen=True, slots=True)
class SidePhoto:
    """A photo as this module needs it; ``player`` is None for the cards on the table."""

    id: int
    player: int | None
    reading: Reading


@dataclass(frozen=True, slots=True)
class TableCard:
    """One card as it stands.

    ``seen_as`` is the face that the reader gave it, None for a card that a person added; ``photo`` and ``quad`` tell
    where it lies, ``point`` where a person pointed, in photo pixels; ``others`` are the reader's runners-up.
    """

    id: str
    face: Face
    seen_as: Face | None = None
    photo: int | None = None
    index: int | None = None
    quad: Quad | None = None
    point: tuple[float, float] | None = None
    others: tuple[tuple[Face, float], ...] = ()
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Cards that count together.

    For a pile ``count`` is the number of all its cards, seen or not, and ``wilds`` the wild ones among them.
    ``player`` is whose left-over cards these are. ``rank`` is known for piles, and for melds where the cards agree.
    """

    id: str
    kind: GroupKind
    cards: tuple[TableCard, ...]
    player: int | None = None
    rank: str | None = None
    count: int = 0
    wilds: tuple[Face, ...] = ()
    doubt: str | None = None
    reason: str = ""

    @property
    def doubts(self) -> int:
        """How many things in it a person should look at."""
        return (self.doubt is not None) + sum(card.doubt is not None for card in self.cards)


@dataclass(frozen=True, slots=True)
class SideTable:
    """All groups of a side: melds and piles first, then laid threes, loose cards, each player's left-over cards.

    ``again`` tells of each photo how many of its cards an earlier one shows as well; those count once.
    """

    groups: tuple[TableGroup, ...]
    duplicates: Mapping[int, int] = field(default_factory=dict)

    def card(self, card_id: str) -> TableCard | None:
        return next((card for group in self.groups for card in group.cards if card.id == card_id), None)

    def group(self, group_id: str) -> TableGroup | None:
        return next((group for group in self.groups if group.id == group_id), None)

    def group_of(self, card_id: str) -> TableGroup | None:
        return next((group for group in self.groups if any(card.id == card_id for card in group.cards)), None)

    def cards_in(self, photo: int) -> list[TableCard]:
        return [card for group in self.groups for card in group.cards if card.photo == photo]


def left_id(player: int) -> str:
    """The id of the group of a player's left-over cards."""
    return f"left{player}"
