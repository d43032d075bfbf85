"""The JSON documents of an archive: readings, facts, first melds and entries of the log, each as a pydantic model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictInt, TypeAdapter, create_model, model_validator

from scorer.data import Frozen, shown
from scorer.sheets import RoundSheet, TypedSide, read_sheet
from webui.storage import changes
from webui.storage.backup.checks.values import (
    DeckIds,
    FaceText,
    Few,
    Hash,
    LoggedId,
    Name,
    Pixels,
    Place,
    Probability,
    RoundKey,
    RulesId,
    Seat,
    Sentence,
    Word,
)
from webui.storage.db.stale_edits import UNDONE
from webui.storage.side_facts import SideFacts
from webui.whole_numbers import whole_number

_MOST_CARDS = 2000


class SideOfGame(Frozen):
    """A side as the column ``games.sides`` holds it."""

    name: Name
    players: tuple[Name, ...] = Field(min_length=1, max_length=99)


Sides = tuple[SideOfGame, ...]


class ReadCard(Frozen):
    """A card of a stored reading, as ``webui.rounds.stored_reading`` writes it; older ones have no ``indices``."""

    face: FaceText
    confidence: Probability
    quad: tuple[tuple[Place, Place], tuple[Place, Place], tuple[Place, Place], tuple[Place, Place]]
    others: tuple[tuple[FaceText, Probability], ...] = Field(max_length=100)
    doubt: Word | None
    indices: tuple[tuple[Place, Place, Place, Place], ...] = Field(default=(), max_length=100)


class ReadGroup(Frozen):
    """A group of a reading."""

    cards: tuple[StrictInt, ...] = Field(max_length=_MOST_CARDS)
    kind: Literal["meld", "run", "threes", "pile", "hand", "single"]
    rank: Word | None
    book: Literal["clean", "dirty", "wild"] | None
    doubt: Word | None
    reason: Sentence


class ReadWarning(Frozen):
    """A warning of a reading."""

    code: Word
    message: Sentence


class ReadingDocument(Frozen):
    """A stored reading."""

    width: Pixels
    height: Pixels
    seconds: float = Field(strict=True, ge=0, le=1e6, allow_inf_nan=False)
    cards: tuple[ReadCard, ...] = Field(max_length=_MOST_CARDS)
    groups: tuple[ReadGroup, ...] = Field(max_length=_MOST_CARDS)
    warnings: tuple[ReadWarning, ...] = Field(max_length=100)

    @model_validator(mode="after")
    def _groups_hold_cards(self) -> ReadingDocument:
        if any(not 0 <= card < len(self.cards) for group in self.groups for card in group.cards):
            raise ValueError(f"expected groups of the {len(self.cards)} cards, got one with another card")
        return self


class FirstMeldCard(Frozen):
    """A card of a first meld as corrected."""

    face: FaceText
    index: Few | None = None


class FactsDocument(Frozen):
    """The facts of a round: those of each side under its index, and those named here."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, SideFacts] = Field(init=False)
    said: list[Literal["out", "unseen"]] = Field(default=[])
    agreed: dict[Word, Word] = Field(default={})
    starter: tuple[Seat, Seat] | None = None
    over: dict[Word, Annotated[list[Sentence], Field(max_length=_MOST_CARDS)]] = Field(default={})
    outside: tuple[changes.WatchedGroup, ...] = Field(default=(), max_length=100)
    whose: dict[Word, Word] = Field(default={})


def check_facts(document: Any, sides: Sides) -> None:
    """Checks the facts of a round.

    Raises:
        ValueError: they are no facts, or about a side or player that the game does not have.
    """
    told = FactsDocument.model_validate(document)
    if told.starter is not None:
        _index(told.starter[0], len(sides))
        _index(told.starter[1], most_players(sides))
    _check_watched(told.outside)
    for whose in told.whose.values():
        if whose != "nobody":
            _index(whose, len(sides))
    for key, facts in told.__pydantic_extra__.items():
        _index(key, len(sides))
        players = most_players(sides)
        _index(facts.out_player or 0, players)
        if facts.typed is not None:
            _check_typed(facts.typed)
        for area in facts.nothing:
            if area != "table":
                _index(area.removeprefix("left"), players)


def _check_typed(typed: TypedSide) -> None:
    """Checks what people counted of a side. Raises ValueError."""
    _check_faces(map(str, (*typed.laid, *(face for told in (*typed.books, *typed.unfinished) for face in told.wilds))))


def most_players(sides: Sides) -> int:
    """The most players that a side may have in a round: a floater changes to the smaller side and back."""
    return max(len(side.players) for side in sides)


