"""What is stored about an event: how it is set up, and the facts that are recorded while it is run.

An event is its setup and its facts in the order in which they were recorded; a fact is never changed. One that is
taken back stays too, and ``Undo`` says so. What counts is worked out from them (``webui.events``); points are in the
games of its tables alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr, TypeAdapter, model_validator

from scorer.data import Frozen
from scorer.events.standings import Byes, Ties

MOST_ENTRANTS = 400
"""The most teams or people of an event: a hundred tables."""
MOST_ADJUSTED = 20_000
"""The most points that one adjustment gives or takes off."""
MOST_MINUTES = 600
"""The longest break, and the longest clock of a round."""
_MOST_STAGES = 20

Stage = Annotated[StrictInt, Field(ge=1, le=_MOST_STAGES)]
"""The number of a game (of teams) or of a set (of moving partners), from 1."""
TableNumber = Annotated[StrictInt, Field(ge=1, le=MOST_ENTRANTS)]
EntrantName = Annotated[StrictStr, Field(min_length=1, max_length=90, pattern=r"^[^\x00-\x1f]+$")]
Word = Annotated[StrictStr, Field(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f]+$")]
Side = Annotated[tuple[EntrantName, ...], Field(min_length=1, max_length=2)]
TableSides = tuple[Side, Side]
"""The two sides of a table: a team each, or two people each."""


class Setup(Frozen):
    """How an event is played, as its coordinator chose it.

    ``stages`` are games of teams, or sets of moving partners. ``cut`` is how many teams play each later game: ``half``
    for the better half, ``all``, or a number. ``groups`` are ranked each for themselves. ``finalists_only``: only teams
    of the last game win prizes. ``top``: where the winners of the highest table go, to table 1 or nowhere. ``ties`` is
    what decides between equal totals, ``byes`` who sits out.
    """

    format: Literal["teams", "moving-partners"]
    stages: Stage
    cut: Literal["half", "all"] | Annotated[StrictInt, Field(ge=2, le=MOST_ENTRANTS)] = "half"
    groups: tuple[Word, ...] = Field(default=(), max_length=6)
    prizes: tuple[Word, ...] = Field(max_length=10)
    finalists_only: StrictBool = False
    top: Literal["first", "stay"] = "first"
    ties: Ties = "decide"
    byes: Byes = "lot"
    rehearsal: StrictBool = False


class Enter(Frozen):
    """A team with its players, or a person with the group they are ranked in, takes part."""

    op: Literal["enter"] = "enter"
    name: EntrantName
    players: tuple[EntrantName, ...] = Field(default=(), max_length=2)
    group: Word | None = None


class Leave(Frozen):
    """A team or person goes home; ``stage`` is the first one that they do not finish, one after the last for none.

    ``done``: a team that was out by then, and so keeps its place.
    """

    op: Literal["leave"] = "leave"
    name: EntrantName
    stage: Annotated[StrictInt, Field(ge=1, le=_MOST_STAGES + 1)]
    done: StrictBool = False


class Rename(Frozen):
    """A team or person is called otherwise, everywhere and from the first round on; players and group are as given."""

    op: Literal["rename"] = "rename"
    name: EntrantName
    to: EntrantName
    players: tuple[EntrantName, ...] = Field(default=(), max_length=2)
    group: Word | None = None


class Substitute(Frozen):
    """``by`` plays in place of ``player`` from a round of a stage on; the team or person is then called ``to``.

    ``counts``: totals over evenings count these rounds for the substitute, else for whom they stand in.
    """

    op: Literal["substitute"] = "substitute"
    name: EntrantName
    to: EntrantName
    player: EntrantName
    by: EntrantName
    stage: Stage
    round: Annotated[StrictInt, Field(ge=1, le=100)]
    counts: StrictBool


class Draft(Frozen):
    """A draw of a stage: who sits at which table, table 1 first, and who sits out. A later one takes its place.

    ``seed`` repeats it: the same people and results with the same seed give the same tables.
    """

    op: Literal["draft"] = "draft"
    stage: Stage
    seed: Word
    tables: tuple[TableSides, ...] = Field(max_length=MOST_ENTRANTS)
    out: tuple[EntrantName, ...] = Field(default=(), max_length=MOST_ENTRANTS)

    @model_validator(mode="after")
    def _seats_each_once(self) -> Draft:
        names = [*(name for sides in self.tables for side in sides for name in side), *self.out]
        if len(set(names)) < len(names):
            raise ValueError("expected everyone in one place, got somebody in two")
        return self


class Swap(Frozen):
    """Two teams or people change places in the draft of a stage, by hand."""

    op: Literal["swap"] = "swap"
    stage: Stage
    one: EntrantName
    two: EntrantName


class Confirm(Frozen):
    """The draft of a stage is right."""

    op: Literal["confirm"] = "confirm"
    stage: Stage


class Release(Frozen):
    """The tables of a stage are announced, and have their games."""

    op: Literal["release"] = "release"
    stage: Stage


class Names(Frozen):
    """The people at a table said that it is they who sit there."""

    op: Literal["names"] = "names"
    stage: Stage
    table: TableNumber


class Help(Frozen):
    """A table calls for the coordinator, or needs no help any more."""

    op: Literal["help"] = "help"
    table: TableNumber
    wanted: StrictBool


class PlaysOn(Frozen):
    """Who plays a later game, as the coordinator decided a tie at the cut."""

    op: Literal["plays-on"] = "plays-on"
    stage: Stage
    names: tuple[EntrantName, ...] = Field(min_length=2, max_length=MOST_ENTRANTS)


class Winner(Frozen):
    """Which side (0 or 1) counts as the winner of a tied set at a table."""

    op: Literal["winner"] = "winner"
    stage: Stage
    table: TableNumber
    side: Annotated[StrictInt, Field(ge=0, le=1)]


class Order(Frozen):
    """The order of those who are tied for a prize, first one first, as the coordinator decided it."""

    op: Literal["order"] = "order"
    names: tuple[EntrantName, ...] = Field(min_length=2, max_length=MOST_ENTRANTS)


class Adjust(Frozen):
    """The coordinator gives points for a reason, or takes some off (below 0); they count in the total after a stage."""

    op: Literal["adjust"] = "adjust"
    name: EntrantName
    stage: Stage
    points: Annotated[StrictInt, Field(ge=-MOST_ADJUSTED, le=MOST_ADJUSTED)]
    reason: Word


class Break(Frozen):
    """A break; ``until`` is when play goes on (ISO 8601, UTC), None ends it."""

    op: Literal["break"] = "break"
    until: Annotated[StrictStr, Field(max_length=40)] | None


class Clock(Frozen):
    """The clock of a round for the hall: when it ends (ISO 8601, UTC), None for none; it warns some minutes before."""

    op: Literal["clock"] = "clock"
    ends: Annotated[StrictStr, Field(max_length=40)] | None
    warning: Annotated[StrictInt, Field(ge=0, le=MOST_MINUTES)] = 0


class CheckIn(Frozen):
    """A team or person is here, or is not after all, before the first draw."""

    op: Literal["check-in"] = "check-in"
    name: EntrantName
    here: StrictBool


class State(Frozen):
    """The event is over, is off the list, or neither."""

    op: Literal["state"] = "state"
    state: Literal["finished", "removed"] | None


class Undo(Frozen):
    """The fact of this number does not count any more."""

    op: Literal["undo"] = "undo"
    number: Annotated[StrictInt, Field(ge=1, le=10**6)]


Fact = Annotated[
    Enter
    | Leave
    | Rename
    | Substitute
    | Draft
    | Swap
    | Confirm
    | Release
    | Names
    | Help
    | PlaysOn
    | Winner
    | Order
    | Adjust
    | Break
    | Clock
    | CheckIn
    | State
    | Undo,
    Field(discriminator="op"),
]
_FACT: TypeAdapter[Fact] = TypeAdapter(Fact)


def read_fact(document: dict[str, Any]) -> Fact:
    """Parses a fact.

    Raises:
        ValidationError: pydantic's, a ValueError, where the document is not a fact.
    """
    return _FACT.validate_python(document, strict=False)


@dataclass(frozen=True, slots=True)
class FactRecord:
    """One change to an event: its number in the event (from 1), what it was, and who made it when.

    ``fact`` is one of ``webui.storage.events.facts``; ``who`` is None where unknown.
    """

    number: int
    fact: Fact
    made_at: str
    who: str | None = None


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event: the id of its rule set, how it is played, and everything that was recorded, in that order."""

    id: int
    created_at: str
    name: str
    rules: str
    setup: Setup
    facts: tuple[FactRecord, ...]
