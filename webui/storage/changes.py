"""The corrections that a person can make to one side's cards: one model for each kind, told apart by ``op``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from scorer.data import Frozen
from scorer.faces import Face

Id = Annotated[str, Field(max_length=60)]
"""The id of a card or a group, or a face."""
Place = Annotated[float, Field(ge=-1e6, le=1e6)]
"""A coordinate in photo pixels."""
ResetStep = Literal["table", "left"]
"""The step of a side whose corrections a reset discards: its cards on the table, or those its players have left."""
NEW_MELD = "new-meld"
NEW_PILE = "new-pile"
ALL_CARDS = "all"
"""What a change touches that concerns a whole step of a side."""


def _canonical_face(face: str) -> str:
    return str(Face.parse(face))


class Name(Frozen):
    """Sets a card's face. The face that it has already confirms it."""

    op: Literal["name"] = "name"
    card: Id
    face: Annotated[Id, AfterValidator(_canonical_face)]


class Remove(Frozen):
    """Removes a card that does not exist."""

    op: Literal["remove"] = "remove"
    card: Id


class Add(Frozen):
    """Adds a card to a group; with ``photo``, the person pointed at it at (x, y) in photo pixels.

    ``beside`` are cards of which it was asked whether another lies next to them: the added card answers that.
    """

    op: Literal["add"] = "add"
    group: Id
    face: Annotated[Id, AfterValidator(_canonical_face)]
    photo: int | None = None
    x: Place = 0
    y: Place = 0
    beside: tuple[Id, ...] = Field(default=(), max_length=200)


class AddCards(Frozen):
    """Adds several cards at a stroke to one group, or to a new one; so typed cards come, a line a meld.

    ``suitless`` are the places of those whose suit nobody said, as it makes no difference: any suit stands for it.
    """

    op: Literal["add-cards"] = "add-cards"
    group: Id
    faces: tuple[Annotated[str, AfterValidator(_canonical_face)], ...] = Field(min_length=1, max_length=200)
    suitless: tuple[Annotated[int, Field(ge=0, lt=200)], ...] = Field(default=(), max_length=200)


class Move(Frozen):
    """Moves a card to another group, or to a new one (``NEW_MELD``, ``NEW_PILE``)."""

    op: Literal["move"] = "move"
    card: Id
    group: Id


class Regroup(Frozen):
    """Moves several cards together to another group or to a new one, which splits a group.

    Their doubts end, as a person looked at each; with ``keep_doubts`` those about what a card is remain.
    """

    op: Literal["regroup"] = "regroup"
    cards: tuple[Id, ...] = Field(min_length=1, max_length=500)
    group: Id
    keep_doubts: bool = False


class Join(Frozen):
    """Joins two groups: all cards of ``group`` move to ``into``."""

    op: Literal["join"] = "join"
    group: Id
    into: Id


class Count(Frozen):
    """Makes a group a squared pile of so many cards in all, with these wilds and caps among them.

    Cards of it that are seen to be something else are among them too.
    """

    op: Literal["count"] = "count"
    group: Id
    rank: Id
    cards: int = Field(ge=1, le=60)
    wilds: tuple[Annotated[str, AfterValidator(_canonical_face)], ...] = Field((), max_length=60)
    caps: tuple[Annotated[str, AfterValidator(_canonical_face)], ...] = Field(default=(), max_length=60)


class Spread(Frozen):
    """Makes a pile a spread meld of its visible cards."""

    op: Literal["spread"] = "spread"
    group: Id


class Accept(Frozen):
    """Confirms a group and all its cards as they are."""

    op: Literal["accept"] = "accept"
    group: Id


class DropPhoto(Frozen):
    """Removes a photo."""

    op: Literal["drop-photo"] = "drop-photo"
    photo: int


class WatchedCard(Frozen):
    """A card that was seen being laid.

    ``track`` is its number in the film of the round, by which its picture is found; ``hidden`` whether it lay under
    others at the end; ``guessed`` whether its suit is a guess, since others covered it. ``others`` are what else it may
    be, with their shares.
    """

    face: Annotated[Id, AfterValidator(_canonical_face)]
    track: int = Field(ge=0, le=100_000)
    hidden: bool = False
    doubt: Id | None = None
    others: tuple[tuple[Annotated[Id, AfterValidator(_canonical_face)], float], ...] = Field((), max_length=20)
    guessed: bool = False


class WatchedGroup(Frozen):
    """Cards that lay together at the end; of threes, and of ``loose`` cards in no meld, ``rank`` is None."""

    kind: Literal["meld", "threes", "loose"]
    cards: tuple[WatchedCard, ...] = Field(min_length=1, max_length=200)
    rank: Id | None = None
    doubt: Id | None = None


class Watched(Frozen):
    """Says what lay on a side's table when a watched round ended; photos of the table then do not count.

    ``early`` is why watching had ended before the round did (a code), None where it had not.
    """

    op: Literal["watched"] = "watched"
    groups: tuple[WatchedGroup, ...] = Field(max_length=100)
    early: Id | None = None


class SetAside(Frozen):
    """Lets the photos of a side's table count, and not what was seen of it while the round was watched."""

    op: Literal["set-aside"] = "set-aside"


class Reset(Frozen):
    """Discards the earlier corrections of one step of the side, or of both steps, as older versions did.

    Removed photos stay removed.
    """

    op: Literal["reset"] = "reset"
    step: ResetStep | None = None


Change = Annotated[
    Name
    | Remove
    | Add
    | AddCards
    | Move
    | Regroup
    | Join
    | Count
    | Spread
    | Accept
    | DropPhoto
    | Watched
    | SetAside
    | Reset,
    Field(discriminator="op"),
]
_CHANGE: TypeAdapter[Change] = TypeAdapter(Change)


def read_change(document: dict[str, Any]) -> Change:
    """Parses a correction.

    Raises:
        ValidationError: pydantic's, a ValueError, where the document is not a correction.
    """
    return _CHANGE.validate_python(document)


def touched(change: Mapping[str, Any]) -> frozenset[str]:
    """The cards and groups that a correction, as it is stored, is about: two that share one of them are in conflict.

    The same card added to one group twice is one of them; a photo, which is no correction, touches no card that was
    there before.
    """
    match change.get("op"):
        case "add" | "add-cards":
            faces = change.get("faces") or (change.get("face"),)
            return frozenset((*(f"{change.get('group')} + {face}" for face in faces), *change.get("beside", ())))
        case "move" | "regroup":
            return frozenset(map(str, change.get("cards") or (change.get("card"),)))
        case "drop-photo" | "watched" | "set-aside" | "reset":
            return frozenset({ALL_CARDS})
    return frozenset(str(change[key]) for key in ("card", "group", "into") if key in change)