def check_sheet(document: Any, sides: Sides) -> None:
    """Checks an agreed sheet. Raises ValueError."""
    sheet: RoundSheet = read_sheet(document)
    _RULES_ID.validate_python(sheet.rules)
    if len(sheet.sides) != len(sides):
        raise ValueError(f"expected a sheet of {len(sides)} sides, got {len(sheet.sides)}")


_RULES_ID: TypeAdapter[str] = TypeAdapter(RulesId)


def check_correction(document: Any, with_id: bool = False) -> None:
    """Checks a correction, in the log together with its id. Raises ValueError."""
    change = dict(_object(document))
    if with_id:
        _ID.validate_python(change.pop("id", None))
    read = changes.read_change(change)
    if read.model_dump(mode="json", exclude_unset=True) != change:
        raise ValueError(f"expected a correction as this program writes it, got {shown(change)}")
    if isinstance(read, (changes.Add, changes.Name)):
        _check_faces((read.face,))
    elif isinstance(read, changes.AddCards):
        _check_faces(read.faces)
    elif isinstance(read, changes.Watched):
        _check_watched(read.groups)


def _check_watched(groups: Iterable[changes.WatchedGroup]) -> None:
    """Checks the cards of a table that was seen. Raises ValueError."""
    cards = [card for group in groups for card in group.cards]
    _check_faces(face for card in cards for face in (card.face, *(other for other, _ in card.others)))


def _check_faces(faces: Iterable[str]) -> None:
    """Checks that people said faces of a deck alone, as the page takes no others. Raises ValueError."""
    for face in faces:
        _FACE.validate_python(face)


_FACE: TypeAdapter[str] = TypeAdapter(FaceText)
_ID: TypeAdapter[int] = TypeAdapter(LoggedId)


def _logged(**fields: Any) -> type[Frozen]:
    return create_model("Logged", __base__=Frozen, **fields)


_TwoSides = Annotated[tuple[SideOfGame, ...], Field(min_length=2, max_length=99)]
_PHOTO = _logged(id=LoggedId, source=Name, player=(Seat | None, None), cards=(Few | None, None))
_LOGGED: dict[str, type[Frozen]] = {
    "rules": _logged(
        rules=RulesId, rounds=(Annotated[dict[RoundKey, Hash | None], Field(max_length=999)], Field(default={}))
    ),
    "sides": _logged(sides=_TwoSides),
    "state": _logged(state=Literal["ended", "open", "removed"] | None),
    "first": _logged(first=Name | None),
    "decks": _logged(decks=DeckIds | None),
    "begun": _logged(rules=RulesId, sides=_TwoSides, first=(Name | None, None), decks=(DeckIds | None, None)),
    "first-meld": _logged(id=LoggedId, faces=Annotated[tuple[FirstMeldCard, ...], Field(max_length=_MOST_CARDS)]),
    "photo": _PHOTO,
    "read": _PHOTO,
    "watching": _logged(on=StrictBool),
}
"""The documents of entries that hold one model, by their kind."""
_LOGGED_OTHERWISE = ("round-begun", "facts", "confirmed", "correction")


def check_logged(what: str, before: Any, after: Any, sides: Sides) -> None:
    """Checks the documents of a log entry.

    Raises:
        ValueError: its kind is unknown, or a document does not belong to it.
    """
    kind = what.removesuffix(UNDONE)
    if kind not in (*_LOGGED, *_LOGGED_OTHERWISE):
        raise ValueError(f"expected a known kind of change, got {what!r}")
    for document in (before, after):
        if document is None:
            continue
        if kind in _LOGGED:
            _LOGGED[kind].model_validate(document)
        elif kind == "facts":
            check_facts(document, sides)
        elif kind == "confirmed":
            check_sheet(document, sides)
        elif kind == "correction":
            check_correction(document, with_id=True)
        else:
            raise ValueError(f"expected nothing with {what!r}, got a document")
    needed = {"first-meld": (after,), "confirmed": (after,), "facts": (before, after), "begun": (after,)}
    if what == "confirmed" + UNDONE:  # the round may have no earlier sheet
        needed["confirmed"] = (before,)
    if kind in ("rules", "sides", "state", "first", "decks"):
        needed[kind] = (before, after)
    if any(document is None for document in needed.get(kind, ())):
        raise ValueError(f"expected before and after of {what!r}, got none")
    if kind == "correction" and before is None and after is None:
        raise ValueError("expected a correction, got none")


def _object(document: Any) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise ValueError(f"expected an object with keys, got {type(document).__name__}")
    return document


def _index(value: Any, count: int) -> int:
    index = whole_number(value) if isinstance(value, str) else int(value) if isinstance(value, int) else None
    if index is None or not 0 <= index < count:
        raise ValueError(f"expected one of {count} sides or players, got {shown(value)}")
    return index
