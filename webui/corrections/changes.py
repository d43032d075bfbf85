"""What a person can change about the cards of one side: one frozen value for each kind of correction."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, field_validator

from scorer.data import Frozen
from scorer.faces import Face

Id = Annotated[str, Field(max_length=60)]
"""Of a card or a group."""
NEW_MELD = "new-meld"
NEW_PILE = "new-pile"


class Name(Frozen):
    """This card is that face; the same face again says that the reader was right."""

    op: Literal["name"] = "name"
    card: Id
    face: Id

    @field_validator("face")
    @classmethod
    def _canonical(cls, face: str) -> str:
        return str(Face.parse(face))


class Remove(Frozen):
    """There is no such card."""

    op: Literal["remove"] = "remove"
    card: Id


class Add(Frozen):
    """There is one card more: in a group, and in a photo at (x, y) pixels where the person pointed at it."""

    op: Literal["add"] = "add"
    group: Id
    face: Id
    photo: int | None = None
    x: float = 0
    y: float = 0

    @field_validator("face")
    @classmethod
    def _canonical(cls, face: str) -> str:
        return str(Face.parse(face))


class Move(Frozen):
    """This card belongs to another group, or to a new one (``NEW_MELD``, ``NEW_PILE``)."""

    op: Literal["move"] = "move"
    card: Id
    group: Id


class Regroup(Frozen):
    """These cards belong together in another group, or in a new one: how a group is split."""

    op: Literal["regroup"] = "regroup"
    cards: tuple[Id, ...] = Field(min_length=1, max_length=500)
    group: Id


class Join(Frozen):
    """Two groups are one: all cards of the first belong to the second."""

    op: Literal["join"] = "join"
    group: Id
    into: Id


class Count(Frozen):
    """This group is a squared pile of so many cards in all, with these wilds among them."""

    op: Literal["count"] = "count"
    group: Id
    rank: Id
    cards: int = Field(ge=1, le=60)
    wilds: tuple[str, ...] = Field((), max_length=60)

    @field_validator("wilds")
    @classmethod
    def _canonical(cls, wilds: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(str(Face.parse(wild)) for wild in wilds)


class Spread(Frozen):
    """This group is no pile: only the cards that are seen lie there."""

    op: Literal["spread"] = "spread"
    group: Id


class Accept(Frozen):
    """This group and all its cards are right as they are."""

    op: Literal["accept"] = "accept"
    group: Id


class DropPhoto(Frozen):
    """This photo does not count."""

    op: Literal["drop-photo"] = "drop-photo"
    photo: int


class Reset(Frozen):
    """Back to what the camera saw: nothing that was changed before counts, but photos that were removed stay away."""

    op: Literal["reset"] = "reset"


Change = Annotated[
    Name | Remove | Add | Move | Regroup | Join | Count | Spread | Accept | DropPhoto | Reset,
    Field(discriminator="op"),
]
_CHANGE: TypeAdapter[Change] = TypeAdapter(Change)


def read_change(document: dict[str, Any]) -> Change:
    """Raises pydantic's ValidationError (a ValueError) where the document is no change."""
    return _CHANGE.validate_python(document)
