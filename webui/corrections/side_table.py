"""One side's cards as corrected: the values that ``webui.corrections.apply`` produces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorer.faces import Face
from vision.doubts import Doubt
from vision.values import Quad, Reading

GroupKind = Literal["meld", "pile", "laid", "buried", "loose", "left"]
"""A spread meld, a squared pile, laid threes, buried cards, cards in no meld, a player's left-over cards."""
LAID, BURIED, LOOSE = "laid", "buried", "loose"
ASKED_TOGETHER = 3
"""Cards in doubt of one group from which one question asks about all of them."""


@dataclass(frozen=True, slots=True)
class SidePhoto:
    """A photo with its reading; ``player`` is None for the cards on the table."""

    id: int
    player: int | None
    reading: Reading


@dataclass(frozen=True, slots=True)
class TableCard:
    """One card as corrected.

    ``seen_as`` is the face in the reading, None for a card that a person added; ``photo`` and ``quad`` locate it,
    ``point`` is where a person pointed, in photo pixels; ``others`` are the reader's next best faces with their scores;
    ``indices`` are the boxes (x0, y0, x1, y1) of its printed indices in the photo, where they are known. ``track`` is
    the number of a card that was seen being laid, in the film of its round; ``hidden`` whether it lay under others at
    the end; ``guessed`` whether its suit is a guess, ``suitless`` whether nobody said its suit.
    ``confidence`` is the reader's, 0 where it is not known; ``is_gathered`` whether one look asks about it and others
    of which the camera is nearly sure.
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
    indices: tuple[tuple[float, float, float, float], ...] = ()
    track: int | None = None
    hidden: bool = False
    guessed: bool = False
    suitless: bool = False
    confidence: float = 0.0
    is_gathered: bool = False

    @property
    def shown(self) -> Face:
        """Its face as people are told it: without a suit that nobody said."""
        return Face(self.face.rank) if self.suitless else self.face


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Cards that count together.

    For a pile, ``count`` is the number of all its cards, visible or not, assumed while it ``is_uncounted``; among them
    are ``wilds``, the ``caps`` on it, and ``others``, which are neither of these nor of its rank.
    ``player`` is the index of the player whose left-over cards these are. ``rank`` is known for piles, and for melds
    whose natural cards have one rank.
    """

    id: str
    kind: GroupKind
    cards: tuple[TableCard, ...]
    player: int | None = None
    rank: str | None = None
    count: int = 0
    wilds: tuple[Face, ...] = ()
    caps: tuple[Face, ...] = ()
    others: tuple[Face, ...] = ()
    doubt: str | None = None
    reason: str = ""

    @property
    def is_uncounted(self) -> bool:
        """Whether it is a squared pile of which nobody has said how many cards it has: it has no points until then."""
        return self.doubt == Doubt.COUNT_THE_PILE

    @property
    def doubts(self) -> int:
        """The number of doubts for a person to check: the group's own and those of its cards."""
        return (self.doubt is not None) + sum(card.doubt is not None for card in self.cards)

    @property
    def asked_together(self) -> tuple[TableCard, ...]:
        """The cards in doubt that one question asks about: several of one group whose own doubt asks nothing yet.

        Of an unknown card somebody has to say what it is; a loose one is asked where it belongs; gathered ones are
        asked about with those of other groups.
        """
        if self.doubt is not None or self.kind == "loose":
            return ()
        asked = (card for card in self.cards if not card.is_gathered)
        doubted = tuple(card for card in asked if card.doubt not in (None, Doubt.UNKNOWN_FACE))
        return doubted if len(doubted) >= ASKED_TOGETHER else ()

    @property
    def questions(self) -> int:
        """The number of questions that ask about its doubts, without the look at gathered cards."""
        together = len(self.asked_together)
        return self.doubts - sum(card.is_gathered for card in self.cards) - together + (together > 0)


@dataclass(frozen=True, slots=True)
class SideTable:
    """All groups of a side: melds and piles, then laid threes, buried and loose cards, each player's left-over ones.

    ``duplicates`` counts for each photo the cards that an earlier photo shows too; those count once. ``is_watched`` is
    whether what was seen while the round was watched counts, and no photo of the table; ``watched_early`` why watching
    had ended before the round did, if it had.
    """

    groups: tuple[TableGroup, ...]
    duplicates: Mapping[int, int] = field(default_factory=dict)
    is_watched: bool = False
    watched_early: str | None = None

    def card(self, card_id: str) -> TableCard | None:
        return next((card for group in self.groups for card in group.cards if card.id == card_id), None)

    def group(self, group_id: str) -> TableGroup | None:
        return next((group for group in self.groups if group.id == group_id), None)

    def group_of(self, card_id: str) -> TableGroup | None:
        return next((group for group in self.groups if any(card.id == card_id for card in group.cards)), None)

    def gathered(self, left: bool) -> tuple[TableCard, ...]:
        """The cards that one look asks about, among those on the table or among the left-over ones."""
        asked = (group.cards for group in self.groups if (group.kind == "left") == left)
        return tuple(card for cards in asked for card in cards if card.is_gathered)

    def cards_in(self, photo: int) -> list[TableCard]:
        return [card for group in self.groups for card in group.cards if card.photo == photo]


def left_id(player: int) -> str:
    """The id of the group of a player's left-over cards, which is also the name of that area."""
    return f"left{player}"
